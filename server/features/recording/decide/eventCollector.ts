import type { Fields } from "../../../domain/show.ts";
import { occurredAfter, type PendingEvent } from "../../events/event.ts";
import type { IntentState, KnownPayment } from "./state.ts";

interface EventInput {
  readonly type: PendingEvent["type"];
  readonly changedAt: Date;
  readonly object: Fields;
  readonly before: Fields | null;
  /** The payment that changed, or the payment that changed the intent. */
  readonly payment?: KnownPayment;
  /** Given when the event's object is the intent. */
  readonly intent?: Pick<IntentState, "intent" | "generation">;
  /** Default: the type. */
  readonly transition?: string;
  readonly extra?: Fields;
}

/** Collects the events of one intent and its payments, each later than the one before. */
export class EventCollector {
  readonly pending: PendingEvent[] = [];
  lastOccurredAt: Date;

  constructor(lastOccurredAt: Date) {
    this.lastOccurredAt = lastOccurredAt;
  }

  add({ type, changedAt, object, before, payment, intent, transition, extra }: EventInput): void {
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
      before,
      ...(extra === undefined ? {} : { extra }),
    });
  }
}
