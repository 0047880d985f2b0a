import { Button } from "@holdfast/ui/button.tsx";
import { Dialog } from "@holdfast/ui/dialog.tsx";
import { TextArea, TextField } from "@holdfast/ui/field.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, write } from "../api/queries.ts";
import type { PaymentIntent } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { Form } from "../forms/form.tsx";
import { QueryState } from "../shell/queryState.tsx";
import { useTenant } from "../shell/tenant.ts";
import { BatchDialog } from "./batch.tsx";
import { noteOf } from "./note.ts";
import { Ready } from "./ready.tsx";
import { PeriodField, priceOrAmount, RecipientField, ValueFields } from "./terms.tsx";

/** Opens the dialog by which a member asks a buyer for money (§13.18). Nothing for members who may not. */
export function NewPaymentButton() {
  const { may } = useTenant();
  return may("create_payments") ? (
    <DialogButton kind="primary" dialog={(close) => <NewPayment onClose={close} />}>
      {texts.newPayment.open}
    </DialogButton>
  ) : null;
}

export function NewPayment({ onClose }: { readonly onClose: () => void }) {
  const { path } = useTenant();
  const tokens = useQuery(read("listPayableAssets", { path }));
  const [made, setMade] = useState<PaymentIntent | null>(null);
  const [isSeveral, setSeveral] = useState(false);
  if (isSeveral) return <BatchDialog onClose={onClose} />;
  if (made !== null) return <Ready intent={made} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title={texts.newPayment.title} text={texts.newPayment.text}>
      <QueryState query={tokens}>
        {({ data }) => (
          <Form
            submitText={texts.newPayment.create}
            onCancel={onClose}
            onSubmit={async ({ amount, price, unit, merchantReference = "", description = "", ...terms }) => {
              const body = {
                ...(terms as Pick<PaymentIntent, "asset" | "protectionPeriod" | "recipient">),
                ...priceOrAmount({ amount, price, unit }),
                merchantReference: merchantReference.trim(),
                description: noteOf(description),
              };
              setMade((await write("createPaymentIntent", { path, body })).intent);
            }}
          >
            <ValueFields tokens={data} autoFocus />
            <TextField
              label={texts.newPayment.reference}
              name="merchantReference"
              autoComplete="off"
              placeholder={texts.newPayment.referenceExample}
              hint={texts.newPayment.referenceHint}
            />
            <TextArea label={texts.newPayment.note} name="description" rows={2} />
            <PeriodField />
            <RecipientField />
            <Button kind="quiet" className="justify-self-start" onClick={() => setSeveral(true)}>
              {texts.newPayment.several}
            </Button>
          </Form>
        )}
      </QueryState>
    </Dialog>
  );
}
