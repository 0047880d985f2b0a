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
import { LIMITS, type Recipient, type RecipientCheck } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { ConfirmDialog, FormDialog } from "../forms/dialogs.tsx";
import { Form } from "../forms/form.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { GroupedAddress } from "./address.tsx";
import { parseAmount } from "./amount.ts";

interface DialogProps {
  readonly recipient: Recipient;
  readonly onClose: () => void;
}

/** Asks for an address, has the user compare it, saves it, and offers a test payment before it is used. */
export function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const { path, environment } = useTenant();
  const [asked, setAsked] = useState<{ readonly address: string; readonly label: string } | null>(null);
  const [check, setCheck] = useState<RecipientCheck | null>(null);
  const [added, setAdded] = useState<Recipient | null>(null);
  if (added !== null && added.heldUntil === null) return <TestDialog recipient={added} onClose={onClose} isNew />;
  if (added !== null) return <HeldDialog recipient={added} onClose={onClose} />;
  if (asked !== null && check !== null)
    return (
      <Dialog isOpen onClose={onClose} title={texts.recipients.compareTitle} text={texts.recipients.compareText}>
        <p className="rounded-small border border-line bg-paper px-3 py-2 text-lead">
          <GroupedAddress address={asked.address} />
        </p>
        <Form
          submitText={texts.recipients.add}
          onCancel={() => setCheck(null)}
          cancelText={texts.common.back}
          onSubmit={async (values) => {
            if (values.compared !== "on") throw unread(texts.recipients.compareFirst);
            if (check.warnings.some(({ code }) => values[code] !== "on")) throw unread(texts.recipients.warningsFirst);
            const accepted = check.warnings.map(({ code }) => code);
            try {
              setAdded(await write("addRecipient", { path, body: { ...asked, accepted } }));
            } catch (error) {
              // The chain has changed since the check: show its new warnings.
              if (error instanceof ApiError && error.reason === "recipient_doubtful")
                setCheck(await call("checkRecipient", { path, body: { address: asked.address } }));
              throw error;
            }
          }}
        >
          <fieldset className="grid gap-3 border-0 p-0">
            <legend className="sr-only">{texts.recipients.confirmations}</legend>
            {check.warnings.map(({ code, text }) => (
              <Notice key={code} tone="wait">
                <p>{text}</p>
                <Check name={code} text={texts.recipients.acceptWarning} />
              </Notice>
            ))}
            <Check name="compared" text={texts.recipients.compared} />
          </fieldset>
        </Form>
      </Dialog>
    );
  return (
    <Dialog isOpen onClose={onClose} title={texts.recipients.addTitle(environment)} text={texts.recipients.addText}>
      <Form
        submitText={texts.recipients.check}
        onCancel={onClose}
        onSubmit={async ({ label = "", address = "" }) => {
          const given = { label: label.trim(), address: address.trim() };
          setAsked(given);
          const found = await call("checkRecipient", { path, body: { address: given.address } });
          if (found.problem !== null) throw unread(found.problem, "address");
          setCheck(found);
        }}
      >
        <TextField
          label={texts.recipients.label}
          name="label"
          required
          defaultValue={asked?.label}
          placeholder={texts.recipients.labelExample}
          hint={texts.recipients.labelHint}
        />
        <TextField
          label={texts.common.address}
          name="address"
          defaultValue={asked?.address}
          autoComplete="off"
          spellCheck={false}
          hint={texts.recipients.addressHint}
        />
      </Form>
    </Dialog>
  );
}

/** The new recipient cannot be paid yet, so a test payment is not offered. */
const HeldDialog = ({ recipient: { label, heldUntil }, onClose }: DialogProps) => (
  <Dialog isOpen onClose={onClose} title={texts.recipients.addedTitle(label)}>
    <p>
      <Filled text={texts.recipients.addedHeld} slots={{ time: <Time at={heldUntil} /> }} />
    </p>
    <Actions>
      <Button onClick={onClose}>{texts.common.done}</Button>
    </Actions>
  </Dialog>
);

/** An error of the page itself, shown like one of the service. */
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
      <Dialog
        isOpen
        onClose={onClose}
        title={texts.recipients.test.readyTitle}
        text={texts.recipients.test.readyTo(tested.label)}
      >
        <p>{texts.recipients.test.readyText}</p>
        <Actions>
          <Button onClick={onClose}>{texts.recipients.later}</Button>
          <CheckoutLink url={tested.test.checkoutUrl} />
        </Actions>
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isNew ? texts.recipients.test.titleNew(recipient.label) : texts.recipients.test.title(recipient.label)}
      text={texts.recipients.test.text}
    >
      <QueryState query={assets}>
        {({ data }) =>
          data.length === 0 ? (
            <>
              <EmptyState title={texts.recipients.test.noTokens}>
                {texts.recipients.test.noTokensText(environment)}
              </EmptyState>
              <Actions>
                <Button onClick={onClose}>{texts.recipients.later}</Button>
              </Actions>
            </>
          ) : (
            <Form
              submitText={texts.recipients.test.create}
              onCancel={onClose}
              onSubmit={async ({ asset = "", amount = "" }) => {
                const units = parseAmount(amount, data.find(({ id }) => id === asset)?.decimals ?? 0);
                if (units === null) throw unread(texts.recipients.test.amountInvalid, "amount");
                const body = { asset, amount: units };
                setTested(await write("testRecipient", { path: { ...path, recipient: recipient.id }, body }));
              }}
            >
              <TextField label={texts.common.amount} name="amount" inputMode="decimal" defaultValue="0.01" />
              <Select
                label={texts.recipients.test.token}
                name="asset"
                options={data.map(({ id, symbol }) => [id, `${symbol} (${id.slice(0, 4)}…${id.slice(-4)})`] as const)}
                hint={texts.recipients.test.tokenHint}
              />
            </Form>
          )
        }
      </QueryState>
    </Dialog>
  );
}

export const CheckoutLink = ({ url }: { readonly url: string }) => (
  <a href={url} target="_blank" rel="noopener" className="self-center font-medium">
    {texts.recipients.test.openCheckout}
  </a>
);

export function ConfirmTestDialog({ recipient, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <ConfirmDialog
      title={texts.recipients.test.confirmTitle(recipient.label)}
      text={texts.recipients.test.confirmText}
      submitText={texts.recipients.test.confirm}
      cancelText={texts.recipients.test.notYet}
      kind="primary"
      run={() => write("confirmRecipient", { path: { ...path, recipient: recipient.id } })}
      said={texts.recipients.test.confirmed}
      onClose={onClose}
    >
      <GroupedAddress address={recipient.id} />
    </ConfirmDialog>
  );
}

export function RenameDialog({ recipient, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <FormDialog
      title={texts.recipients.renameTitle(recipient.label)}
      submitText={texts.recipients.rename}
      onClose={onClose}
      onSubmit={async ({ label = "" }) => {
        await write("renameRecipient", { path: { ...path, recipient: recipient.id }, body: { label: label.trim() } });
        onClose();
      }}
    >
      <TextField label={texts.recipients.label} name="label" defaultValue={recipient.label} />
    </FormDialog>
  );
}

export function RemoveDialog({ recipient, onClose }: DialogProps) {
  const { path } = useTenant();
  return (
    <ConfirmDialog
      title={texts.recipients.removeTitle(recipient.label)}
      text={texts.recipients.removeText(LIMITS.recipientHoldHours)}
      submitText={texts.recipients.remove}
      run={() => write("removeRecipient", { path: { ...path, recipient: recipient.id } })}
      said={texts.recipients.removed}
      onClose={onClose}
    />
  );
}
