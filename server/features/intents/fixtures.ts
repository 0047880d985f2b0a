import type { Intent, NewIntent } from "./intent.ts";

const CREATED_MS = Date.UTC(2026, 10, 20);

/** The time `hours` hours after {@link anIntent} was created. The intent expires after 24. */
export const atHour = (hours: number): Date => new Date(CREATED_MS + hours * 3_600_000);

const WALLET = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";

/** A merchant's request for an intent. */
export const aNewIntent = (given: Partial<NewIntent> = {}): NewIntent => ({
  recipient: WALLET,
  amount: "1",
  asset: WALLET,
  protectionPeriod: "oneDay",
  merchantReference: "order-1",
  metadata: "{}",
  description: null,
  returnUrl: null,
  locale: null,
  price: null,
  quote: null,
  sealedEmail: null,
  ...given,
});

/** An intent without a payment. */
export const anIntent = (given: Partial<Intent> = {}): Intent => ({
  businessId: "biz_1",
  environment: "test",
  id: "pi_test_1",
  status: "requires_payment",
  ...aNewIntent({ recipient: "recipient", amount: "1000", asset: "asset", protectionPeriod: "sevenDays" }),
  paymentId: "42",
  createdAt: atHour(0),
  expiresAt: atHour(24),
  canceledAt: null,
  ...given,
});
