import { randomBytes, randomInt } from "node:crypto";
import type { SignedEvent } from "./signing.ts";

type Json = Readonly<Record<string, unknown>>;

export type Environment = "test" | "live";

/** An event as the service writes it. */
export interface TestEvent extends SignedEvent {
  readonly object: "event";
  readonly environment: Environment;
  readonly occurredAt: string;
  readonly createdAt: string;
  readonly data: { readonly object: Json; readonly previousAttributes?: Json };
}

const API_VERSION = "2026-11-20";
const TERMS = {
  amount: "5000000",
  asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  protectionPeriod: "sevenDays",
};
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const PERIOD_MS = 7 * 86_400_000;

const idOf = (prefix: string, environment: Environment): string =>
  `${prefix}_${environment}_5szw${randomBytes(16).toString("hex")}`;
const base58 = (length: number): string => Array.from({ length }, () => BASE58[randomInt(BASE58.length)]).join("");
const at = (ms: number): string => new Date(ms).toISOString();

let sequences = 1_000;
let lastMs = 0;

/** Drafts an event: sequence and time grow with each. */
export function draftEvent(environment: Environment, type: string, object: Json, more: Json = {}): TestEvent {
  lastMs = Math.max(lastMs + 1, Date.now());
  return {
    ...{ object: "event", id: idOf("evt", environment), type, apiVersion: API_VERSION, environment },
    ...{ sequence: String(++sequences), occurredAt: at(lastMs), createdAt: at(lastMs) },
    data: { object, ...more },
  };
}

/** `webhook.test` has no sequence. */
export const draftTest = (environment: Environment): TestEvent => ({
  ...draftEvent(environment, "webhook.test", { object: "webhook_test", endpoint: idOf("we", environment) }),
  sequence: null,
});

/** An order's intent and payments, as the events of its life show them. */
export class Life {
  readonly reference: string;
  readonly intent: Json;
  readonly #environment: Environment;
  readonly #primary = this.#draftPayment("primary");

  /** `terms`: those that a shop has asked for. */
  constructor(reference: string, environment: Environment, terms: Json = {}) {
    this.reference = reference;
    this.#environment = environment;
    const now = Date.now();
    this.intent = {
      ...{ object: "payment_intent", id: idOf("pi", environment), status: "requires_payment", recipient: base58(44) },
      ...{
        ...TERMS,
        price: null,
        quote: null,
        metadata: {},
        description: null,
        returnUrl: null,
        ...terms,
        merchantReference: reference,
      },
      ...{ paymentId: String(randomInt(1, 2 ** 47)), payment: null, environment, checkoutUrl: null, x402Url: null },
      ...{ createdAt: at(now - 60_000), expiresAt: at(now + 86_400_000), canceledAt: null },
    };
  }

  #draft(type: string, object: Json, more?: Json): TestEvent {
    return draftEvent(this.#environment, type, object, more);
  }

  #draftPayment(role: "primary" | "duplicate"): Json {
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    return {
      ...{ object: "payment", id: base58(44), role, status: "protected", sender: base58(44) },
      ...{ late: false, lateReason: null, signature: base58(88), createdAt: at(now) },
      ...{ protectionDeadline: at(now + PERIOD_MS), disputedAt: null, settledAt: null, refundedAt: null },
      ...{ settleable: false, resolveBy: null, checkedAt: at(now), amountReleased: "0", amountRefunded: "0" },
      ...{ refundTotal: "0", outcome: null, arbiter: base58(44), termsHash: null, termsKnown: false },
      ...{ overLimit: false, receiptUrl: null },
    };
  }

  /** The intent, with what this event changes of it. */
  #show(changes: Json = {}): Json {
    return { ...this.intent, ...changes };
  }

  payment(changes: Json = {}, of: Json = this.#primary): Json {
    const { id, recipient, amount, asset, protectionPeriod, merchantReference } = this.intent;
    return { ...of, intent: id, recipient, amount, asset, protectionPeriod, merchantReference, ...changes };
  }

  created = (metadata: Json = {}): TestEvent => this.#draft("payment_intent.created", this.#show({ metadata }));

  /** The payment may have gone on before the service found it. */
  paid(changes: Json = {}, more: Json = {}): TestEvent {
    return this.#draft("payment_intent.paid", this.#show({ status: "paid", payment: this.payment(changes), ...more }));
  }

  paidLate(): TestEvent {
    const payment = this.payment({ late: true, lateReason: "paid_after_cancel" });
    return this.#draft("payment_intent.paid_late", this.#show({ status: "paid", payment, canceledAt: at(Date.now()) }));
  }

  mismatch(): TestEvent {
    const observed = { payment: base58(44), amount: "1" };
    return this.#draft("payment_intent.payment_mismatch", this.#show(), { mismatch: ["amount"], observed });
  }

  /** An event of a payment, the primary one if none is given. */
  of(type: string, changes: Json = {}, previousAttributes?: Json, payment?: Json): TestEvent {
    const more = previousAttributes === undefined ? {} : { previousAttributes };
    return this.#draft(`payment.${type}`, this.payment(changes, payment), more);
  }

  /** Another buyer pays the same intent: its two events, and that of its refund. */
  duplicate(): { readonly found: readonly TestEvent[]; readonly refunded: TestEvent } {
    const payment = this.#draftPayment("duplicate");
    const back = {
      status: "refunded",
      refundTotal: this.intent.amount,
      amountRefunded: this.intent.amount,
      refundedAt: at(Date.now()),
    };
    return {
      found: [
        this.of("protected", {}, undefined, payment),
        this.#draft("payment_intent.duplicate_payment", this.payment({}, payment)),
      ],
      refunded: this.of("refunded", back, { status: "protected" }, payment),
    };
  }

  released = (): TestEvent =>
    this.of(
      "released",
      {
        status: "released",
        outcome: "released_by_sender",
        amountReleased: this.intent.amount,
        settledAt: at(Date.now()),
      },
      { status: "protected" },
    );

  refunded = (): TestEvent =>
    this.of(
      "refunded",
      {
        status: "refunded",
        outcome: "refunded_by_recipient",
        refundTotal: this.intent.amount,
        amountRefunded: this.intent.amount,
      },
      { status: "protected" },
    );

  /** A refund of a part; `total` has the refunds before it in it. */
  partlyRefunded = (total: string, before = "0", changes: Json = {}): TestEvent =>
    this.of("partially_refunded", { ...changes, refundTotal: total, amountRefunded: total }, { refundTotal: before });

  disputed = (): TestEvent =>
    this.of("disputed", { status: "disputed", disputedAt: at(Date.now()) }, { status: "protected" });
}
