import { Badge } from "@holdfast/ui/badge.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { call } from "../api/client.ts";
import { read, write } from "../api/queries.ts";
import type { StaffSession } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ActionButton, DialogButton } from "../forms/buttons.tsx";
import { ConfirmDialog } from "../forms/dialogs.tsx";
import { useLeave } from "../shell/leave.ts";
import { QueryState } from "../shell/queryState.tsx";
import { browserOf } from "../signIn/browserOf.ts";

/** The user's sessions. One that is ended here is refused on its next request. */
export function Sessions() {
  const sessions = useQuery(read("listSessions", {}));
  return (
    <QueryState query={sessions}>
      {({ data }) => (
        <div className="grid gap-4">
          <Table
            caption={texts.account.sessions.caption}
            columns={[
              {
                title: texts.account.sessions.browser,
                cell: ({ userAgent, isCurrent }: StaffSession) => (
                  <span title={userAgent} className="flex flex-wrap gap-2">
                    {browserOf(userAgent)}
                    {isCurrent ? <Badge tone="good">{texts.account.sessions.current}</Badge> : null}
                  </span>
                ),
              },
              {
                title: texts.account.sessions.address,
                cell: ({ address }) => <span className="whitespace-nowrap">{address}</span>,
              },
              {
                title: texts.account.sessions.signedIn,
                cell: ({ createdAt }) => <Time at={createdAt} />,
                wideOnly: true,
              },
              {
                title: texts.account.sessions.lastUsed,
                cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />,
                wideOnly: true,
              },
              {
                title: texts.account.sessions.end,
                hideTitle: true,
                end: true,
                cell: ({ id, isCurrent }) => (isCurrent ? null : <EndButton id={id} />),
              },
            ]}
            rows={data}
            keyOf={({ id }) => id}
          />
          <SignOutEverywhere />
        </div>
      )}
    </QueryState>
  );
}

const EndButton = ({ id }: { readonly id: string }) => (
  <ActionButton run={() => write("endSession", { path: { id } })} said={texts.account.sessions.ended}>
    {texts.account.sessions.end}
  </ActionButton>
);

function SignOutEverywhere() {
  const leave = useLeave();
  return (
    <DialogButton
      className="justify-self-start"
      dialog={(close) => (
        <ConfirmDialog
          title={texts.account.sessions.endAllTitle}
          text={texts.account.sessions.endAllText}
          submitText={texts.account.sessions.endAll}
          run={() => call("signOutEverywhere")}
          done={leave}
          onClose={close}
        />
      )}
    >
      {texts.account.sessions.endAll}
    </DialogButton>
  );
}
