import type { EventType } from "../../../server/features/events/eventTypes.ts";
import type { EventRow, IntentRow } from "../databaseSnapshot.ts";
import { type Body, checkEnvelope, checkPrevious, type Shown } from "./announcements.ts";

/** A payment as its events show it. */
export interface ReplayedPayment {
  generation: number;
  /** The sequence of its payment.protected. */
  readonly sequence: string;
  role: "primary" | "duplicate";
  status: string;
  settleableEventSent: boolean;
  shown: Shown;
}

/** The event that must come next: the intent's, which a bound or promoted payment brings. */
interface Due {
  readonly type: string;
  readonly address: string;
  readonly xmin: string;
  readonly sequence: number;
}

const MISMATCHES_MAX = 3;
const FOUND_IN_TIME = new Set([null, "found_after_expiry"]);

/** Replays one intent's events and records where they depart from the specification (§3, §6.5, §6.6). */
export class Replay {
  readonly violations: string[] = [];
  readonly payments = new Map<string, ReplayedPayment>();
  readonly reverted: string[] = [];
  /** The (object, generation, transition) of each event, with the transaction that wrote it. */
  readonly keys = new Map<string, string>();
  status: string | null = null;
  canceledAt: string | null = null;
  primary: string | null = null;
  generation = 1;
  mismatches = 0;
  last = "";
  readonly #intent: IntentRow;
  /** Each dispute as its last event showed it, and the number of its events. */
  readonly disputes = new Map<string, { readonly version: number; readonly shown: Shown }>();
  readonly #lives = new Map<string, number>();
  readonly #senders = new Set<string>();
  /** Each object as its last event showed it. */
  readonly #shown = new Map<string, Shown>();
  #expired = false;
  #due: Due | null = null;

  constructor(intent: IntentRow) {
    this.#intent = intent;
  }

  expect(what: string, held: unknown, shown: unknown): void {
    if (held !== shown) this.violations.push(`${what}: the table holds ${held}, the events show ${shown}`);
  }

  apply(event: EventRow): void {
    const body = JSON.parse(event.body);
    const wrong = (text: string) => void this.violations.push(`${event.type} (${event.sequence}): ${text}`);
    checkEnvelope(event, body, wrong);
    if (body.occurredAt <= this.last) wrong(`occurred at ${body.occurredAt}, not after ${this.last}`);
    this.last = body.occurredAt;
    const due = this.#due;
    this.#due = null;
    if (due !== null && !isDue(due, event)) wrong(`stands where ${due.type} of ${due.address} is due`);
    if ((this.status === null) !== (event.type === "payment_intent.created")) wrong("events begin once, with .created");
    this.#step(event, body, due, wrong);
  }

