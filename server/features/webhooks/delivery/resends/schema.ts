import { Type } from "typebox";
import { invalid } from "../../../../domain/errors.ts";
import { idKind } from "../../../../domain/ids.ts";
import { TIME } from "../../../../domain/values.ts";
import type { Components, Declaration } from "../../../../edge/http/declaration.ts";
import { type Field, requestBody } from "../../../../edge/http/fields.ts";
import {
  camelCase,
  type Parameter,
  parameter,
  type QueryParameters,
  type QueryValues,
} from "../../../../edge/http/parameters.ts";
import { answer, nullable } from "../../../../edge/http/schemas.ts";
import { SEQUENCE } from "../../../events/event.ts";
import { AT, DELIVERY_FILTERS, deliveryPath, endpointPath, INTENT_ID } from "../schema.ts";

const RESEND_ID = "res_01a1fc0d3a6e4b1c9d2e8f7a6b5c4d3e";
const tag = "Webhooks";
const changes = ["listWebhookDeliveries", "getWebhookDelivery", "getWebhookEndpoint"] as const;

export const resendComponents: Components = {
  WebhookResend: Type.Object(
    {
      object: Type.Literal("webhook_resend"),
      id: idKind("res").schema,
      resent: Type.Integer({ minimum: 0, description: "Attempts queued so far." }),
      made: Type.Integer({ minimum: 0, description: "Events of a replay that had no delivery and now have one." }),
      done: Type.Boolean({ description: "False: repeat the same request to queue the next part." }),
      limited: Type.Boolean({ description: "It is done because it reached its limit, and more events match." }),
    },
    { description: "A resend or replay, and its progress." },
  ),
  WebhookReplaySize: Type.Object(
    {
      object: Type.Literal("webhook_replay_size"),
      eventsMax: Type.Integer({
        minimum: 0,
        description:
          "Upper bound of the number of events; types that the endpoint does not subscribe to are counted too.",
      }),
    },
    { description: "The size of a replay." },
  ),
};

const RESENT = answer(200, "The progress.", "WebhookResend", {
  object: "webhook_resend",
  id: RESEND_ID,
  resent: 1,
  made: 0,
  done: true,
  limited: false,
});
const errors = ["forbidden", "not_found", "action_refused"] as const;

const resendId: Field<string> = {
  schema: {
    ...idKind("res").schema,
    description: "Chosen by the caller. The same request with the same id continues it and sends nothing twice.",
  },
  expected: "an id: res_ and 32 hexadecimal digits of your choice",
  parse: ({ value }, name) => {
    const text = idKind("res").parse(value);
    if (text === null) throw invalid(name, "Expected res_ and 32 hexadecimal digits of your choice.");
    return text;
  },
};

/** A member of a body that is parsed like a query parameter. Null counts as left out. */
const member = <Value>(parameter: Parameter<Value | null>): Field<Value | null> => ({
  schema: nullable(parameter.schema),
  expected: parameter.description,
  fallback: null,
  parse: ({ value, unstorable }, name) => {
    if (value === null) return null;
    if (unstorable || (typeof value !== "string" && typeof value !== "number"))
      throw invalid(name, "Expected a string or a number.");
    return parameter.parse([String(value)], name, NO_QUERY);
  },
});
const NO_QUERY = new URLSearchParams();

const members = <Parameters extends QueryParameters>(parameters: Parameters) =>
  Object.fromEntries(Object.entries(parameters).map(([name, one]) => [camelCase(name), member(one)])) as {
    readonly [Name in keyof QueryValues<Parameters>]: Field<QueryValues<Parameters>[Name]>;
  };

/** Longer than any intent's id and any address. The request is stored, so its length is limited. */
const OBJECT_CHARACTERS_MAX = 100;
const objectField: Field<string | null> = {
  ...member(DELIVERY_FILTERS.object),
  parse: (given, name) => {
    const object = member(DELIVERY_FILTERS.object).parse(given, name);
    if (object !== null && object.length > OBJECT_CHARACTERS_MAX)
      throw invalid(name, "Expected an intent's id or a payment's address.");
    return object;
  },
};

export const RESEND_DELIVERY = {
  operationId: "resendWebhookDelivery",
  changes: ["getWebhookDelivery", "listWebhookDeliveries"],
  tag,
  summary: "Resend a delivery",
  description: "Queues one more attempt now, whatever the status. Does nothing while a manual resend is queued.",
  path: deliveryPath,
  success: RESENT,
  errors,
} as const satisfies Declaration;

export const RESEND_OBJECT = {
  operationId: "resendWebhooksOfObject",
  changes,
  tag,
  summary: "Resend the events of an object",
  description:
    "Queues the events of an intent or a payment once more, in order: each is sent when the one before has ended. At most the oldest 500.",
  path: endpointPath,
  body: requestBody({
    component: "ObjectResendInput",
    operation: "The operation",
    fields: { id: resendId, object: objectField },
    example: { id: RESEND_ID, object: INTENT_ID },
  }),
  success: RESENT,
  errors,
} as const satisfies Declaration;

export const RESEND_MATCHING = {
  operationId: "resendMatchingWebhooks",
  changes,
  tag,
  summary: "Resend matching deliveries",
  description:
    "Queues one more attempt of each matching delivery, newest event first: at most 500 per call, and 10,000 in all.",
  path: endpointPath,
  body: requestBody({
    component: "MatchingResendInput",
    operation: "The operation",
    fields: {
      id: resendId,
      ...members(DELIVERY_FILTERS),
      object: objectField,
    },
    example: { id: RESEND_ID, status: "abandoned", errorClass: "timeout" },
  }),
  success: { ...RESENT, example: { ...RESENT.example, resent: 500, done: false } },
  errors,
} as const satisfies Declaration;

export const REPLAY = {
  operationId: "replayWebhooks",
  changes,
  tag,
  summary: "Replay events",
  description:
    "Sends the events since a time, or after a sequence, that the endpoint subscribes to: at most 5,000 events per call, and 100,000 in all.",
  path: endpointPath,
  body: requestBody({
    component: "ReplayInput",
    operation: "The replay",
    fields: {
      id: resendId,
      since: member(parameter(TIME, "Start of the replay.")),
      afterSequence: member(parameter(SEQUENCE, "A sequence: digits without leading zeros, 0 to begin.")),
    },
    example: { id: RESEND_ID, since: AT },
  }),
  success: { ...RESENT, example: { ...RESENT.example, resent: 12, made: 3 } },
  errors,
} as const satisfies Declaration;

export const GET_REPLAY_SIZE = {
  operationId: "getWebhookReplaySize",
  tag,
  summary: "Get the size of a replay",
  description: "Counts by the sequences, as an upper bound. Nothing is sent.",
  path: endpointPath,
  query: {
    since: parameter(TIME, "Start of the replay; if left out, the oldest event that is kept.", { example: AT }),
  },
  success: answer(200, "The size.", "WebhookReplaySize", { object: "webhook_replay_size", eventsMax: 1_204 }),
  errors: ["not_found"],
} as const satisfies Declaration;
