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
import { Page } from "../shell/page.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { GroupedAddress } from "./address.tsx";
import { AddDialog, CheckoutLink, ConfirmDialog, RemoveDialog, RenameDialog, TestDialog } from "./dialogs.tsx";
import { SavedOnlySection } from "./savedOnlySection.tsx";

const STATES: Readonly<Record<Recipient["state"], readonly [Tone, string]>> = {
  untried: ["wait", "Not tried"],
  waiting: ["info", "Test waits to be paid"],
  in_escrow: ["info", "Test in the escrow"],
  arrived: ["wait", "Look into the wallet"],
  failed: ["neutral", "Test came to nothing"],
  tried: ["good", "Tried"],
};

/** While a test payment is under way its state moves by itself. */
const FOLLOW_MS = 5_000;
const isMoving = ({ state }: Recipient): boolean => state === "waiting" || state === "in_escrow";

/** §13.11. */
export function RecipientsPage() {
  const { path, environment, may } = useTenant();
  const recipients = useQuery({
    ...read("listRecipients", { path }),
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? FOLLOW_MS : false),
  });
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Recipients"
      text={`The wallets that the business is paid to in ${environment}, under names for your team.`}
      actions={
        may("manage_profile") ? (
          <Button kind="primary" onClick={() => setAdding(true)}>
            Add a recipient
          </Button>
        ) : undefined
      }
    >
      <QueryState query={recipients}>
        {({ data }) => (
          <>
            {data.length === 0 ? (
              <EmptyState title="No recipient yet">
                A typo in an address is lost money. Keep your wallets here, compare them once, and try each with a small
                payment.
              </EmptyState>
            ) : (
              <RecipientTable recipients={data} />
            )}
            <SavedOnlySection recipients={data} />
          </>
        )}
      </QueryState>
      {isAdding ? <AddDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

type Choice = "test" | "confirm" | "rename" | "remove";
const DIALOGS = { test: TestDialog, confirm: ConfirmDialog, rename: RenameDialog, remove: RemoveDialog };

function RecipientTable({ recipients }: { readonly recipients: readonly Recipient[] }) {
  const { may } = useTenant();
  const [chosen, setChosen] = useState<{ readonly recipient: Recipient; readonly to: Choice } | null>(null);
  const itemsFor = (recipient: Recipient) => {
    const item = (text: string, to: Choice) => ({ text, onSelect: () => setChosen({ recipient, to }) });
    return [
      ...(isMoving(recipient) || recipient.heldUntil !== null ? [] : [item("Offer a test payment", "test")]),
      item("Rename", "rename"),
      { ...item("Remove", "remove"), isDanger: true },
    ];
  };
  const Chosen = chosen === null ? null : DIALOGS[chosen.to];
  return (
    <>
      <Table
        caption="Recipients"
        columns={[
          {
            title: "Wallet",
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
            title: "State",
            cell: (recipient) => (
              <State
                recipient={recipient}
                onConfirm={may("manage_profile") ? () => setChosen({ recipient, to: "confirm" }) : null}
              />
            ),
          },
          { title: "Added", cell: ({ addedAt }) => <Time at={addedAt} />, wideOnly: true },
          {
            title: "Change",
            hideTitle: true,
            end: true,
            cell: (recipient) =>
              may("manage_profile") ? (
                <Menu items={itemsFor(recipient)} aria-label={`Change ${recipient.label}`}>
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

/** How far the recipient is from being tried, and what brings it further. */
function State({ recipient, onConfirm }: { readonly recipient: Recipient; readonly onConfirm: (() => void) | null }) {
  const { state, test, heldUntil, confirmedAt, confirmedBy } = recipient;
  const [tone, text] = heldUntil === null ? STATES[state] : (["wait", "New"] as const);
  return (
    <span className="grid justify-items-start gap-1">
      <Badge tone={tone}>{text}</Badge>
      <span className="text-small text-soft">
        {heldUntil === null ? null : (
          <>
            It can be paid from <Time at={heldUntil} /> on.
          </>
        )}
        {state === "untried" && heldUntil === null ? "Offer a test payment before a buyer pays to it." : null}
        {state === "waiting" && test?.checkoutUrl != null ? <CheckoutLink url={test.checkoutUrl} /> : null}
        {state === "in_escrow" ? (
          <>
            It can be settled from <Time at={test?.protectionDeadline ?? null} /> on.
          </>
        ) : null}
        {state === "arrived"
          ? "The test payment has left the escrow. Only you can tell whether it is in your wallet."
          : null}
        {state === "failed" ? "Nothing reached the wallet. Offer another." : null}
        {state === "tried" ? (
          <>
            {confirmedBy} found the test payment, <Time at={confirmedAt} />
          </>
        ) : null}
      </span>
      {state === "arrived" && onConfirm !== null ? <Button onClick={onConfirm}>It is there</Button> : null}
    </span>
  );
}
