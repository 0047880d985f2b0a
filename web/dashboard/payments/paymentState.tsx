import { Notice, type Tone } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { Payment } from "../api/schema.ts";
import { useAmounts } from "../objects/amount.tsx";

/** The decision on who gets what, by outcome. */
const OUTCOMES: Readonly<Record<NonNullable<Payment["outcome"]>, string>> = {
  released_by_sender: "The buyer released it.",
  settled: "Nobody disputed it in time.",
  resolved: "The arbiter decided.",
  refunded_by_recipient: "The recipient gave it back.",
  refunded_unresolved: "The arbiter did not decide in time.",
};

/** A payment's state in a word: of one that ended in parts, and of one that is decided and has a part to send, too. */
export function stateOf({ status, outcome, amountRefunded }: Payment): readonly [Tone, string] {
  if (status === "refunded") return ["wait", "Refunded"];
  const isInParts = amountRefunded !== "0";
  if (status === "released") return isInParts ? ["wait", "Partly refunded"] : ["good", "Released"];
  if (outcome !== null) return ["info", "Decided"];
  if (status === "disputed") return ["bad", "In dispute"];
  return isInParts ? ["wait", "Protected, partly refunded"] : ["good", "Protected"];
}

/** A notice on how a payment goes on, or how it ended: who is next, until when, and what follows if nobody does anything. */
export function PaymentNotice({ payment }: { readonly payment: Payment }) {
  const show = useAmounts([payment.asset]);
  if (show === null) return null;
  const [tone] = stateOf(payment);
  return (
    <Notice tone={tone === "good" ? "neutral" : tone}>
      <p className="max-w-text">{explain(payment, (amount) => show(amount, payment.asset))}</p>
    </Notice>
  );
}

function explain(payment: Payment, show: (amount: string) => string): ReactNode {
  const { status, outcome, amount, refundTotal, amountReleased, amountRefunded } = payment;
  const minus = (part: string) => show(String(BigInt(amount) - BigInt(part)));
  const how = outcome === null ? "" : OUTCOMES[outcome];
  if (status === "refunded")
    return (
      <>
        {how} {show(amountRefunded)} went back to the buyer, the last of it on <Time at={payment.refundedAt} />.
      </>
    );
  if (status === "released")
    return (
      <>
        {how} {show(amountReleased)} went to the recipient on <Time at={payment.settledAt} />
        {amountRefunded === "0" ? "" : `, and ${show(amountRefunded)} went back to the buyer`}.
      </>
    );
  if (outcome !== null)
    return `${how} Of ${show(amount)}, ${show(refundTotal)} goes to the buyer and ${minus(refundTotal)} to the recipient. The service's keeper sends what has not left yet; anybody else may.`;
  if (payment.resolveBy !== null)
    return (
      <>
        The buyer disputed it on <Time at={payment.disputedAt} />. The arbiter{" "}
        <code className="break-all">{payment.arbiter}</code> has until <Time at={payment.resolveBy} /> to decide who
        gets {minus(amountRefunded)}; after that, anybody may have it sent back to the buyer. Until then the recipient
        may give it back, and the buyer may release it.
      </>
    );
  if (payment.settleable)
    return `The time to dispute is over, and ${minus(refundTotal)} is due to the recipient. The service's keeper sends it; anybody else may.`;
  return (
    <>
      The buyer may dispute it until <Time at={payment.protectionDeadline} />. If nobody does, {minus(refundTotal)} goes
      to the recipient after that.
    </>
  );
}
