import { Button } from "@holdfast/ui/button.tsx";
import { CopyButton } from "@holdfast/ui/copy.tsx";
import { Actions, Dialog } from "@holdfast/ui/dialog.tsx";
import { Select, TextArea, TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, write } from "../api/queries.ts";
import type { NewPaymentLink, PaymentLink } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { ConfirmDialog } from "../forms/dialogs.tsx";
import { Form } from "../forms/form.tsx";
import { noteOf } from "../newPayment/note.ts";
import { PeriodField, priceOrAmount, RecipientField, ValueFields } from "../newPayment/terms.tsx";
import { QrCode } from "../objects/qrCode.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";

const HOURS = { none: null, day: 24, week: 168, month: 720, year: 8_760 } as const;
const HOURS_CHOICES = Object.entries(texts.links.hoursChoices);

/** Creates a payment link, then shows it (§13.21). */
export function NewLinkDialog({ onClose }: { readonly onClose: () => void }) {
  const { path } = useTenant();
  const tokens = useQuery(read("listPayableAssets", { path }));
  const [made, setMade] = useState<PaymentLink | null>(null);
  if (made !== null) return <LinkDialog link={made} title={texts.links.readyTitle} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={texts.links.createTitle} text={texts.links.createText}>
      <QueryState query={tokens}>
        {({ data }) => (
          <Form
            submitText={texts.links.submit}
            onCancel={onClose}
            onSubmit={async ({
              title = "",
              amount,
              price,
              unit,
              description = "",
              seatsMax = "",
              hours = "none",
              locale,
              ...terms
            }) => {
              const limit = seatsMax.trim();
              const body = {
                ...(terms as Pick<NewPaymentLink, "asset" | "protectionPeriod" | "recipient">),
                title: title.trim(),
                ...(unit === "" ? { amount: amount?.trim() || null } : priceOrAmount({ amount, price, unit })),
                description: noteOf(description),
                locale: locale?.trim() || null,
                // What is no number is refused by the service, at its field.
                seatsMax: limit === "" ? null : Number(limit),
                hours: HOURS[hours as keyof typeof HOURS],
              };
              setMade(await write("createPaymentLink", { path, body }));
            }}
          >
            <TextField
              label={texts.links.titleLabel}
              name="title"
              autoComplete="off"
              placeholder={texts.links.titleExample}
              hint={texts.links.titleHint}
              autoFocus
            />
            <ValueFields tokens={data} amountHint={texts.links.amountHint} />
            <TextArea label={texts.newPayment.note} name="description" rows={2} />
            <TextField
              label={texts.links.limit}
              name="seatsMax"
              inputMode="numeric"
              autoComplete="off"
              hint={texts.links.limitHint}
            />
            <Select label={texts.links.hours} name="hours" options={HOURS_CHOICES} />
            <PeriodField />
            <TextField label={texts.links.locale} name="locale" autoComplete="off" hint={texts.links.localeHint} />
            <RecipientField />
          </Form>
        )}
      </QueryState>
    </Dialog>
  );
}

interface LinkDialogProps {
  readonly link: PaymentLink;
  readonly onClose: () => void;
}

/** The link itself, as a code and to copy. */
export const LinkDialog = ({
  link: { title, url },
  onClose,
  ...given
}: LinkDialogProps & { readonly title?: string }) => (
  <Dialog isOpen onClose={onClose} title={given.title ?? texts.links.shareTitle(title)} text={texts.links.shareText}>
    <div data-prints className="grid justify-items-center gap-2">
      <QrCode text={url} label={texts.links.code} />
      <b className="break-words text-lead font-semibold">{title}</b>
    </div>
    <code translate="no" data-copy="link" className="break-all rounded-small border border-line bg-paper px-3 py-2">
      {url}
    </code>
    <Actions>
      <Button onClick={() => window.print()}>{texts.links.print}</Button>
      <Button onClick={onClose}>{texts.common.done}</Button>
      <CopyButton kind="primary" text={url} label={texts.links.copy} />
    </Actions>
  </Dialog>
);

export function CloseDialog({ link: { id, title }, onClose }: LinkDialogProps) {
  const { path } = useTenant();
  return (
    <ConfirmDialog
      title={texts.links.closeTitle(title)}
      text={texts.links.closeText}
      submitText={texts.links.close}
      run={() => write("closePaymentLink", { path: { ...path, link: id } })}
      said={texts.links.closed}
      onClose={onClose}
    />
  );
}
