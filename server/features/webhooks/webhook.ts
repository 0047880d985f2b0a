import type { Tenant } from "../../domain/callers.ts";
import { newEventId } from "../../domain/ids.ts";
import { type Fields, type JsonText, showFields, showText, showTime } from "../../domain/show.ts";
import type { Environment } from "../../domain/terms.ts";
import { API_VERSION } from "../../domain/version.ts";
import type { PendingEvent } from "../events/event.ts";
import { EVENT_GROUPS, EVENT_TYPES, type EventType, groupOf } from "../events/eventTypes.ts";

/** `disabled` by a user, `failing` after five deliveries abandoned in a row (§6.4.3). All three count toward the five endpoints. */
type EndpointStatus = "enabled" | "disabled" | "failing";

/** A change of a status: the statuses in which it happens, and the one it leads to. In others it changes nothing. */
interface Step<Status extends string> {
  readonly from: readonly Status[];
  readonly to: Status;
}

/** All changes of an endpoint's status (§6.4.3, §6.7). */
export const ENDPOINT_STEPS = {
  fifth_in_a_row_abandoned: { from: ["enabled"], to: "failing" },
  disabled_by_a_person: { from: ["enabled", "failing"], to: "disabled" },
  enabled_by_a_person: { from: ["disabled", "failing"], to: "enabled" },
} as const satisfies Readonly<Record<string, Step<EndpointStatus>>>;

/** Attempts that this process has ended, by result. */
export const attemptCounts = new Map([
  ["succeeded", 0],
  ["failed", 0],
]);

type SecretForm = "opaque" | "standard";

/** A webhook endpoint of a tenant (§6.1), without its signing secret. */
export interface Endpoint extends Tenant {
  readonly id: string;
  readonly url: string;
  /** The subscribed types; null for all, also future ones. */
  readonly eventTypes: readonly EventType[] | null;
  readonly status: EndpointStatus;
  readonly abandonedInARow: number;
  readonly apiVersion: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  /**
   * The time since which every attempt has failed (§6.7.7), with the reason of the newest; null if the newest
   * succeeded, or there was none.
   */
  readonly failingSince: Date | null;
  readonly lastError: string | null;
  /** The end of the previous secret's validity (§6.3.4); null if there is none. */
  readonly previousSecretUntil: Date | null;
  /** `opaque` secrets sign no Standard Webhooks headers (§6.8); a roll ends that. */
  readonly secretForm: SecretForm;
}

/** The validity of a rolled secret in seconds (§6.3.5). */
export const SECRET_GRACES = { none: 0, "1h": 3_600, "24h": 86_400 } as const;
export type SecretGrace = keyof typeof SECRET_GRACES;

/** The class of a failed attempt: by its status, or by how far it came without one. */
export const ERROR_CLASSES = [
  "redirect",
  "client_error",
  "server_error",
  "timeout",
  "dns",
  "address",
  "connection",
  "tls",
  "protocol",
  "other",
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** §6.4.6: `pending` until it has ended. */
export type DeliveryStatus = "pending" | "succeeded" | "abandoned";

/** All changes of a delivery's status (§6.4, §6.7.4, §6.7.5). */
export const DELIVERY_STEPS = {
  attempt_succeeded: { from: ["pending"], to: "succeeded" },
  ninth_attempt_failed: { from: ["pending"], to: "abandoned" },
  held_too_long: { from: ["pending"], to: "abandoned" },
  resend_succeeded: { from: ["pending", "abandoned"], to: "succeeded" },
} as const satisfies Readonly<Record<string, Step<DeliveryStatus>>>;

/** A name that is no event type; the message contains it and the valid ones. */
export class EventTypeError extends Error {
  override readonly name = "EventTypeError";
}

/** Parses a choice of event types (§6.1.1); `all` or `*` alone becomes null. Throws {@link EventTypeError}. */
export function readEventTypes(names: readonly string[]): EventType[] | null {
  if (names.length === 1 && (names[0] === "all" || names[0] === "*")) return null;
  const wanted = new Set(names.map((name) => name.trim()));
  for (const name of wanted)
    if (EVENT_GROUPS.includes(name))
      throw new EventTypeError(
        `${name} is a group, for GET /events. An endpoint takes all, or types by name: ${EVENT_TYPES.filter((type) => groupOf(type) === name).join(",")}.`,
      );
    else if (!EVENT_TYPES.some((known) => known === name))
      throw new EventTypeError(`There is no event type "${name}". Known: all, ${EVENT_TYPES.join(", ")}.`);
  return EVENT_TYPES.filter((known) => wanted.has(known));
}

/** The endpoint as `webhook_endpoint.disabled` shows it (§6.5.3). */
const showEndpoint = (endpoint: Endpoint): Fields => ({
  object: '"webhook_endpoint"',
  id: `"${endpoint.id}"`,
  url: showText(endpoint.url),
  status: `"${endpoint.status}"`,
  eventTypes: JSON.stringify(endpoint.eventTypes ?? ["*"]),
  environment: `"${endpoint.environment}"`,
  createdAt: showTime(endpoint.createdAt),
  disabledAt: showTime(endpoint.disabledAt),
});

/** The event of an endpoint that went from enabled to failing for the n-th time. The business's other endpoints get it. */
export const pendingDisabledEvent = (endpoint: Endpoint, timesFailing: number, occurredAt: Date): PendingEvent => ({
  type: "webhook_endpoint.disabled",
  objectId: endpoint.id,
  generation: timesFailing,
  transition: "webhook_endpoint.disabled",
  intentId: null,
  paymentAddress: null,
  occurredAt,
  object: showEndpoint(endpoint),
  before: showEndpoint({ ...endpoint, status: "enabled", disabledAt: null }),
});

/** A `webhook.test` event (§6.1.4): signed like any other, never recorded, without a sequence. */
export function draftTestEvent(endpoint: Endpoint, now: Date): { id: string; body: JsonText } {
  const id = newEventId(endpoint, now);
  const object = {
    object: '"webhook_test"',
    endpoint: `"${endpoint.id}"`,
  };
  const body = {
    object: '"event"',
    id: `"${id}"`,
    type: '"webhook.test"',
    apiVersion: `"${API_VERSION}"`,
    environment: `"${endpoint.environment}"`,
    sequence: "null",
    occurredAt: showTime(now),
    createdAt: showTime(now),
    data: showFields({ object: showFields(object) }),
  };
  return { id, body: showFields(body) };
}

export interface EndpointRow {
  business_id: string;
  id: string;
  environment: Environment;
  url: string;
  event_types: EventType[] | null;
  status: EndpointStatus;
  abandoned_in_a_row: number;
  times_failing: number;
  api_version: string;
  created_at: Date;
  disabled_at: Date | null;
  failing_since: Date | null;
  last_error: string | null;
  previous_secret_until: Date | null;
  secret_form: SecretForm;
}

export const readEndpointRow = (row: EndpointRow): Endpoint => ({
  businessId: row.business_id,
  id: row.id,
  environment: row.environment,
  url: row.url,
  eventTypes: row.event_types,
  status: row.status,
  abandonedInARow: row.abandoned_in_a_row,
  apiVersion: row.api_version,
  createdAt: row.created_at,
  disabledAt: row.disabled_at,
  failingSince: row.failing_since,
  lastError: row.last_error,
  previousSecretUntil: row.previous_secret_until,
  secretForm: row.secret_form,
});
