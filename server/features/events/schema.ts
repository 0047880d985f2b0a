import { type TSchema, Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import type { Page } from "../../domain/page.ts";
import { TERMS } from "../../domain/terms.ts";
import { TEXT, TIME } from "../../domain/values.ts";
import { API_VERSIONS } from "../../domain/version.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { schemasOf } from "../../edge/http/objects.ts";
import { pageParameters, parameter, pathPart, type QueryValues } from "../../edge/http/parameters.ts";
import { answer, choice, component, environment, listOf, member, timestamp } from "../../edge/http/schemas.ts";
import { pick } from "../../lib/columns.ts";
import { equals, isAfter, isBefore } from "../../store/filters.ts";
import { PAYMENT_MEMBERS } from "../payments/payment.ts";
import { PAYMENT_EXAMPLE } from "../payments/schema.ts";
import { SEQUENCE } from "./event.ts";
import { EVENT_TYPES, EVENTS, type EventBody } from "./eventTypes.ts";
import { afterSequenceParameter, typeParameter, waitParameter } from "./parameters.ts";

/** §6.6: the envelope of every event, around its data. */
const envelope = (types: readonly string[], data: TSchema, sequence: TSchema, description: string): TSchema =>
  Type.Object(
    {
      object: Type.Literal("event"),
      id: member(idKind("evt"), "The event's id: deduplicate by it."),
      type: choice(types, { description: "Type of the event." }),
      apiVersion: Type.String({
        pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        description: "API version of this body. Events that were recorded earlier keep theirs.",
      }),
      environment: environment(),
      sequence,
      occurredAt: timestamp("Time of the event, strictly increasing within one intent and its payments. Order by it."),
      createdAt: timestamp("Time at which it was recorded."),
      restored: Type.Optional(
        Type.Literal(true, {
          description: "It happened before the service was restored from a copy, so it may have been announced before.",
        }),
      ),
      data,
    },
    { description },
  );
export const SEQUENCE_SCHEMA = Type.String({
  ...SEQUENCE.schema,
  description:
    "Number among the business's events of this environment, in commit order: 1, 2, 3 … without gaps but that of `events.restored`.",
});
const previousAttributes = Type.Optional(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "Values of the changed fields in the last event of this object; absent if the object is new or nothing changed.",
    },
  ),
);
const about = (name: string) =>
  Type.Object({ object: component(name), previousAttributes }, { description: "The object as it was then, frozen." });

const typesOf = (body: EventBody) => EVENT_TYPES.filter((type) => EVENTS[type].body === body);

export const OBSERVED = {
  payment: PAYMENT_MEMBERS.id,
  ...pick(PAYMENT_MEMBERS, "sender", "recipient", "amount", "asset", "protectionPeriod", "signature"),
};
const observed = Type.Object(schemasOf(OBSERVED), { description: "The payment as it stands on chain." });
const endpoint = Type.Object({
  object: Type.Literal("webhook_endpoint"),
  id: idKind("we").schema,
  url: Type.String(),
  status: Type.Literal("failing"),
  eventTypes: Type.Array(choice(["*", ...EVENT_TYPES]), {
    description: '`["*"]` stands for all types, including future ones.',
  }),
  environment: environment(),
  createdAt: timestamp("Time at which it was added."),
  disabledAt: timestamp("Time at which it was disabled."),
});

/** §4.10.7: members of a list with `after_sequence` alone. */
const bound = (says: string) => Type.Optional(Type.Union([SEQUENCE_SCHEMA, Type.Null()], { description: says }));
const BOUNDS = {
  oldestSequence: bound(
    "With `after_sequence`: the oldest sequence that is still stored; null if there is none. Events between yours and this one are deleted.",
  ),
  lastSequence: bound(
    "With `after_sequence`: the newest sequence of this environment, whatever the filter; null if there is none. If `hasMore` is false, go on from here.",
  ),
};

