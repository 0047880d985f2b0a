import { actNamed, isPossible, PAYMENT_ACTS } from "../../chain/acts.ts";
import type { ChainPayment, DuePart } from "../../chain/port.ts";

const SIDES = ["sender", "recipient"] as const;

/** The sides that the program would pay now. */
export const dueSides = (payment: ChainPayment, now: Date): ("sender" | "recipient")[] => {
  const due = PAYMENT_ACTS.filter((act) => actNamed(act).signer === null && isPossible(payment, act, now));
  return SIDES.filter((side) => due.some((act) => actNamed(act).pays.includes(side)));
};

/**
 * The closing of a record, once its retention is over. A vault that is still open, or was opened again, is swept
 * first: the rent payer's signature would close the record despite it, and its tokens would be lost.
 */
export function closingParts(payment: ChainPayment, now: Date): DuePart[] {
  if (!isPossible(payment, "close", now)) return [];
  return [
    { payment, side: payment.status === "released" ? "recipient" : "sender" },
    { payment, side: "record" },
  ];
}

/** The parts of one transaction. */
export interface Bundle {
  readonly parts: readonly DuePart[];
  /** True if a part may leave without the one before it. */
  readonly isDivisible: boolean;
}

/**
 * Packs payments into as few transactions as `fits` allows. A payment that was tried before goes alone, part by part:
 * it may be what made its transaction fail, on chain too, and the others would pay for that again.
 */
export function bundle(
  due: readonly { readonly parts: readonly DuePart[]; readonly isRetry: boolean }[],
  fits: (parts: readonly DuePart[]) => boolean,
): Bundle[] {
  const bundles: Bundle[] = [];
  let open: DuePart[] = [];
  const shut = () => {
    if (open.length > 0) bundles.push({ parts: open, isDivisible: true });
    open = [];
  };
  for (const { parts } of due.filter(({ isRetry }) => !isRetry)) {
    if (!fits([...open, ...parts])) shut();
    open.push(...parts);
  }
  shut();
  for (const { parts } of due.filter(({ isRetry }) => isRetry))
    for (const part of parts) bundles.push({ parts: [part], isDivisible: true });
  return bundles;
}
