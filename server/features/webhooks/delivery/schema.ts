import { Type } from "typebox";
import { DELIVERY_ID, deliveryId } from "../../../domain/ids.ts";
import { matching, oneOf, TEXT, TIME, whole } from "../../../domain/values.ts";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { pageParameters, parameter, type QueryValues } from "../../../edge/http/parameters.ts";
import { answer, choice, listAnswer, listOf, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { tenantPath } from "../../../edge/staff/paths.ts";
import { equals, IDS_AFTER, IDS_BEFORE } from "../../../store/filters.ts";
import { EVENT_TYPES } from "../../events/eventTypes.ts";
import { ERROR_CLASSES } from "../webhook.ts";

const ENDPOINT_ID = "we_test_5szw01a1fc0b2c1e6aa1e08fe78beda3c56d";
const EVENT_ID = "evt_test_5szw01a1fc0a6b1e6aa1e08fe78beda3c56d";
const DELIVERY = deliveryId(EVENT_ID, ENDPOINT_ID);
export const INTENT_ID = "pi_test_5szw01a1fc0c51d3c3b2a1908f7e6d5c4b3a";
export const AT = "2026-11-20T08:30:00.000Z";
export const STATUSES = ["pending", "succeeded", "abandoned"] as const;
const tag = "Webhooks";

const delivery = {
  object: Type.Literal("webhook_delivery"),
  id: matching(DELIVERY_ID, "an id").schema,
  endpoint: Type.String({ description: "The endpoint's id." }),
  event: Type.String({ description: "The event's id." }),
  type: Type.String({ description: "The event's type." }),
  status: choice(STATUSES),
  attempts: Type.Integer({
    minimum: 0,
    description: "Attempts of the schedule so far. Manual resends are not counted.",
  }),
  statusCode: nullable(Type.Integer(), { description: "HTTP status of the last attempt; null if there was none." }),
  errorClass: nullable(choice(ERROR_CLASSES), { description: "Error of the last attempt; null if it did not fail." }),
  dueAt: nullable(timestamp("Due time of the next attempt."), {
    description: "Null if no attempt follows. An endpoint that is not enabled gets none, even if one is due.",
  }),
  createdAt: timestamp("Time of creation."),
  finishedAt: nullable(timestamp("Time of its end."), { description: "Null while it is pending." }),
};
const attempt = Type.Object({
  number: nullable(Type.Integer({ minimum: 1, maximum: 9 }), { description: "Null for a manual resend." }),
  startedAt: timestamp("Start of the attempt."),
  durationMs: Type.Integer({ minimum: 0 }),
  succeeded: Type.Boolean(),
  statusCode: nullable(Type.Integer(), { description: "HTTP status; null if there was no answer." }),
  error: nullable(Type.String(), { description: "Error in words; null if it succeeded." }),
});

export const deliveryComponents: Components = {
  WebhookDelivery: Type.Object(delivery, { description: "The delivery of one event to one endpoint." }),
  WebhookDeliveryList: listOf("WebhookDelivery", "Deliveries"),
  WebhookDeliveryDetails: Type.Object(
    {
      ...delivery,
      sent: Type.Object(
        {
          url: Type.String({ description: "Current URL of the endpoint." }),
          headers: Type.Object({}, { additionalProperties: Type.String() }),
          body: Type.String({ description: "Body, byte for byte." }),
        },
        { description: "The request of each attempt. Each has its own signature, which is not kept." },
      ),
      attemptLog: Type.Array(attempt, {
        description: "The attempts, oldest first, at most 100. Bodies of answers are not read.",
      }),
    },
    { description: "A delivery with its request and its attempts." },
  ),
};

export const endpointPath = {
  ...tenantPath,
  endpoint: { schema: Type.String(), description: "The endpoint's id.", example: ENDPOINT_ID },
} as const;
export const deliveryPath = {
  ...tenantPath,
  delivery: { schema: Type.String(), description: "The delivery's id.", example: DELIVERY },
} as const;

export const DELIVERY_FILTERS = {
  // Two tables: a pending delivery is in the queue.
  status: parameter(oneOf(STATUSES), "Only deliveries with this status."),
  status_code: parameter(
    whole(100, 999, "a status such as 500"),
    "Only deliveries whose last attempt was answered with this HTTP status.",
    { example: 500, filter: equals("status_code", "smallint") },
  ),
  error_class: parameter(oneOf(ERROR_CLASSES), "Only deliveries whose last attempt failed with this error.", {
    filter: equals("error_class"),
  }),
  type: parameter(oneOf(EVENT_TYPES), "Only deliveries of events of this type.", { filter: equals("event_type") }),
  // Filters by the object's events, which are found first.
  object: parameter(TEXT, "Only deliveries about this intent and its payments, or about this payment.", {
    example: INTENT_ID,
  }),
  created_after: parameter(TIME, "Only deliveries of events created after this time.", {
    example: AT,
    filter: IDS_AFTER,
  }),
  created_before: parameter(TIME, "Only deliveries of events created before this time.", {
    example: AT,
    filter: IDS_BEFORE,
  }),
} as const;
const { limit, starting_after } = pageParameters(matching(DELIVERY_ID, "an id"), DELIVERY, "delivery");

const EXAMPLE = {
  object: "webhook_delivery",
  id: DELIVERY,
  endpoint: ENDPOINT_ID,
  event: EVENT_ID,
  type: "payment.protected",
  status: "pending",
  attempts: 2,
  statusCode: 500,
  errorClass: "server_error",
  dueAt: "2026-11-20T08:36:00.000Z",
  createdAt: AT,
  finishedAt: null,
};

export const LIST_DELIVERIES = {
  operationId: "listWebhookDeliveries",
  tag,
  summary: "List an endpoint's deliveries",
  description: "The deliveries to one endpoint, newest event first.",
  path: endpointPath,
  query: { ...DELIVERY_FILTERS, limit, starting_after },
  success: listAnswer("A page of deliveries.", "WebhookDelivery", EXAMPLE),
  errors: ["not_found"],
} as const satisfies Declaration;

/** The filters of the list, and its page. */
export type DeliveryQuery = QueryValues<typeof LIST_DELIVERIES.query>;

export const LIST_DELIVERIES_OF_EVENT = {
  operationId: "listDeliveriesOfEvent",
  tag,
  summary: "List an event's deliveries",
  description: "The delivery to each endpoint that receives or received the event.",
  path: {
    ...tenantPath,
    event: { schema: Type.String(), description: "The event's id.", example: EVENT_ID },
  },
  success: LIST_DELIVERIES.success,
  errors: ["not_found"],
} as const satisfies Declaration;

export const GET_DELIVERY = {
  operationId: "getWebhookDelivery",
  tag,
  summary: "Get a delivery",
  description: "A delivery, with its request and each attempt.",
  path: deliveryPath,
  success: answer(200, "The delivery.", "WebhookDeliveryDetails", {
    ...EXAMPLE,
    sent: {
      url: "https://shop.com/hooks",
      headers: { "Service-Event-Id": EVENT_ID, "Service-Event-Type": "payment.protected" },
      body: `{"object":"event","id":"${EVENT_ID}"}`,
    },
    attemptLog: [
      {
        number: 1,
        startedAt: AT,
        durationMs: 84,
        succeeded: false,
        statusCode: 500,
        error: "answered 500 Internal Server Error",
      },
    ],
  }),
  errors: ["not_found"],
} as const satisfies Declaration;
