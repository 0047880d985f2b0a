import type { Payment } from "../api/schema.ts";

/** The figures of a payment that say where its money is, in smallest units. */
export type Figures = Pick<Payment, "amount" | "refundTotal" | "amountRefunded" | "amountReleased" | "outcome">;

/** A payment's amount by where it is, in smallest units; the five add up to it. */
export interface Split {
  readonly returned: bigint;
  /** Bound to the buyer, but still in the escrow. */
  readonly returning: bigint;
  /** In the escrow, bound to nobody. */
  readonly held: bigint;
  /** Decided for the recipient, but still in the escrow. */
  readonly releasing: bigint;
  readonly released: bigint;
}

export function splitOf({ amount, refundTotal, amountRefunded, amountReleased, outcome }: Figures): Split {
  const [all, bound] = [BigInt(amount), BigInt(refundTotal)];
  const [returned, released] = [BigInt(amountRefunded), BigInt(amountReleased)];
  const rest = all - bound - released;
  return {
    returned,
    returning: bound - returned,
    held: outcome === null ? rest : 0n,
    releasing: outcome === null ? 0n : rest,
    released,
  };
}

/** The amounts that each side is due in all, and the rest that nobody is due yet; `agreed`: the total of an agreement that holds. */
export function duesOf(
  payment: Figures,
  { isUndecided, agreed }: { readonly isUndecided: boolean; readonly agreed: string | null },
): { readonly buyer: bigint; readonly recipient: bigint; readonly nobody: bigint } {
  const { returned, returning, held, releasing, released } = splitOf(payment);
  if (agreed !== null) return { buyer: BigInt(agreed), recipient: BigInt(payment.amount) - BigInt(agreed), nobody: 0n };
  const [decided, nobody] = isUndecided ? [0n, held] : [held, 0n];
  return { buyer: returned + returning, recipient: decided + releasing + released, nobody };
}

/** The most that can still be refunded: once the recipient's part has left, nothing can. */
export const refundableOf = ({ amount, refundTotal, amountReleased }: Figures): bigint =>
  amountReleased === "0" ? BigInt(amount) - BigInt(refundTotal) : 0n;

/** The result of a refund, in smallest units. */
export interface RefundResult {
  /** The amount that the buyer has in the end: the number that the transaction carries. */
  readonly total: string;
  /** The amount that stays for the recipient, or until the dispute ends. */
  readonly rest: string;
}

/** The result of a refund of a further part; null if the part is nothing, or more than can be refunded. */
export function refundResult(payment: Figures, part: string | null): RefundResult | null {
  const refundable = refundableOf(payment);
  if (part === null || BigInt(part) <= 0n || BigInt(part) > refundable) return null;
  return { total: String(BigInt(payment.refundTotal) + BigInt(part)), rest: String(refundable - BigInt(part)) };
}