  end(): void {
    if (this.#due !== null) this.violations.push(`${this.#due.type} of ${this.#due.address} is missing`);
  }

  #step(event: EventRow, body: Body, due: Due | null, wrong: (text: string) => void): void {
    const { object } = body.data;
    if (event.type.startsWith("dispute.")) {
      this.#followDispute(event, body, wrong);
      return;
    }
    const own = event.type.startsWith("payment_intent.") && event.type !== "payment_intent.duplicate_payment";
    const payment = this.payments.get(object.id);
    const transition = this.#transitionOf(event.type, body, wrong);
    if (own && object.id !== this.#intent.id) wrong(`shows ${object.id}`);
    checkPrevious(body, this.#shown.get(object.id) ?? null, wrong);
    this.#shown.set(object.id, object);
    switch (event.type) {
      case "payment_intent.created":
        this.status = "requires_payment";
        break;
      case "payment.protected":
        if (payment === undefined) this.#protect(event, object, wrong);
        else this.#correct(payment, object, wrong);
        break;
      case "payment.disputed":
        // The payment was disputed already: later steps were taken back, and the dispute is the last that holds.
        if (payment !== undefined && payment.status !== "protected") this.#correct(payment, object, wrong);
        else this.#move(event.type, payment, object, wrong);
        if (payment !== undefined) payment.shown = object;
        break;
      case "payment_intent.duplicate_payment":
        if (due === null) wrong("no payment was bound just before");
        break;
      case "payment_intent.paid":
      case "payment_intent.paid_late":
        if (due === null) wrong("no payment was bound or promoted just before");
        else if (object.payment?.id !== due.address) wrong(`names ${object.payment?.id}, not ${due.address}`);
        this.status = "paid";
        break;
      case "payment_intent.payment_mismatch":
        if (++this.mismatches > MISMATCHES_MAX) wrong("is one more than allowed");
        break;
      case "payment_intent.expired":
        if (this.status !== "requires_payment") wrong(`follows ${this.status}`);
        if (this.#expired) wrong("was announced before");
        this.#expired = true;
        this.status = "expired";
        break;
      case "payment_intent.canceled":
        if (this.status !== "requires_payment") wrong(`follows ${this.status}`);
        this.status = "canceled";
        this.canceledAt = object.canceledAt ?? null;
        break;
      case "payment.reverted":
        this.#revert(event, object, payment, wrong);
        break;
      default:
        this.#move(event.type, payment, object, wrong);
        if (payment !== undefined) payment.shown = object;
    }
    const life = own ? this.generation : (this.#lives.get(object.id) ?? 1);
    const key = `${object.id} ${life} ${transition}`;
    if (this.keys.has(key)) wrong("was announced twice");
    this.keys.set(key, event.xmin);
  }

  /** Every change of a dispute has one event, whose number is its version. */
  #followDispute(event: EventRow, body: Body, wrong: (text: string) => void): void {
    const { object } = body.data;
    const known = this.disputes.get(object.id);
    if ((known === undefined) !== (event.type === "dispute.opened")) wrong("a dispute begins once, with .opened");
    checkPrevious(body, known?.shown ?? null, wrong);
    const version = (known?.version ?? 0) + 1;
    this.disputes.set(object.id, { version, shown: object });
    this.keys.set(`${object.id} ${version} ${event.type}`, event.xmin);
  }

  #transitionOf(type: string, body: Body, wrong: (text: string) => void): string {
    const { amountRefunded, outcome } = body.data.object;
    if (type === "payment_intent.payment_mismatch") return `payment_mismatch ${this.#sender(body, wrong)}`;
    if (type === "payment.partially_refunded") return `${type} ${amountRefunded}`;
    return type === "payment.decided" ? `${type} ${outcome}` : type;
  }

  #sender(body: Body, wrong: (text: string) => void): string {
    const sender = body.data.observed?.sender ?? "nobody";
    if (this.#senders.has(sender)) wrong(`announces ${sender} again`);
    this.#senders.add(sender);
    return sender;
  }

  #protect(event: EventRow, object: Shown, wrong: (text: string) => void): void {
    const generation = (this.#lives.get(object.id) ?? 0) + 1;
    this.#lives.set(object.id, generation);
    const role = this.primary === null ? "primary" : "duplicate";
    if (object.status !== "protected" || object.role !== role)
      wrong(`is ${object.role}, ${object.status}, not ${role}, protected`);
    for (const name of ["recipient", "amount", "asset"] as const)
      if (object[name] !== this.#intent[name]) wrong(`its ${name} is not the intent's`);
    const late = this.#lateReason(object, event.created_at);
    if (object.lateReason !== late) wrong(`lateReason is ${object.lateReason}, by its events ${late}`);
    const { sequence } = event;
    this.payments.set(object.id, {
      generation,
      sequence,
      role,
      status: "protected",
      settleableEventSent: false,
      shown: object,
    });
    const type = role === "duplicate" ? "payment_intent.duplicate_payment" : paidType(object);
    if (role === "primary") this.primary = object.id;
    this.#due = { type, address: object.id, xmin: event.xmin, sequence: Number(sequence) + 1 };
  }

  /** The payment is announced again after a fork took back later steps or times: a new generation of the same binding. */
  #correct(payment: ReplayedPayment, object: Shown, wrong: (text: string) => void): void {
    const { shown } = payment;
    const holds = object.status === "protected" || object.disputedAt === shown.disputedAt;
    if (!holds || object.role !== payment.role) wrong(`shows ${object.role}, ${object.status}`);
    for (const name of ["sender", "recipient", "amount", "asset", "lateReason"] as const)
      if (object[name] !== shown[name]) wrong(`changes ${name}`);
    const isSame = (["status", "createdAt", "outcome", "amountRefunded", "refundedAt"] as const).every(
      (name) => object[name] === shown[name],
    );
    if (isSame && object.refundTotal === shown.refundTotal) wrong("corrects nothing");
    payment.generation++;
    this.#lives.set(object.id, payment.generation);
    Object.assign(payment, { status: object.status, settleableEventSent: false, shown: object });
  }

  /** §3.1.7–9, decided at the moment of recording. */
  #lateReason({ createdAt }: Shown, recordedAt: Date): string | null {
    const paidAt = Date.parse(createdAt!);
    if (this.canceledAt !== null)
      return paidAt > Date.parse(this.canceledAt) ? "paid_after_cancel" : "found_after_cancel";
    const expiresAt = this.#intent.expires_at.getTime();
    const primary = this.primary === null ? undefined : this.payments.get(this.primary);
    if (primary !== undefined && Date.parse(primary.shown.createdAt!) <= expiresAt) return null;
    if (paidAt > expiresAt) return "paid_after_expiry";
    return recordedAt.getTime() > expiresAt ? "found_after_expiry" : null;
  }

  #move(type: string, payment: ReplayedPayment | undefined, object: Shown, wrong: (text: string) => void): void {
    if (payment === undefined) {
      wrong(`${object.id} is not recorded`);
      return;
    }
    const [from, to = payment.status] = Object.hasOwn(STEPS, type) ? STEPS[type as Moving] : [[], type];
    if (!from.includes(payment.status)) wrong(`follows ${payment.status}`);
    if (type === "payment.settleable") {
      if (payment.settleableEventSent) wrong("was announced before");
      payment.settleableEventSent = true;
    }
    if (type !== "payment.disputed" && object.disputedAt !== payment.shown.disputedAt)
      wrong(`shows a dispute of ${object.disputedAt} that was not announced`);
    const isOver = to === "released" || to === "refunded";
    if (type === "payment.decided" && !object.outcome) wrong("shows no outcome");
    if (isOver !== (Number(object.amountReleased) + Number(object.amountRefunded) === Number(object.amount)))
      wrong(`shows ${object.amountReleased} and ${object.amountRefunded} of ${object.amount}`);
    if (object.status !== to || object.role !== payment.role) wrong(`shows ${object.role}, ${object.status}`);
    payment.status = to;
  }

