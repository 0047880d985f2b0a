import type { ChainPayment, DuePart } from "../../chain/port.ts";
import { DISPUTE_LAPSE_MS } from "../payments/payment.ts";

/** A record may be closed this long after its last part left. */
const RETENTION_MS = 90 * 86_400_000;

/** The sides that the program would pay now. */
export function dueSides(payment: ChainPayment, now: Date): ("sender" | "recipient")[] {
  const [amount, refundTotal] = [BigInt(payment.amount), BigInt(payment.refundTotal)];
  const [refunded, released] = [BigInt(payment.amountRefunded), BigInt(payment.amountReleased)];
  const { outcome, disputedAt, protectionDeadline } = payment;
  const isLapsed = disputedAt !== null && now.getTime() >= disputedAt.getTime() + DISPUTE_LAPSE_MS;
  const isSettling = disputedAt === null && now >= protectionDeadline;
  const total = outcome === null && isLapsed ? amount : refundTotal;
  const isRecipientsTurn = outcome !== null || isSettling;
  return [
    ...(total > refunded ? (["sender"] as const) : []),
    ...(isRecipientsTurn && amount - refundTotal > released ? (["recipient"] as const) : []),
  ];
}

/**
 * The closing of a record, once its retention is over. A vault that is still open, or was opened again, is swept
 * first: the rent payer's signature would close the record despite it, and its tokens would be lost.
 */
export function closingParts(payment: ChainPayment, now: Date): DuePart[] {
  const endedAtMs = Math.max(payment.settledAt?.getTime() ?? 0, payment.refundedAt?.getTime() ?? 0);
  if (now.getTime() < endedAtMs + RETENTION_MS) return [];
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
