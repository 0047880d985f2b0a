import { Badge, type Tone } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Menu } from "@holdfast/ui/menu.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Table } from "@holdfast/ui/table.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../api/queries.ts";
import type { Recipient } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { GroupedAddress } from "./address.tsx";
import { AddDialog, CheckoutLink, ConfirmTestDialog, RemoveDialog, RenameDialog, TestDialog } from "./dialogs.tsx";
import { SavedOnlySection } from "./savedOnlySection.tsx";

const TONES: Readonly<Record<Recipient["state"] | "held", Tone>> = {
  untried: "wait",
  waiting: "info",
  in_escrow: "info",
  arrived: "wait",
  failed: "neutral",
  tried: "good",
  held: "wait",
};

/** The state of a running test payment changes without the user, so the list is read again. */
const FOLLOW_MS = 5_000;
const isMoving = ({ state }: Recipient): boolean => state === "waiting" || state === "in_escrow";

/** §13.11. */
export function RecipientsPage() {
  const { path, environment, may } = useTenant();
  const recipients = useQuery({
    ...read("listRecipients", { path }),
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? FOLLOW_MS : false),
  });
  return (
    <Page
      title={texts.recipients.title}
      text={texts.recipients.text(environment)}
      actions={
        may("manage_profile") ? (
          <DialogButton kind="primary" dialog={(close) => <AddDialog onClose={close} />}>
            {texts.recipients.add}
          </DialogButton>
        ) : undefined
      }
    >
      <QueryState query={recipients}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <EmptyState title={texts.recipients.emptyTitle}>{texts.recipients.emptyText}</EmptyState>
            ) : (
              <RecipientTable recipients={data} />
            )}
            <SavedOnlySection recipients={data} />
          </>
        )}
      </QueryState>
    </Page>
  );
}

type Choice = "test" | "confirm" | "rename" | "remove";
const DIALOGS = { test: TestDialog, confirm: ConfirmTestDialog, rename: RenameDialog, remove: RemoveDialog };

function RecipientTable({ recipients }: { readonly recipients: readonly Recipient[] }) {
  const { may } = useTenant();
  const [chosen, setChosen] = useState<{ readonly recipient: Recipient; readonly to: Choice } | null>(null);
  const itemsFor = (recipient: Recipient) => {
    const item = (text: string, to: Choice) => ({ text, onSelect: () => setChosen({ recipient, to }) });
    return [
      ...(isMoving(recipient) || recipient.heldUntil !== null ? [] : [item(texts.recipients.test.create, "test")]),
      item(texts.recipients.rename, "rename"),
      { ...item(texts.recipients.remove, "remove"), isDanger: true },
    ];
  };
  const Chosen = chosen === null ? null : DIALOGS[chosen.to];
  return (
    <>
      <Table
        caption={texts.recipients.caption}
        columns={[
          {
            title: texts.recipients.wallet,
            cell: ({ label, id }: Recipient) => (
              <span className="grid gap-1">
                <span className="break-words font-medium">{label}</span>
                <span className="text-soft">
                  <GroupedAddress address={id} />
                </span>
              </span>
            ),
          },
          {
            title: texts.common.status,
            cell: (recipient) => (
              <State
                recipient={recipient}
                onConfirm={may("manage_profile") ? () => setChosen({ recipient, to: "confirm" }) : null}
              />
            ),
          },
          { title: texts.common.added, cell: ({ addedAt }) => <Time at={addedAt} />, wideOnly: true },
          {
            title: texts.common.actions,
            hideTitle: true,
            end: true,
            cell: (recipient) =>
              may("manage_profile") ? (
                <Menu items={itemsFor(recipient)} aria-label={texts.recipients.actionsOf(recipient.label)}>
                  …
                </Menu>
              ) : null,
          },
        ]}
        rows={recipients}
        keyOf={({ id }) => id}
      />
      {chosen === null || Chosen === null ? null : (
        <Chosen recipient={chosen.recipient} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

/** The state of a recipient's test, and the next step. */
function State({ recipient, onConfirm }: { readonly recipient: Recipient; readonly onConfirm: (() => void) | null }) {
  const { state, test, heldUntil, confirmedAt, confirmedBy } = recipient;
  const shown = heldUntil === null ? state : "held";
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={TONES[shown]}>{texts.recipients.states[shown]}</Badge>
      <span className="text-small text-soft">
        {heldUntil === null ? null : (
          <Filled text={texts.recipients.heldUntil} slots={{ time: <Time at={heldUntil} /> }} />
        )}
        {state === "untried" && heldUntil === null ? texts.recipients.untried : null}
        {state === "waiting" && test?.checkoutUrl != null ? <CheckoutLink url={test.checkoutUrl} /> : null}
        {state === "in_escrow" ? (
          <Filled text={texts.recipients.inEscrow} slots={{ time: <Time at={test?.protectionDeadline ?? null} /> }} />
        ) : null}
        {state === "arrived" ? texts.recipients.arrived : null}
        {state === "failed" ? texts.recipients.failed : null}
        {state === "tried" ? (
          <Filled text={texts.recipients.tested} slots={{ user: confirmedBy, time: <Time at={confirmedAt} /> }} />
        ) : null}
      </span>
      {state === "arrived" && onConfirm !== null ? (
        <Button onClick={onConfirm}>{texts.recipients.test.confirm}</Button>
      ) : null}
    </span>
  );
}
