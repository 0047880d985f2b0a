import { Type } from "typebox";
import { EVENT_ID } from "../../domain/ids.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { answer, component, listAnswer, listOf } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { flag, nullable, other, text, time, word } from "../../lib/columns.ts";
import { EVENT_TYPES } from "./eventTypes.ts";
import { LIST_EVENTS, SEQUENCE_SCHEMA } from "./schema.ts";

const EVENT = "evt_test_5szw01a1fc0a6b1e6aa1e08fe78beda3c56d";
const INTENT = "pi_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948";
const AT = "2026-11-21T02:58:22.001Z";

const STAFF_EVENT = shownObject(
  "event",
  {
    id: word({ example: EVENT, schema: { pattern: EVENT_ID.source } }),
    type: word({ of: EVENT_TYPES, example: "payment_intent.created" }),
    sequence: other<string>("bigint", { example: "3", schema: SEQUENCE_SCHEMA }),
    occurredAt: time({ says: "Time of the event.", example: AT }),
    createdAt: time({ says: "Time at which it was recorded.", example: AT }),
    restored: flag({ says: "True if it happened before the service was restored from a copy.", example: false }),
    about: other<object>("json", {
      example: { object: "payment_intent", id: INTENT },
      schema: Type.Object(
        {
          object: Type.String({ description: "Kind of the object." }),
          id: Type.Union([Type.String(), Type.Null()], { description: "Id of the object; null if it has none." }),
        },
        { description: "The object that changed." },
      ),
    }),
    intent: nullable(word({ says: "Id of the intent that it belongs to; null if there is none.", example: INTENT })),
    payment: nullable(word({ says: "Id of the payment that it belongs to; null if there is none." })),
    changed: other<readonly string[]>("json", {
      example: [],
      schema: Type.Array(Type.String(), { description: "The members of the object that changed." }),
    }),
  },
  "An event without its object.",
);
export const EVENT_DETAILS = shownObject(
  "event_details",
  {
    event: other<object>("json", { example: STAFF_EVENT.example, schema: component("StaffEvent") }),
    body: text({
      says: "Body, byte for byte as in the API and in deliveries.",
      example: `{"object":"event","id":"${EVENT}"}`,
    }),
    request: nullable(
      word({
        says: "Request-Id of the request that created or canceled the intent; null for other changes, or if it is not kept.",
        example: "req_01a1fc0c51d3c3b2a1908f7e6d5c4b3a",
      }),
    ),
  },
  "An event with its body and its cause.",
);
export const staffEventComponents: Components = {
  StaffEvent: STAFF_EVENT.schema,
  StaffEventList: listOf("StaffEvent", "Events"),
  EventDetails: EVENT_DETAILS.schema,
};

// The page polls, so its requests never wait.
const { wait: _, ...query } = LIST_EVENTS.query;

const declare = declarations({ tag: "Events", path: tenantPath, errors: ["not_found"] });

export const LIST_STAFF_EVENTS = declare({
  operationId: "listEvents",
  summary: "List events",
  description: "The events of this environment, newest first, by the filters of the merchant API.",
  query,
  success: listAnswer("A page of events.", "StaffEvent", STAFF_EVENT.example),
});

export const GET_STAFF_EVENT = declare({
  operationId: "getEvent",
  summary: "Get an event",
  description: "An event, with its body, and the request that caused it if one did.",
  path: { ...tenantPath, event: { schema: Type.String(), description: "The event's id.", example: EVENT } },
  success: answer(200, "The event.", "EventDetails", EVENT_DETAILS.example),
});
