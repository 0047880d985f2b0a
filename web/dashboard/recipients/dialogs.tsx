import { Notice } from "@holdfast/ui/badge.tsx";
import { Button } from "@holdfast/ui/button.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextField } from "@holdfast/ui/field.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, call } from "../api/client.ts";
import { read, write } from "../api/queries.ts";
import type { Recipient, RecipientCheck } from "../api/schema.ts";
import { useAction } from "../api/useAction.ts";
import { Form } from "../forms/form.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { GroupedAddress } from "./address.tsx";
import { parseAmount } from "./amount.ts";

interface DialogProps {
  readonly recipient: Recipient;
  readonly onClose: () => void;
}

/** Asks for the address, has it compared, keeps it, and offers a test payment before it is used. */
export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const { path, environment } = useTenant();
  const [asked, setAsked] = useState<{ readonly address: string; readonly label: string } | null>(null);
  const [check, setCheck] = useState<RecipientCheck | null>(null);
  const [added, setAdded] = useState<Recipient | null>(null);
  if (added !== null && added.heldUntil === null) return <TestDialog recipient={added} onClose={onClose} isNew />;
  if (added !== null) return <HeldDialog recipient={added} onClose={onClose} />;
  if (asked !== null && check !== null)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="Compare the address"
        text="Compare it, group by group, with the address that your wallet shows. Money that goes to a wrong address is lost."
      >
        <p className="rounded-small border border-line bg-paper px-3 py-2 text-lead">
          <GroupedAddress address={asked.address} />
        </p>
        <Form
          submitText="Add"
          onCancel={() => setCheck(null)}
          onSubmit={async (values) => {
            if (values.compared !== "on") throw unread("Compare the address first, and say that you did.");
            if (check.warnings.some(({ code }) => values[code] !== "on"))
              throw unread("Read each warning, and say that the address is right all the same.");
            const accepted = check.warnings.map(({ code }) => code);
            try {
              setAdded(await write("addRecipient", { path, body: { ...asked, accepted } }));
            } catch (error) {
              // The chain says something else than a moment ago: it is shown, to be read as well.
              if (error instanceof ApiError && error.reason === "recipient_doubtful")
                setCheck(await call("checkRecipient", { path, body: { address: asked.address } }));
              throw error;
            }
          }}
        >
          {() => (
            <fieldset className="grid gap-3 border-0 p-0">
              <legend className="sr-only">Before it is added</legend>
              {check.warnings.map(({ code, text }) => (
                <Notice key={code} tone="wait">
                  <p>{text}</p>
                  <Check name={code} text="It is right all the same" />
                </Notice>
              ))}
              <Check name="compared" text="All groups are those that my wallet shows" />
            </fieldset>
          )}
        </Form>
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Add a ${environment} recipient`}
      text="A wallet that the business is paid to."
    >
      <Form
        submitText="Check"
        onCancel={onClose}
        onSubmit={async ({ label = "", address = "" }) => {
          const given = { label: label.trim(), address: address.trim() };
          setAsked(given);
          const found = await call("checkRecipient", { path, body: { address: given.address } });
          if (found.problem !== null) throw unread(found.problem, "address");
          setCheck(found);
        }}
      >
        {(errorOf) => (
          <>
            <TextField
              label="Label"
              name="label"
              required
              defaultValue={asked?.label}
              placeholder="Treasury"
              hint="What your team calls it. Buyers never see it."
              error={errorOf("label")}
            />
            <TextField
              label="Address"
              name="address"
              defaultValue={asked?.address}
              autoComplete="off"
              spellCheck={false}
              hint="Of the wallet, not of its token account. Copy it from the wallet; do not type it."
              error={errorOf("address")}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** It cannot be paid yet, so there is nothing to try. */
const HeldDialog = ({ recipient: { label, heldUntil }, onClose }: DialogProps) => (
  <Dialog isOpen onClose={onClose} title={`${label} was added`}>
    <p>
      It can be paid from <Time at={heldUntil} /> on. Try it with a small payment then. Every owner is informed by
      e-mail.
    </p>
    <Actions>
      <Button onClick={onClose}>Done</Button>
    </Actions>
  </Dialog>
);

/** What the page itself says no to, shown as an answer of the service would be. */
const unread = (message: string, param?: string) =>
  new ApiError(0, { code: "invalid_request", message, ...(param === undefined ? {} : { param }) }, null);

const Check = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <label className="flex items-center gap-2">
    <input type="checkbox" name={name} />
    {text}
  </label>
);

export function TestDialog({ recipient, onClose, isNew = false }: DialogProps & { readonly isNew?: boolean }) {
  const { path, environment } = useTenant();
  const assets = useQuery(read("listTestAssets", { path }));
  const [tested, setTested] = useState<Recipient | null>(null);
  if (tested !== null && tested.test?.checkoutUrl != null)
    return (
      <Dialog isOpen onClose={onClose} title="The test payment is ready" text={`To ${tested.label}`}>
        <p>
          Pay it from any wallet you have. The money waits in the escrow for an hour, unless you release it earlier;
          then it is in your wallet. Look for it there, and say here that you found it.
        </p>
        <Actions>
          <Button onClick={onClose}>Later</Button>
          <CheckoutLink url={tested.test.checkoutUrl} />
        </Actions>
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isNew ? `${recipient.label} was added. Try it first?` : `A test payment to ${recipient.label}`}
      text="Send the wallet a small amount and find it there before a buyer pays to it. Only that shows that the address is yours: the chain pays to a mistyped one, too."
    >
      <QueryState query={assets}>
        {({ data }) =>
          data.length === 0 ? (
            <>
              <EmptyState title="No token is known yet">
                Create a first {environment} payment intent; its token can then be chosen here.
              </EmptyState>
              <Actions>
                <Button onClick={onClose}>Later</Button>
              </Actions>
            </>
          ) : (
            <Form
              submitText="Make the test payment"
              onCancel={onClose}
              onSubmit={async ({ asset = "", amount = "" }) => {
                const units = parseAmount(amount, data.find(({ id }) => id === asset)?.decimals ?? 0);
                if (units === null) throw unread("Expected an amount such as 0.01.", "amount");
                const body = { asset, amount: units };
                setTested(await write("testRecipient", { path: { ...path, recipient: recipient.id }, body }));
              }}
            >
              {(errorOf) => (
                <>
                  <TextField
                    label="Amount"
                    name="amount"
                    inputMode="decimal"
                    defaultValue="0.01"
                    error={errorOf("amount")}
                  />
                  <Select
                    label="Token"
                    name="asset"
                    options={data.map(
                      ({ id, symbol }) => [id, `${symbol} (${id.slice(0, 4)}…${id.slice(-4)})`] as const,
                    )}
                    hint="Your webhooks hear of it as of any intent; its reference begins with test-payment-."
                    error={errorOf("asset")}
                  />
                </>
              )}
            </Form>
          )
        }
      </QueryState>
    </Dialog>
  );
}

export const CheckoutLink = ({ url }: { readonly url: string }) => (
  <a href={url} target="_blank" rel="noopener" className="self-center font-medium">
    Open the checkout
  </a>
);

export function ConfirmDialog({ recipient, onClose }: DialogProps) {
  const { path } = useTenant();
  const confirm = useAction({
    run: () => write("confirmRecipient", { path: { ...path, recipient: recipient.id } }),
    said: "The recipient is tried.",
    done: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Is the test payment in ${recipient.label}?`}
      text="Look into the wallet itself, not only at the chain: a stranger's address is paid just as well."
    >
      <GroupedAddress address={recipient.id} />
      <Actions>
        <Button onClick={onClose}>Not yet</Button>
        <Button kind="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
          I see it in the wallet
        </Button>
      </Actions>
    </Dialog>
  );
}

export function RenameDialog({ recipient, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <Dialog isOpen onClose={onClose} title={`Rename ${recipient.label}`}>
      <Form
        submitText="Rename"
        onCancel={onClose}
        onSubmit={async ({ label = "" }) => {
          await write("renameRecipient", { path: { ...path, recipient: recipient.id }, body: { label: label.trim() } });
          onClose();
        }}
      >
        {(errorOf) => <TextField label="Label" name="label" defaultValue={recipient.label} error={errorOf("label")} />}
      </Form>
    </Dialog>
  );
}

export function RemoveDialog({ recipient, onClose }: DialogProps) {
  const { path } = useTenant();
  const remove = useAction({
    run: () => write("removeRecipient", { path: { ...path, recipient: recipient.id } }),
    said: "The recipient was removed.",
    done: onClose,
  });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Remove ${recipient.label}?`}
      text="Payments to it go on. Where API keys may name saved recipients only, they cannot name it any more, and once added again it can be paid only after 24 hours."
    >
      <Actions>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      </Actions>
    </Dialog>
  );
}
