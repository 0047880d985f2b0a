import type { ReceiptView } from "../../server/features/checkout/receipt/receipt.ts";
import { draftRefunds } from "../../server/features/checkout/receipt/view.ts";
import { NO_FACTS } from "../../server/features/disputes/fixtures.ts";
import { pickFacts } from "../../server/features/disputes/parts/fragments.ts";
import { atHour } from "../../server/features/intents/fixtures.ts";
import type { ShownPayment } from "../../server/features/payments/paymentView.ts";

const ARBITER = "3FQJcFhM3cWFK1gV2bQqTqkAkYhSTJ5vTn3v4bWv8MbR";
const BUYER = "7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj";
const SPONSOR = "9LPVUqPz4kZJDYMBNCDXDnMbKfYyr5qjVaxPyHqPtvXK";
const RECIPIENT = "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP";
const AMOUNT = "24500000";
const HALF = "12250000";

const PAYMENT: ShownPayment = {
  id: "9wJ4ZcbcVpsKqYBqXQ2eXkMF7iQYy6r4Lh1kBSyY7h5Y",
  environment: "test",
  status: "protected",
  outcome: null,
  sender: BUYER,
  recipient: RECIPIENT,
  amount: AMOUNT,
  asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  protectionPeriod: "sevenDays",
  refundTotal: "0",
  amountRefunded: "0",
  amountReleased: "0",
  signature: "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
  createdAt: atHour(1),
  protectionDeadline: atHour(1 + 7 * 24),
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  checkedAt: atHour(2),
  observedSlot: 381_204_977,
  arbiter: ARBITER,
  termsHash: "5f".repeat(32),
  rentPayer: null,
  recordClosed: false,
};

/** What only the key shows, marked so that a test finds it. */
export const PRIVATE = {
  intentId: "pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992",
  merchantReference: "1042",
  overLimit: false,
  description: "Two bags of Sidamo, ground for filter",
  business: { name: "Fernweh Coffee", domain: "fernweh.example", color: null, logo: null },
  supportContact: "help@fernweh.example",
  returnUrl: "https://fernweh.example/orders/1042",
  isReturnOwn: true,
  ...pickFacts(NO_FACTS),
  price: null,
  quote: null,
  fulfillments: [
    {
      businessId: "biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc",
      id: "ff_test_5szw01a1fc0b3f5d6aa1dfb6bc9487e1991e",
      intentId: "pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992",
      number: 1,
      carrier: "Postrunner",
      trackingNumber: "00340-7712",
      link: "https://postrunner.example/00340-7712",
      sentAt: atHour(1),
      deliveredAt: null,
      delivery: `e30.${Buffer.from(JSON.stringify({ answer: "5f".repeat(32) })).toString("base64url")}.e30`,
      recordedAt: atHour(1),
      recordedBy: "key_test_5szw01a1fc06b1cd6aa165e96a8ab2d2e7fc",
    },
  ],
} as const;

/** A receipt as who has its address alone sees it, an hour after the payment. */
const aReceipt = (payment: Partial<ShownPayment> = {}, rest: Partial<ReceiptView> = {}): ReceiptView => ({
  payment: { ...PAYMENT, ...payment },
  match: "primary",
  lateReason: null,
  isFinalized: true,
  hold: null,
  now: atHour(2),
  at: atHour(2),
  terms: { verdict: "matches", business: PRIVATE.business },
  key: null,
  mine: null,
  order: null,
  decimals: 6,
  tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  arbiterLabel: { name: "Nordlicht Mediation", domain: "nordlicht.example" },
  cost: { lamports: 5_101_680n, backLamports: 2_039_280n, tombstoneLamports: 1_280_640n },
  programId: "CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c",
  operator: "8CvwxZ9Db6XbLD46NZwwmVDZZRDy7eydFcAGkXKh9axa",
  genesisHash: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  sponsors: [],
  usualOutcomes: {},
  decision: null,
  refunds: draftRefunds({ amountRefunded: "0", refundedAt: null, ...payment }, []),
  agreement: null,
  talkUntil: payment.disputedAt ? new Date(payment.disputedAt.getTime() + 5 * 86_400_000) : null,
  emailsGo: null,
  ...rest,
});

const withKey: Partial<ReceiptView> = { key: "q83vEjRWeJCrze8SNFZ4kA", mine: PRIVATE, emailsGo: false };
const disputed = { status: "disputed", disputedAt: atHour(26) } as const;
const ended = { now: atHour(300), at: atHour(300) };
const settled = {
  status: "released",
  outcome: "settled",
  amountReleased: AMOUNT,
  settledAt: atHour(170),
} as const;
const refunded = {
  status: "refunded",
  refundTotal: AMOUNT,
  amountRefunded: AMOUNT,
  refundedAt: atHour(30),
  outcome: "refunded_by_recipient",
} as const;
const noTerms = { verdict: "none", business: null } as const;
const RECORD = {
  reasons:
    "Both bags came three weeks late, and one of them torn.\nThe shop bears the price of that one; the other was drunk.",
};
const ruling = {
  memo: "record",
  total: HALF,
  sha256: "5fa1c3e8".repeat(8),
  arbiter: ARBITER,
  transaction: "3tVTyPrDXFXC6UEeQnHeLGAgRhzHLsbbjxSJhQJ2vwoVbwdb4fUNc1nqEY6VpPZ6vDMHcFEgFQzCqbKZ7qv1pD5R",
  ruledAt: atHour(49),
  erasedAt: null,
  record: null,
} as const;
const long = { now: atHour(30 + 91 * 24), at: atHour(30 + 91 * 24) };

