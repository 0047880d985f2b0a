import { Notice } from "@holdfast/ui/badge.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import type { ReactNode } from "react";
import type { Payment } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { useAmounts } from "../objects/amount.tsx";
import { stateOf } from "./paymentWord.ts";

/** A notice about a payment's next step, or its end: who can act, until when, and the result otherwise. */
export function PaymentNotice({ payment }: { readonly payment: Payment }) {
  const show = useAmounts([payment.asset]);
  if (show === null) return null;
  const { tone } = stateOf(payment);
  return (
    <Notice tone={tone === "wait" ? tone : "neutral"}>
      <p className="max-w-text">{explain(payment, (amount) => show(amount, payment.asset))}</p>
    </Notice>
  );
}

function explain(payment: Payment, show: (amount: string) => string): ReactNode {
  const { status, outcome, amount, refundTotal, amountReleased, amountRefunded } = payment;
  const minus = (part: string) => show(String(BigInt(amount) - BigInt(part)));
  const decision = outcome === null ? "" : `${texts.payments.outcomes[outcome]} `;
  const filled = (text: string, slots: Readonly<Record<string, ReactNode>>) => (
    <Filled text={`${decision}${text}`} slots={slots} />
  );
  if (status === "refunded")
    return filled(texts.payments.refundedText(show(amountRefunded)), { time: <Time at={payment.refundedAt} /> });
  if (status === "released") {
    const text =
      amountRefunded === "0"
        ? texts.payments.releasedText(show(amountReleased))
        : texts.payments.releasedInPart(show(amountReleased), show(amountRefunded));
    return filled(text, { time: <Time at={payment.settledAt} /> });
  }
  if (outcome !== null)
    return `${decision}${texts.payments.decidedText(show(amount), show(refundTotal), minus(refundTotal))}`;
  if (payment.resolveBy !== null)
    return filled(texts.payments.disputedText(minus(amountRefunded)), {
      disputedAt: <Time at={payment.disputedAt} />,
      arbiter: (
        <code translate="no" className="break-all">
          {payment.arbiter}
        </code>
      ),
      resolveBy: <Time at={payment.resolveBy} />,
    });
  if (payment.settleable) return texts.payments.settleableText(minus(refundTotal));
  return filled(texts.payments.protectedText(minus(refundTotal)), {
    deadline: <Time at={payment.protectionDeadline} />,
  });
}
