import type { Tenant } from "../../domain/callers.ts";
import { newEventId } from "../../domain/ids.ts";
import { type Fields, previousAttributes, showFields, showTime } from "../../domain/show.ts";
import { matching } from "../../domain/values.ts";
import { API_VERSION } from "../../domain/version.ts";
import type { EventType } from "./eventTypes.ts";

/** A sequence: 0 is before the first event. */
export const SEQUENCE = matching(/^(?:0|[1-9][0-9]{0,17})$/, "a sequence: digits without leading zeros, 0 to begin");
/** The longest time that a request waits for a newer event. */
export const WAIT_SECONDS_MAX = 25;

/** An event about to be recorded with its change: it has no id and no sequence yet. */
export interface PendingEvent {
  readonly type: EventType;
  /** The intent, payment, dispute, webhook endpoint or sequence that changed, and its generation (raised by a revert). */
  readonly objectId: string;
  readonly generation: number;
  /**
   * Names the change within (object, generation): two events with the same three are never written. Null if the
   * object's own row, which the same statement inserts or ends, already prevents a second event.
   */
  readonly transition: string | null;
  /** The intent's id; null if the event concerns no intent. */
  readonly intentId: string | null;
  readonly paymentAddress: string | null;
  readonly occurredAt: Date;
  readonly object: Fields;
  /** The object before the change; null if it is new. */
  readonly before: Fields | null;
  /** Further members of `data`, as JSON text by name. */
  readonly extra?: Fields;
}

/** An event without its sequence. The insert puts the sequence between `head` and `tail`. */
export interface EventDraft {
  readonly tenant: Tenant;
  readonly id: string;
  readonly pendingEvent: PendingEvent;
  readonly createdAt: Date;
  readonly head: string;
  readonly tail: string;
}

/** `object` is the JSON text of the event's object, for a caller that already has it. */
export function draftEvent(
  tenant: Tenant,
  pendingEvent: PendingEvent,
  now: Date,
  object = showFields(pendingEvent.object),
): EventDraft {
  const id = newEventId(tenant, now);
  const previous = pendingEvent.before === null ? null : previousAttributes(pendingEvent.before, pendingEvent.object);
  const data = {
    object,
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

/** The subject of an event, as its body says: the object that changed, and the intent and payment it belongs to. */
export interface EventSubject {
  readonly about: { readonly object: string; readonly id: string | null };
  readonly intent: string | null;
  readonly payment: string | null;
}

interface EventBody {
  readonly id: string;
  readonly type: EventType;
  readonly sequence: string;
  readonly occurredAt: string;
  readonly createdAt: string;
  readonly restored?: true;
  readonly data: {
    readonly object: {
      readonly object: string;
      readonly id?: string;
      readonly intent?: string;
      readonly payment?: { readonly id: string } | string | null;
    };
    readonly previousAttributes?: object;
    /** Old events have it as `seen`. */
    readonly observed?: { readonly payment: string };
    readonly seen?: { readonly payment: string };
  };
}

/** An event without its object, for lists of events. */
export function summarizeEvent(body: string) {
  const { id, type, sequence, occurredAt, createdAt, restored = false, data } = JSON.parse(body) as EventBody;
  const changed = Object.keys(data.previousAttributes ?? {});
  return { object: "event", id, type, sequence, occurredAt, createdAt, restored, ...subjectOf(data), changed };
}

function subjectOf({ object, observed, seen }: EventBody["data"]): EventSubject {
  const id = object.id ?? null;
  const about = { object: object.object, id };
  if (object.object === "payment_intent")
    return { about, intent: id, payment: (observed ?? seen)?.payment ?? idOf(object.payment) };
  if (object.object === "dispute") return { about, intent: object.intent ?? null, payment: idOf(object.payment) };
  if (object.object === "payment") return { about, intent: object.intent ?? null, payment: id };
  return { about, intent: null, payment: null };
}

/** The payment within an intent, or the address in a dispute. */
const idOf = (payment: { readonly id: string } | string | null | undefined): string | null =>
  (typeof payment === "object" ? payment?.id : payment) ?? null;