/** Every state of a receipt, by name: state, kind of payment, and what is due. */
export const RECEIPT_VIEWS: Readonly<Record<string, ReceiptView>> = {
  protected: aReceipt({}, withKey),
  "protected-address-alone": aReceipt(),
  "protected-no-terms": aReceipt({ termsHash: null }, { terms: noTerms, arbiterLabel: { name: null, domain: null } }),
  "protected-part-sent": aReceipt({ refundTotal: HALF, amountRefunded: HALF, refundedAt: atHour(2) }, withKey),
  "protected-part-due": aReceipt({ refundTotal: HALF }, withKey),
  "protected-sponsored": aReceipt({ rentPayer: SPONSOR }, withKey),
  late: aReceipt({}, { ...withKey, lateReason: "paid_after_cancel" }),
  duplicate: aReceipt({}, { match: "duplicate" }),
  "unknown-payment-id": aReceipt({ termsHash: null }, { match: "unknown_payment_id", terms: noTerms }),
  "terms-differ": aReceipt(
    { amount: "24000000" },
    { match: "terms_differ", terms: { verdict: "differs", business: PRIVATE.business } },
  ),
  settling: aReceipt({}, { ...withKey, now: atHour(200) }),
  "settling-held": aReceipt({}, { ...withKey, now: atHour(200), hold: { side: "recipient", reason: "memo_required" } }),
  disputed: aReceipt(disputed, { ...withKey, now: atHour(27) }),
  "disputed-agreed": aReceipt(disputed, {
    ...withKey,
    ...{ now: atHour(30), at: atHour(30) },
    agreement: { total: HALF, agreedAt: atHour(27), until: atHour(195), failedAt: null, executedAt: null },
  }),
  "disputed-part-sent": aReceipt(
    { ...disputed, refundTotal: HALF, amountRefunded: HALF, refundedAt: atHour(27) },
    { ...withKey, now: atHour(28) },
  ),
  "disputed-unmatched": aReceipt(disputed, { match: "terms_differ", now: atHour(27) }),
  lapsed: aReceipt(disputed, { ...withKey, now: atHour(26 + 90 * 24) }),
  "decided-split": aReceipt(
    { ...disputed, outcome: "resolved", refundTotal: HALF },
    { ...withKey, now: atHour(50), decision: { ...ruling, record: RECORD } },
  ),
  "decided-address-alone": aReceipt(
    { ...disputed, outcome: "resolved", refundTotal: HALF },
    { now: atHour(50), decision: ruling },
  ),
  "decided-part-left": aReceipt(
    { ...disputed, outcome: "resolved", refundTotal: HALF, amountReleased: HALF, settledAt: atHour(49) },
    { ...withKey, now: atHour(50) },
  ),
  "decided-to-buyer": aReceipt(
    { outcome: "refunded_by_recipient", refundTotal: AMOUNT },
    { ...withKey, now: atHour(50) },
  ),
  "decided-to-shop": aReceipt({ outcome: "released_by_sender" }, { ...withKey, now: atHour(50) }),
  "decided-as-agreed": aReceipt(
    { ...disputed, outcome: "resolved", refundTotal: HALF },
    { ...withKey, now: atHour(50), decision: { ...ruling, record: { reasons: null } } },
  ),
  "decided-elsewhere": aReceipt(
    { ...disputed, outcome: "refunded_by_recipient", refundTotal: AMOUNT },
    { ...withKey, now: atHour(50), decision: { ...ruling, memo: "several", sha256: null } },
  ),
  settled: aReceipt(settled, { ...withKey, ...ended }),
  "partly-refunded": aReceipt(
    {
      ...disputed,
      status: "released",
      outcome: "resolved",
      refundTotal: HALF,
      amountRefunded: HALF,
      amountReleased: HALF,
      settledAt: atHour(60),
      refundedAt: atHour(60),
    },
    { ...withKey, ...ended },
  ),
  refunded: aReceipt(refunded, { ...withKey, ...ended }),
  "refunded-unresolved": aReceipt(
    { ...refunded, ...disputed, status: "refunded", outcome: "refunded_unresolved" },
    ended,
  ),
  "deposit-due": aReceipt(refunded, { ...withKey, ...long }),
  "deposit-of-sponsor": aReceipt({ ...refunded, rentPayer: SPONSOR }, { ...withKey, ...long }),
  "deposit-back": aReceipt({ ...refunded, recordClosed: true }, { ...withKey, ...long }),
  closed: aReceipt(
    {
      ...settled,
      sender: null,
      recipient: null,
      asset: null,
      protectionPeriod: null,
      createdAt: null,
      protectionDeadline: null,
      arbiter: null,
      termsHash: null,
      recordClosed: true,
    },
    { match: "closed", terms: noTerms, decimals: null, tokenProgram: null, ...ended },
  ),
  vanished: aReceipt({ signature: null, observedSlot: 0 }, { match: "vanished", isFinalized: false }),
};
