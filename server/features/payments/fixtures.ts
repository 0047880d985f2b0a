import { anIntent, atHour } from "../intents/fixtures.ts";
import type { Payment } from "./payment.ts";

const INTENT = anIntent();

/** The primary payment of {@link anIntent}, protected and made in time. */
export const aPayment = (given: Partial<Payment> = {}): Payment => ({
  businessId: INTENT.businessId,
  environment: INTENT.environment,
  id: "payment-1",
  intentId: INTENT.id,
  role: "primary",
  status: "protected",
  sender: "sender-1",
  recipient: INTENT.recipient,
  amount: INTENT.amount,
  asset: INTENT.asset,
  protectionPeriod: INTENT.protectionPeriod,
  merchantReference: INTENT.merchantReference,
  lateReason: null,
  signature: "signature-1",
  createdAt: atHour(1),
  protectionDeadline: atHour(1 + 7 * 24),
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  checkedAt: atHour(2),
  amountReleased: "0",
  amountRefunded: "0",
  refundTotal: "0",
  outcome: null,
  arbiter: "arbiter-1",
  termsHash: null,
  termsKnown: false,
  overLimit: false,
  receiptKey: "q83vEjRWeJCrze8SNFZ4kA",
  ...given,
});
