import { showFields } from "../../../domain/show.ts";
import { type Happening, occurredAfter } from "../../events/event.ts";
import { type Intent, showIntent } from "../../intents/intent.ts";
import { showPayment } from "../../payments/payment.ts";
import { isPaidLate, type KnownPayment, type Story } from "../decide/decision.ts";

/** What giving a binding up does to its intent (contract §3, Reverted). */
export interface Reversal {
  readonly payment: KnownPayment;
  readonly intent: Intent;
  /** The duplicate that takes its place, if there is one. */
  readonly promoted: KnownPayment | null;
  /** Whether the intent holds its merchantReference again. */
  readonly reopened: boolean;
  readonly generation: number;
  readonly lastOccurredAt: Date;
  readonly happenings: readonly Happening[];
}

export interface Circumstances {
  /** Another open intent of the business holds the merchantReference by now. */
  readonly referenceTaken: boolean;
  /** `.expired` was told in an earlier life of the intent: it is not told again. */
  readonly expiryTold: boolean;
}

/** Takes a payment back that never became final: the oldest duplicate takes its place, or the intent is unpaid again. Pure. */
export function decideReversal(
  story: Story,
  payment: KnownPayment,
  { referenceTaken, expiryTold }: Circumstances,
  now: Date,
  checkoutUrl: string,
): Reversal {
  const happenings: Happening[] = [];
  let last = story.lastOccurredAt;
  const tell = (happening: Omit<Happening, "occurredAt">) => {
    last = occurredAfter(last, now);
    happenings.push({ ...happening, occurredAt: last });
  };
  tell({
    type: "payment.reverted",
    objectId: payment.id,
    generation: payment.generation,
    transition: "payment.reverted",
    intentId: story.intent.id,
    paymentAddress: payment.id,
    object: showPayment(payment, now),
    before: null,
  });
  const generation = story.generation + 1;
  if (payment.role === "duplicate")
    return {
      payment,
      intent: story.intent,
      promoted: null,
      reopened: false,
      generation: story.generation,
      lastOccurredAt: last,
      happenings,
    };

  const next = story.payments.find((other) => other.role === "duplicate" && other.id !== payment.id);
  const paid = showIntent(story.intent, showFields(showPayment(payment, now)), now, checkoutUrl);
  const about = { objectId: story.intent.id, generation, intentId: story.intent.id } as const;
  if (next !== undefined) {
    const promoted: KnownPayment = { ...next, role: "primary" };
    const type = isPaidLate(promoted.lateReason) ? "payment_intent.paid_late" : "payment_intent.paid";
    const object = showIntent(story.intent, showFields(showPayment(promoted, now)), now, checkoutUrl);
    tell({ type, transition: type, ...about, paymentAddress: promoted.id, object, before: paid });
    return { payment, intent: story.intent, promoted, reopened: false, generation, lastOccurredAt: last, happenings };
  }

  const expired = now > story.intent.expiresAt;
  if (story.intent.canceledAt === null && !expired && referenceTaken) {
    const intent: Intent = { ...story.intent, status: "canceled", canceledAt: now };
    const object = showIntent(intent, null, now, checkoutUrl);
    tell({
      type: "payment_intent.canceled",
      transition: "payment_intent.canceled",
      ...about,
      paymentAddress: null,
      object,
      before: paid,
    });
    return { payment, intent, promoted: null, reopened: false, generation, lastOccurredAt: last, happenings };
  }
  const status = story.intent.canceledAt !== null ? "canceled" : expired && expiryTold ? "expired" : "requires_payment";
  const intent: Intent = { ...story.intent, status };
  const reopened = status === "requires_payment" && !expired;
  return { payment, intent, promoted: null, reopened, generation, lastOccurredAt: last, happenings };
}
