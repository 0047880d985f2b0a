import { Type } from "typebox";
import { EVENT_ID } from "../../domain/ids.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { choice, component, listOf, nullable, timestamp } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { EVENT_TYPES } from "./event.ts";
import { LIST_EVENTS, SEQUENCE_SCHEMA } from "./schema.ts";

const EVENT = "evt_test_01a1fc0a6b1e6aa1e08fe78beda3c56d";
const INTENT = "pi_test_01a1fc0a61ca6aa1dc5681f996bdf948";
const AT = "2026-11-21T02:58:22.001Z";
const tag = "Events";

export const staffEventComponents: Components = {
  StaffEvent: Type.Object(
    {
      object: Type.Literal("event"),
      id: Type.String({ pattern: EVENT_ID.source }),
      type: choice(EVENT_TYPES),
      sequence: SEQUENCE_SCHEMA,
      occurredAt: timestamp("When it happened."),
      createdAt: timestamp("When it was recorded."),
      restored: Type.Boolean({ description: "It happened before the service was restored from a copy." }),
      about: Type.Object(
        {
          object: Type.String({ description: "The kind of the object." }),
          id: nullable(Type.String(), { description: "Its id; null: it has none." }),
        },
        { description: "What changed." },
      ),
      intent: nullable(Type.String(), { description: "The intent it belongs to." }),
      payment: nullable(Type.String(), { description: "The payment it belongs to." }),
    },
    { description: "An event without its object." },
  ),
  StaffEventList: listOf("StaffEvent", "Events"),
  EventDetails: Type.Object(
    {
      object: Type.Literal("event_details"),
      event: component("StaffEvent"),
      body: Type.String({ description: "The body, byte for byte as the API and deliveries have it." }),
      request: nullable(Type.String(), {
        description:
          "The Request-Id of the request that created or canceled the intent; null: another change, or not kept.",
      }),
    },
    { description: "An event with its body, and what caused it." },
  ),
};

const EXAMPLE = {
  object: "event",
  id: EVENT,
  type: "payment_intent.created",
  sequence: "3",
  occurredAt: AT,
  createdAt: AT,
  restored: false,
  about: { object: "payment_intent", id: INTENT },
  intent: INTENT,
  payment: null,
};

// A page asks again by itself, so it never waits.
const { wait: _, ...query } = LIST_EVENTS.query;

export const LIST_STAFF_EVENTS = {
  operationId: "listEvents",
  tag,
  summary: "List events",
  description: "The events of this environment, newest first, by the filters of the merchant API.",
  path: tenantPath,
  query,
  success: {
    status: 200,
    description: "A page of events.",
    schema: component("StaffEventList"),
    example: { object: "list", data: [EXAMPLE], hasMore: false },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const GET_STAFF_EVENT = {
  operationId: "getEvent",
  tag,
  summary: "Get an event",
  description: "With its body, and the request that made the change where a request did.",
  path: { ...tenantPath, event: { schema: Type.String(), description: "The event's id.", example: EVENT } },
  success: {
    status: 200,
    description: "The event.",
    schema: component("EventDetails"),
    example: {
      object: "event_details",
      event: EXAMPLE,
      body: `{"object":"event","id":"${EVENT}"}`,
      request: "req_01a1fc0c51d3c3b2a1908f7e6d5c4b3a",
    },
  },
  errors: ["not_found"],
} as const satisfies Declaration;
