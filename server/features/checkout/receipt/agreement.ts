import { endsWithLapse as isLast } from "@holdfast/ui/disputeStatus.ts";
import { resolveByOf } from "../../../chain/acts.ts";
import type { ReceiptCatalogue } from "../languages/language.ts";
import type { ReceiptState, ReceiptView, ShownAgreement } from "./receipt.ts";

/** A view with an agreement that both sides are to carry out. */
type Agreed = ReceiptView & { readonly agreement: ShownAgreement };

/** True while the chain does not show all of what both agreed, and still can in time. */
export const isAwaited = (view: ReceiptView): view is Agreed =>
  view.agreement !== null && view.agreement.executedAt === null && view.agreement.failedAt === null;

/** The headline names the amount of each side, and whose step is next. */
export function agreedHeadline(
  texts: ReceiptCatalogue,
  { payment, agreement }: Agreed,
  { show, amount }: { readonly show: (amount: bigint) => string; readonly amount: bigint },
) {
  const total = BigInt(agreement.total);
  const next = BigInt(payment.refundTotal) < total ? texts.agreedNext.shop : texts.agreedNext.you;
  return { title: texts.agreed, text: `${texts.agreedParts(show(total), show(amount - total))} ${next}` };
}

export const agreedClock = ({ clocks, began }: ReceiptCatalogue, { agreement: { agreedAt, until } }: Agreed) => ({
  ...{ label: clocks.agreed, began: began.agreed, from: agreedAt, until },
});

/** The result if nobody acts. */
export function silenceOf({ silence }: ReceiptCatalogue, view: ReceiptView, state: ReceiptState): string | null {
  if (state === "disputed" && isAwaited(view)) return endsWithLapse(view) ? silence.agreedLast : silence.agreed;
  return state in silence ? silence[state as keyof typeof silence] : null;
}

/** True if nobody can decide any more once the agreement fails. */
export function endsWithLapse(view: ReceiptView): boolean {
  const resolveBy = resolveByOf(view.payment);
  return isAwaited(view) && resolveBy !== null && isLast({ agreement: view.agreement, resolveBy });
}
