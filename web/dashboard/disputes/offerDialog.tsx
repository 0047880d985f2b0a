import { Select, TextArea, TextField } from "@holdfast/ui/field.tsx";
import { showToast } from "@holdfast/ui/toast.tsx";
import { useState } from "react";
import { write } from "../api/queries.ts";
import * as texts from "../catalogue/index.ts";
import { DialogButton } from "../forms/buttons.tsx";
import { FormDialog } from "../forms/dialogs.tsx";
import { useEnvironmentTime } from "../shell/environmentTime.ts";
import { useTenant } from "../shell/tenant.ts";
import { can, isOfferOpen, parseTotal } from "./dispute.ts";
import { type DisputeProps, Shares } from "./shares.tsx";

const DAY_MS = 86_400_000;
/** The service's default, which it counts by the chain's clock: the page leaves it out. */
const DEFAULT_DAYS = "7";
const SENTENCE_CHARACTERS_MAX = 500;

/** The button that opens the dialog of an offer; nothing if no offer can be made. */
export function OfferButton({ children, ...props }: DisputeProps & { readonly children: string }) {
  const { may } = useTenant();
  if (!may("answer_disputes") || !can(props.dispute, "offer")) return null;
  return <DialogButton dialog={(close) => <OfferDialog {...props} onClose={close} />}>{children}</DialogButton>;
}

/** An offer of the business, which names both amounts before it is made. */
function OfferDialog({ onClose, ...props }: DisputeProps & { readonly onClose: () => void }) {
  const { dispute, amount, refundTotal, token } = props;
  const { path } = useTenant();
  const now = useEnvironmentTime();
  const [typed, setTyped] = useState("");
  const [isChecked, setChecked] = useState(false);
  const labels = texts.disputes.offer;
  const { offering } = texts.disputes.side;
  const total = parseTotal(typed, token.decimals ?? 0, { amount, refundTotal });
  const [least, most] = [token.show(refundTotal), token.show(amount)];
  return (
    <FormDialog
      title={offering.make}
      text={isOfferOpen(dispute) ? `${labels.dialogText} ${offering.replaces}` : labels.dialogText}
      submitText={total === null ? labels.submitEmpty : labels.submit(token.gain(total, refundTotal))}
      onClose={onClose}
      onSubmit={async ({ text = "", days }) => {
        setChecked(true);
        if (total === null || now === null) return;
        const sentence = text.trim() === "" ? {} : { text: text.trim() };
        const end = Math.min(Date.parse(now) + Number(days) * DAY_MS, Date.parse(dispute.resolveBy));
        const until = days === DEFAULT_DAYS ? {} : { until: new Date(end).toISOString() };
        await write("makeDisputeOffer", {
          path: { ...path, dispute: dispute.id },
          body: { total, ...sentence, ...until },
        });
        onClose();
        showToast(labels.made);
      }}
    >
      <TextField
        label={labels.total(token.text(amount).unit)}
        name="total"
        inputMode="decimal"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        hint={refundTotal === "0" ? labels.totalHint(most) : labels.returnedHint(least, most)}
        error={isChecked && total === null ? labels.invalid(least, most) : null}
      />
      <div role="status">
        {total === null ? null : <Shares total={total} amount={amount} before={refundTotal} token={token} />}
      </div>
      <TextArea label={offering.sentence} name="text" rows={2} maxLength={SENTENCE_CHARACTERS_MAX} />
      <Select label={labels.ends} name="days" defaultValue={DEFAULT_DAYS} options={Object.entries(labels.endings)} />
    </FormDialog>
  );
}
