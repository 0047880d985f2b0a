import type { CheckoutView } from "../../server/features/checkout/page/checkout.ts";
import { anIntent, atHour } from "../../server/features/intents/fixtures.ts";
import type { Intent } from "../../server/features/intents/intent.ts";
import { aPayment } from "../../server/features/payments/fixtures.ts";
import type { Payment } from "../../server/features/payments/payment.ts";

const ARBITER = "3FQJcFhM3cWFK1gV2bQqTqkAkYhSTJ5vTn3v4bWv8MbR";
const BUYER = "7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj";
const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";

/** An order of a coffee shop, on terms as a buyer would meet them. */
const anOrder = (given: Partial<Intent> = {}): Intent =>
  anIntent({
    id: "pi_test_5szw01a1fbfeaecb562cb684bcc909ec4992",
    recipient: "14o8iuu4aCmiFSRK4VQoXFRk9z1Ko1HMAEhFHUPTokqP",
    amount: "24500000",
    asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    merchantReference: "1042",
    paymentId: "4102821404991083692",
    ...given,
  });

const order = anOrder();
const canceledOrder = anOrder({ status: "canceled", canceledAt: atHour(1) });
const paidOrder = anOrder({ status: "paid" });
const paid = (given: Partial<Payment> = {}): Payment =>
  aPayment({
    id: "9wJ4ZcbcVpsKqYBqXQ2eXkMF7iQYy6r4Lh1kBSyY7h5Y",
    sender: BUYER,
    recipient: order.recipient,
    amount: order.amount,
    asset: order.asset,
    signature: SIGNATURE,
    arbiter: ARBITER,
    ...given,
  });

/** A buyer's view of {@link anOrder}, a few minutes after it was made. */
const aView = (given: Partial<CheckoutView> = {}): CheckoutView => ({
  intent: order,
  business: {
    id: "biz_1",
    name: "Fernweh Coffee",
    domain: "fernweh.example",
    supportContact: "help@fernweh.example",
    refundPolicy: "Unopened bags within 30 days.\nWe pay the way back.",
    refundPolicyHash: "00".repeat(32),
    intentLifetimeMinutes: null,
    reportingCurrency: null,
    timeZone: null,
    locale: null,
    color: null,
    logo: null,
    emailName: null,
    emailLine: null,
    emailReplyTo: null,
    returnUrl: "https://fernweh.example/orders/{merchantReference}",
  },
  payment: null,
  duplicates: [],
  isFinalized: false,
  hasMismatch: false,
  inFlight: null,
  isHeld: false,
  decimals: 6,
  tokenProgram: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  hasAddress: false,
  cost: { lamports: 5_101_680n, backLamports: 2_039_280n, tombstoneLamports: 1_280_640n, maySponsor: false },
  usualOutcomes: { paid_twice: "One of the two payments goes back." },
  solRate: null,
  arbiter: {
    address: ARBITER,
    name: "Nordlicht Mediation",
    domain: "nordlicht.example",
    isRecipient: false,
    isOwn: false,
  },
  programId: "CJq7vnAyPBqjiGZfbLWuZR8DnK4pfARW4pXtKRw72Y3c",
  operator: "8CvwxZ9Db6XbLD46NZwwmVDZZRDy7eydFcAGkXKh9axa",
  genesisHash: "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG",
  version: 1,
  now: atHour(0.1),
  at: atHour(0.1),
  ...given,
});

const aPaidView = (given: Partial<Payment> = {}, rest: Partial<CheckoutView> = {}): CheckoutView =>
  aView({ intent: paidOrder, payment: paid(given), isFinalized: true, now: atHour(2), ...rest });

const sent = { kind: "sent", signature: SIGNATURE, until: atHour(0.2) } as const;
const disputed = { status: "disputed", disputedAt: atHour(26) } as const;

const pricedOrder = anOrder({
  amount: "56822600",
  price: '{"currency":"EUR","amount":"48.50"}',
  quote:
    '{"rate":"1.1716","source":"ecb","at":"2026-11-20T00:00:00.000Z","until":"2026-11-20T00:15:00.000Z","spread":"0.01"}',
  expiresAt: atHour(0.25),
});

/** Every state the page can be in, by name. */
export const CHECKOUT_VIEWS: Readonly<Record<string, CheckoutView>> = {
  waiting: aView(),
  priced: aView({ intent: pricedOrder }),
  "waiting-plain": aView({
    intent: anOrder({ asset: "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs", amount: "1250000000000" }),
    business: {
      ...aView().business,
      name: "ثلاثة أكواب",
      domain: null,
      supportContact: null,
      refundPolicy: null,
      returnUrl: null,
    },
    arbiter: { address: order.recipient, name: null, domain: null, isRecipient: true, isOwn: false },
  }),
  "waiting-mismatch": aView({ hasMismatch: true }),
  held: aView({ isHeld: true }),
  "on-its-way": aView({ intent: pricedOrder, inFlight: sent }),
  protected: aPaidView(),
  "protected-partly-refunded": aPaidView({ refundTotal: "4500000", amountRefunded: "4500000" }),
  late: aPaidView({ lateReason: "paid_after_cancel" }),
  duplicate: aPaidView({}, { duplicates: [paid({ role: "duplicate", id: ARBITER, sender: order.recipient })] }),
  settling: aPaidView({}, { now: atHour(200) }),
  disputed: aPaidView(disputed, { now: atHour(27) }),
  decided: aPaidView({ ...disputed, outcome: "resolved", refundTotal: "12250000" }, { now: atHour(50) }),
  settled: aPaidView(
    { status: "released", outcome: "settled", amountReleased: order.amount, settledAt: atHour(170) },
    { now: atHour(171) },
  ),
  "settled-late": aPaidView(
    {
      status: "released",
      outcome: "settled",
      amountReleased: order.amount,
      settledAt: atHour(170),
      lateReason: "paid_after_cancel",
    },
    { now: atHour(171) },
  ),
  "partly-refunded": aPaidView(
    {
      ...disputed,
      status: "released",
      outcome: "resolved",
      refundTotal: "12250000",
      amountRefunded: "12250000",
      amountReleased: "12250000",
      settledAt: atHour(60),
      refundedAt: atHour(60),
    },
    { now: atHour(61) },
  ),
  refunded: aPaidView(
    {
      status: "refunded",
      outcome: "refunded_by_recipient",
      refundTotal: order.amount,
      amountRefunded: order.amount,
      refundedAt: atHour(30),
    },
    { now: atHour(31) },
  ),
  "live-unproven": aPaidView(
    {},
    {
      intent: anOrder({ status: "paid", environment: "live" }),
      business: { ...aView().business, domain: null, returnUrl: "https://paypal.com.secure-login.example/{intentId}" },
    },
  ),
  expired: aView({ now: atHour(25) }),
  canceled: aView({ intent: canceledOrder, now: atHour(2) }),
  "canceled-reported": aView({ intent: canceledOrder, now: atHour(2), inFlight: { ...sent, kind: "reported" } }),
};
