import type { OrderSummary } from "@holdfast/sdk";
import type { Payment } from "@vendure/core";
import type { Token } from "./connection";

/** An order's progress, in the metadata of its payment. */
export interface HoldfastState {
  readonly channel: string;
  readonly progress: OrderSummary["progress"];
  /** Goods may leave. */
  readonly mayShip: boolean;
  /** Goods left the escrow's condition once: the shop may enter the payment. */
  readonly isPaid: boolean;
  readonly payment: string | null;
  /** The amount of the payment, and the part of it that went back, in the token's smallest unit. */
  readonly amount: string;
  readonly refundTotal: string;
  /** The payment's token; null before there is one. */
  readonly token: Token | null;
  readonly protectedUntil: string | null;
  readonly receiptUrl: string | null;
  /** The payment's page in Holdfast, for dispute and refund. */
  readonly page: string | null;
  /** Payments that do not pay the order and did not go back. */
  readonly owed: readonly { readonly payment: string; readonly reason: string; readonly page: string }[];
}

/** The custom fields of payments that are this plugin's. No API writes them, while buyers write the metadata of other methods. */
export const OWN = { isHoldfast: true } as const;

/** Returns undefined for a payment by another method. */
export const stateOf = ({ customFields, metadata }: Payment): HoldfastState | undefined =>
  (customFields as Partial<typeof OWN> | null | undefined)?.isHoldfast ? metadata.holdfast : undefined;

/**
 * Returns why the goods of an order with these payments must not leave; null if they may, or another method pays them. An order
 * of which a part went back is for the staff to decide.
 */
export function findObstacle(payments: readonly Payment[]): string | null {
  const own = payments.find((one) => stateOf(one) !== undefined);
  if (own === undefined) return null;
  const { isPaid, progress } = stateOf(own)!;
  if (isPaid) return progress === "protected" || progress === "released" ? null : `buyer protection says ${progress}`;
  const settled = payments.reduce((sum, { state, amount }) => sum + (state === "Settled" ? amount : 0), 0);
  return settled >= own.amount ? null : "the order is not paid";
}
