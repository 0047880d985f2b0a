import type { UnmatchedPayment } from "../api/schema.ts";

/**
 * The owner of the wallet that a payment of no intent pays. `unknown`: no wallet is shown, or the saved ones are not read
 * yet.
 */
export type Payee = "ours" | "others" | "unknown";

/** A wallet is ours if the intent that the payment names has it, or the business has saved it. */
export function payeeOf(
  { intent, mismatch, recipient }: Pick<UnmatchedPayment, "intent" | "mismatch" | "recipient">,
  saved: readonly string[] | undefined,
): Payee {
  if (recipient === null) return "unknown";
  if (intent !== null && !mismatch.includes("recipient")) return "ours";
  if (saved === undefined) return "unknown";
  return saved.some((one) => one === recipient) ? "ours" : "others";
}
