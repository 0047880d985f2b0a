import type { ChainPayment, DuePart } from "../../chain/port.ts";
import { DISPUTE_LAPSE_MS } from "../payments/payment.ts";

/** The sides of a payment that the program would pay something at this time. */
export function dueSides(payment: ChainPayment, now: Date): DuePart["side"][] {
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
