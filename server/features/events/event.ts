import type { Tenant } from "../../domain/callers.ts";
import { newEventId } from "../../domain/ids.ts";
import { type Fields, previousAttributes, showFields, showTime } from "../../domain/show.ts";
import { API_VERSION } from "../../domain/version.ts";

/** All event types (§6.5). `webhook.test` is never recorded. */
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
  "payment.partially_refunded",
  "payment.decided",
  "payment.settleable",
  "payment.reverted",
  "webhook_endpoint.disabled",
  "events.restored",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** `payment.protected` → `payment.*`: a reader may ask for a group instead of single types. */
export const groupOf = (type: EventType): string => `${type.split(".", 1)[0]}.*`;
export const EVENT_GROUPS: readonly string[] = [...new Set(EVENT_TYPES.map(groupOf))];
/** Types in one request. There are fewer types, so only a list with repeats is longer. */
export const EVENT_TYPES_ASKED_MAX = 50;
/** A sequence: 0 is before the first event. */
export const SEQUENCE = /^(?:0|[1-9][0-9]{0,17})$/;
/** How long a request may be held open until there is something newer. */
export const WAIT_SECONDS_MAX = 25;

/** An event about to be recorded with its change: it has no id and no sequence yet. */
export interface PendingEvent {
  readonly type: EventType;
  /** The intent, payment, webhook endpoint or sequence that changed, and its generation (raised by a revert). */
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
  readonly tenant: Tenant;
  readonly id: string;
  readonly pendingEvent: PendingEvent;
  readonly createdAt: Date;
  readonly head: string;
  readonly tail: string;
}

export function draftEvent(tenant: Tenant, pendingEvent: PendingEvent, now: Date): EventDraft {
  const id = newEventId(tenant.environment, now);
  const previous = pendingEvent.before === null ? null : previousAttributes(pendingEvent.before, pendingEvent.object);
  const data = {
    object: showFields(pendingEvent.object),
    ...(previous === null ? {} : { previousAttributes: previous }),
    ...pendingEvent.extra,
  };
  return {
    tenant: { businessId: tenant.businessId, environment: tenant.environment },
    id,
    pendingEvent,
    createdAt: now,
    head: `{"object":"event","id":"${id}","type":"${pendingEvent.type}","apiVersion":"${API_VERSION}","environment":"${tenant.environment}","sequence":"`,
    tail: `","occurredAt":${showTime(pendingEvent.occurredAt)},"createdAt":${showTime(now)},"data":${showFields(data)}}`,
  };
}

/** The time of a change, raised where needed so that `occurredAt` grows with every event of one intent and its payments. */
export const occurredAfter = (last: Date, changedAt: Date): Date =>
  changedAt > last ? changedAt : new Date(last.getTime() + 1);
