import type { Owner } from "../../domain/callers.ts";
import { newEventId } from "../../domain/ids.ts";
import { type Fields, previousAttributes, showFields, showTime } from "../../domain/show.ts";
import { API_VERSION } from "../../domain/version.ts";

/** §6.2 and the contract: everything a merchant is told about. `webhook.test` is never recorded and stands apart. */
export const EVENT_TYPES = [
  "payment_intent.created",
  "payment_intent.paid",
  "payment_intent.paid_late",
  "payment_intent.duplicate_payment",
  "payment_intent.payment_mismatch",
  "payment_intent.expired",
  "payment_intent.canceled",
  "payment.protected",
  "payment.disputed",
  "payment.released",
  "payment.refunded",
  "payment.settleable",
  "payment.reverted",
  "webhook_endpoint.disabled",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What a reader may ask for instead of single types: `payment.*`. */
export const EVENT_GROUPS: readonly string[] = [...new Set(EVENT_TYPES.map((type) => `${type.split(".", 1)[0]}.*`))];
/** Types in one request; there are fewer, so a list can only be longer by saying things twice. */
export const EVENT_TYPES_ASKED_MAX = 50;
/** A place in the sequence: 0 stands before the first event. */
export const SEQUENCE = /^(?:0|[1-9][0-9]{0,17})$/;
/** How long a request may be held open until there is something newer. */
export const WAIT_SECONDS_MAX = 25;

/** A change worth telling, before it has an id and a sequence. */
export interface Happening {
  readonly type: EventType;
  /** The intent, payment or webhook endpoint that changed, and which life of it (raised by a revert). */
  readonly objectId: string;
  readonly generation: number;
  /** Names the change within (object, generation): an event of the same three is never written twice. */
  readonly transition: string;
  /** Null when it concerns no intent. */
  readonly intentId: string | null;
  readonly paymentAddress: string | null;
  readonly occurredAt: Date;
  readonly object: Fields;
  /** The object before the change; null when it is new. */
  readonly before: Fields | null;
  /** Further members of `data`, as JSON text by name. */
  readonly extra?: Fields;
}

/** An event but for its sequence, which the statement that writes it puts between `head` and `tail`. */
export interface EventDraft {
  readonly owner: Owner;
  readonly id: string;
  readonly happening: Happening;
  readonly createdAt: Date;
  readonly head: string;
  readonly tail: string;
}

export function draftEvent(owner: Owner, happening: Happening, now: Date): EventDraft {
  const id = newEventId(owner.environment, now);
  const previous = happening.before === null ? null : previousAttributes(happening.before, happening.object);
  const data = {
    object: showFields(happening.object),
    ...(previous === null ? {} : { previousAttributes: previous }),
    ...happening.extra,
  };
  return {
    owner: { businessId: owner.businessId, environment: owner.environment },
    id,
    happening,
    createdAt: now,
    head: `{"object":"event","id":"${id}","type":"${happening.type}","apiVersion":"${API_VERSION}","environment":"${owner.environment}","sequence":"`,
    tail: `","occurredAt":${showTime(happening.occurredAt)},"createdAt":${showTime(now)},"data":${showFields(data)}}`,
  };
}

/** The time of a change, raised where needed so that `occurredAt` grows with every event of one intent and its payments. */
export const occurredAfter = (last: Date, changedAt: Date): Date =>
  changedAt > last ? changedAt : new Date(last.getTime() + 1);