  #revert(event: EventRow, object: Shown, payment: ReplayedPayment | undefined, wrong: (text: string) => void): void {
    if (payment === undefined) {
      wrong(`${object.id} is not recorded`);
      return;
    }
    this.payments.delete(object.id);
    // A payment that is bound at the address again is a new one.
    this.#shown.delete(object.id);
    this.reverted.push(`${object.id} ${payment.generation}`);
    if (object.status !== payment.status) wrong(`shows ${object.status}; it was ${payment.status}`);
    if (payment.role === "duplicate") return;
    this.generation++;
    const [next] = [...this.payments].toSorted(([, a], [, b]) => Number(a.sequence) - Number(b.sequence));
    if (next === undefined) {
      this.primary = null;
      this.status = this.canceledAt !== null ? "canceled" : this.#expired ? "expired" : "requires_payment";
      return;
    }
    const [address, promoted] = next;
    promoted.role = "primary";
    promoted.shown = { ...promoted.shown, role: "primary" };
    this.primary = address;
    this.#due = { type: paidType(promoted.shown), address, xmin: event.xmin, sequence: Number(event.sequence) + 1 };
  }
}

type Moving = Exclude<Extract<EventType, `payment.${string}`>, "payment.protected" | "payment.reverted">;
/** The statuses that each event of a payment may follow, and the one that it leads to. */
const STEPS: Readonly<Record<Moving, readonly [readonly string[], string?]>> = {
  "payment.disputed": [["protected"], "disputed"],
  "payment.released": [["protected", "disputed"], "released"],
  "payment.refunded": [["protected", "disputed"], "refunded"],
  "payment.settleable": [["protected"], "protected"],
  // Something remains: the status stays.
  "payment.partially_refunded": [["protected", "disputed"]],
  "payment.decided": [["protected", "disputed"]],
};

const paidType = ({ lateReason }: Shown): string =>
  FOUND_IN_TIME.has(lateReason ?? null) ? "payment_intent.paid" : "payment_intent.paid_late";

const isDue = (due: Due, event: EventRow): boolean =>
  event.type === due.type &&
  event.payment_address === due.address &&
  event.xmin === due.xmin &&
  Number(event.sequence) === due.sequence;
