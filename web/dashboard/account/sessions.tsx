import { Badge } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../api/client.ts";
import { read } from "../api/queries.ts";
import type { StaffSession } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { useLeave } from "../shell/leave.ts";
import { QueryState } from "../shell/queryState.tsx";
import { browserOf } from "../signIn/browserOf.ts";

/** Where the user is signed in. A session that is ended here is over there with its next request. */
export function Sessions() {
  const sessions = useQuery(read("listSessions", {}));
  return (
    <QueryState query={sessions}>
      {({ data }) => (
        <div className="grid gap-4">
          <Table
            caption="Your sessions"
            columns={[
              {
                title: "Browser",
                cell: ({ userAgent, isCurrent }: StaffSession) => (
                  <span title={userAgent} className="flex flex-wrap gap-2">
                    {browserOf(userAgent)}
                    {isCurrent ? <Badge tone="good">This one</Badge> : null}
                  </span>
                ),
              },
              { title: "Address", cell: ({ address }) => <span className="whitespace-nowrap">{address}</span> },
              { title: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} />, wideOnly: true },
              { title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} />, wideOnly: true },
              {
                title: "End",
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

function EndButton({ id }: { readonly id: string }) {
  const end = useAction({
    run: () => call("endSession", { path: { id } }),
    changes: ["listSessions"],
    said: "The session has ended.",
  });
  return (
    <Button isBusy={end.isPending} onClick={() => end.mutate()}>
      End
    </Button>
  );
}

function SignOutEverywhere() {
  const [isOpen, setOpen] = useState(false);
  const leave = useLeave();
  const end = useAction({ run: () => call("signOutEverywhere"), done: leave });
  return (
    <>
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        Sign out everywhere
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Sign out everywhere?"
        text="All your sessions end at once, this one too. Passkeys and the authenticator app stay."
      >
        <Actions>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button kind="danger" isBusy={end.isPending} onClick={() => end.mutate()}>
            Sign out
          </Button>
        </Actions>
      </Dialog>
    </>
  );
}