/** §6.5, §6.6. */
export const eventComponents: Components = {
  Event: Type.Union(
    [
      "PaymentIntentEvent",
      "PaymentEvent",
      "PaymentMismatchEvent",
      "DisputeEvent",
      "WebhookEndpointEvent",
      "SequenceGapEvent",
    ].map(component),
    {
      description:
        "Something that happened. The same bytes in every delivery attempt and in this API. New types may be added.",
    },
  ),
  PaymentIntentEvent: envelope(
    typesOf("PaymentIntentEvent"),
    about("PaymentIntent"),
    SEQUENCE_SCHEMA,
    "An event of an intent; the object is the intent.",
  ),
  PaymentEvent: envelope(
    typesOf("PaymentEvent"),
    about("Payment"),
    SEQUENCE_SCHEMA,
    "An event of a payment; the object is the payment.",
  ),
  PaymentMismatchEvent: envelope(
    typesOf("PaymentMismatchEvent"),
    Type.Object({
      object: component("PaymentIntent"),
      previousAttributes,
      mismatch: Type.Array(choice(TERMS), { minItems: 1, description: "The terms that differ." }),
      observed,
    }),
    SEQUENCE_SCHEMA,
    "An event of a payment on the wrong terms; the object is the intent.",
  ),
  DisputeEvent: envelope(
    typesOf("DisputeEvent"),
    about("Dispute"),
    SEQUENCE_SCHEMA,
    "An event of a dispute; the object is the dispute without the texts of either side.",
  ),
  WebhookEndpointEvent: envelope(
    typesOf("WebhookEndpointEvent"),
    Type.Object({ object: endpoint, previousAttributes }),
    SEQUENCE_SCHEMA,
    "An event of a webhook endpoint, for the business's other endpoints.",
  ),
  SequenceGapEvent: envelope(
    typesOf("SequenceGapEvent"),
    Type.Object({
      object: Type.Object(
        {
          object: Type.Literal("sequence_gap"),
          after: member(SEQUENCE, "The last sequence before the gap."),
          before: member(SEQUENCE, "The first above it: this event's own."),
        },
        { description: "No event has a sequence between the two; what had one is lost." },
      ),
    }),
    SEQUENCE_SCHEMA,
    "The gap that a restore left in the sequence, for every endpoint.",
  ),
  TestEvent: envelope(
    ["webhook.test"],
    Type.Object({
      object: Type.Object({
        object: Type.Literal("webhook_test"),
        endpoint: idKind("we").schema,
      }),
    }),
    Type.Null({ description: "Null, since it is never recorded." }),
    "Sent by hand to test an endpoint. Signed like any other, and never recorded in the events API.",
  ),
  EventList: listOf("Event", "Events", "newest first", BOUNDS),
  WebhookEvent: Type.Union([component("Event"), component("TestEvent")], {
    description: "The body of a delivery: an event, or that of a test.",
  }),
};

/** An event of a payment, with the payment of all examples. */
export const PAYMENT_EVENT_EXAMPLE = {
  object: "event",
  id: "evt_test_5szw01a1fc0a6b1e6aa1dfb6bc9487e1991e",
  type: "payment.protected",
  apiVersion: API_VERSIONS[0],
  environment: "test",
  sequence: "2",
  occurredAt: "2026-11-21T02:58:22.001Z",
  createdAt: "2026-11-21T02:58:23.646Z",
  data: { object: PAYMENT_EXAMPLE },
} as const;

const declare = declarations({ tag: "Events", errors: ["not_found"] });

/** §4.10. */
export const LIST_EVENTS = declare({
  operationId: "listEvents",
  summary: "List events",
  description: `All events, newest first. Poll it when your webhook endpoint was down longer than the retry window.\n\nTo follow without missing anything: begin with \`after_sequence=0\` (or where you stopped), take the events it returns, which are the \`limit\` ones just above, and go on from the highest \`sequence\`. If you filter, go on from \`lastSequence\` once \`hasMore\` is false. If \`oldestSequence\` is more than one above where you stopped, events between are deleted: you were away for longer than they are kept. With \`wait\` the request is held open until there is something newer, and counts once against the rate; a third waiting request of the same key is answered at once.`,
  query: {
    type: typeParameter,
    intent: parameter(TEXT, "Only events of this intent and its payments.", { filter: equals("e.intent_id") }),
    payment: parameter(TEXT, "Only events of this payment.", { filter: equals("e.payment_address") }),
    occurred_after: parameter(TIME, "Only events that occurred after this time.", { filter: isAfter("e.occurred_at") }),
    occurred_before: parameter(TIME, "Only events that occurred before this time.", {
      filter: isBefore("e.occurred_at"),
    }),
    after_sequence: afterSequenceParameter,
    wait: waitParameter,
    ...pageParameters(idKind("evt"), PAYMENT_EVENT_EXAMPLE.id, "event"),
  },
  success: {
    status: 200,
    description: "A page of events.",
    schema: component("EventList"),
    example: { object: "list", data: [PAYMENT_EVENT_EXAMPLE], hasMore: true },
  },
  links: {
    get: {
      operationId: "getEvent",
      parameters: { id: "$response.body#/data/0/id" },
      description: "Read the first of them.",
    },
  },
});

/** The filters of the list, and the range of its page. */
export type EventQuery = QueryValues<typeof LIST_EVENTS.query>;
export type EventFilter = Omit<EventQuery, keyof Page | "afterSequence" | "wait">;

export const GET_EVENT = declare({
  operationId: "getEvent",
  summary: "Get an event",
  description: "An event, byte for byte as it was delivered. Events are kept for 30 days unless set otherwise.",
  path: {
    id: pathPart(idKind("evt"), "The event's id.", PAYMENT_EVENT_EXAMPLE.id),
  },
  success: answer(200, "The event.", "Event", PAYMENT_EVENT_EXAMPLE),
});
