import type { Fields } from "../../../domain/show.ts";
import { occurredAfter, type PendingEvent } from "../../events/event.ts";
import { announcedOfIntent, showAnnouncedIntent } from "../../intents/intent.ts";
import { announcedOf, showAnnounced } from "../../payments/payment.ts";
import { type IntentState, type KnownPayment, primaryOf } from "./state.ts";

interface EventInput {
  readonly type: PendingEvent["type"];
  readonly changedAt: Date;
  readonly object: Fields;
  /** The payment that changed, or that changed the intent. */
  readonly payment?: KnownPayment;
  /** Set when the event's object is the intent. */
  readonly intent?: Pick<IntentState, "intent" | "generation">;
  /** Defaults to the type. */
  readonly transition?: string;
  readonly extra?: Fields;
}

/**
 * Collects the events of one intent and its payments. Each is later than the one before, and is compared with the last
 * one of its object.
 */
export class EventCollector {
  readonly pending: PendingEvent[] = [];
  lastOccurredAt: Date;
  readonly checkoutUrl: string;
  /** The intent and its payments as their last events showed them, by id. */
  readonly #shown: Map<string, Fields>;

  constructor(state: IntentState, checkoutUrl: string) {
    this.lastOccurredAt = state.lastOccurredAt;
    this.checkoutUrl = checkoutUrl;
    this.#shown = new Map(
      state.payments.map((payment) => [payment.id, showAnnounced(payment, payment.announced, checkoutUrl)]),
    );
    const { intent, announced } = state;
    this.#shown.set(intent.id, showAnnouncedIntent(intent, primaryOf(state), announced, checkoutUrl));
  }

  /** The payment with its `announced`, by which its next event is compared with its last one. */
  keepShown(payment: KnownPayment): KnownPayment {
    return { ...payment, announced: announcedOf(payment, this.#shown.get(payment.id)!, this.checkoutUrl) };
  }

  /** The `announced` of the intent in this state, by which its next event is compared with its last one. */
  announcedOfIntent(state: Pick<IntentState, "intent" | "payments">): string | null {
    return announcedOfIntent(state.intent, primaryOf(state), this.#shown.get(state.intent.id)!, this.checkoutUrl);
  }

  add({ type, changedAt, object, payment, intent, transition, extra }: EventInput): void {
    this.lastOccurredAt = occurredAfter(this.lastOccurredAt, changedAt);
    const subject =
      intent !== undefined
        ? { objectId: intent.intent.id, generation: intent.generation, intentId: intent.intent.id }
        : { objectId: payment!.id, generation: payment!.generation, intentId: payment!.intentId };
    this.pending.push({
      type,
      ...subject,
      transition: transition ?? type,
      paymentAddress: payment?.id ?? null,
      occurredAt: this.lastOccurredAt,
      object,
      before: this.#shown.get(subject.objectId) ?? null,
      ...(extra === undefined ? {} : { extra }),
    });
    this.#shown.set(subject.objectId, object);
  }
}
