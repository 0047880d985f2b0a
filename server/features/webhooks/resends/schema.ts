import { Type } from "typebox";
import { invalid } from "../../../domain/errors.ts";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { type Field, requestBody } from "../../../edge/http/fields.ts";
import {
  camelCase,
  type Parameter,
  type QueryParameters,
  type QueryValues,
  timeParameter,
} from "../../../edge/http/parameters.ts";
import { component, nullable } from "../../../edge/http/schemas.ts";
import { SEQUENCE } from "../../events/event.ts";
import { AT, DELIVERY_FILTERS, deliveryPath, endpointPath, INTENT_ID } from "../queue/schema.ts";

const RESEND_ID = "res_01a1fc0d3a6e4b1c9d2e8f7a6b5c4d3e";
const RESEND_PATTERN = "^res_[0-9a-f]{32}$";
const tag = "Webhooks";
const changes = ["listWebhookDeliveries", "getWebhookDelivery", "getWebhookEndpoint"] as const;

export const resendComponents: Components = {
  WebhookResend: Type.Object(
    {
      object: Type.Literal("webhook_resend"),
      id: Type.String({ pattern: RESEND_PATTERN }),
      resent: Type.Integer({ minimum: 0, description: "How many attempts are queued so far." }),
      made: Type.Integer({ minimum: 0, description: "Of a replay: events that had no delivery, and have one now." }),
      done: Type.Boolean({ description: "False: send the same request again for the next part." }),
      limited: Type.Boolean({ description: "It is done at the most that one may be; there is more." }),
    },
    { description: "A resend or replay, and how far it has come." },
  ),
  WebhookReplaySize: Type.Object(
    {
      object: Type.Literal("webhook_replay_size"),
      eventsMax: Type.Integer({
        minimum: 0,
        description: "So many events at most; those of types that the endpoint did not choose are counted too.",
      }),
    },
    { description: "What a replay would come to." },
  ),
};

const RESENT = {
  status: 200,
  description: "How far it has come.",
  schema: component("WebhookResend"),
  example: { object: "webhook_resend", id: RESEND_ID, resent: 1, made: 0, done: true, limited: false },
} as const;
const errors = ["forbidden", "not_found", "action_refused"] as const;

const resendId: Field<string> = {
  schema: Type.String({
    pattern: RESEND_PATTERN,
    description: "Chosen by the caller. The same request under the same id goes on with it and sends nothing twice.",
  }),
  expected: "an id: res_ and 32 hexadecimal digits of your choice",
  parse: ({ value }, name) => {
    if (typeof value !== "string" || !new RegExp(RESEND_PATTERN).test(value))
      throw invalid(name, "Expected res_ and 32 hexadecimal digits of your choice.");
    return value;
  },
};

/** A member of a body that is read as a parameter of a query is; null, or left out, it says nothing. */
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

/** Longer than any intent's id and any address: what was asked for is kept. */
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
  description: "One more attempt at once, whatever became of it; none while one that a person asked for waits.",
  path: deliveryPath,
  success: RESENT,
  errors,
} as const satisfies Declaration;

export const RESEND_OBJECT = {
  operationId: "resendWebhooksOfObject",
  changes,
  tag,
  summary: "Resend all of an object",
  description:
    "The events of an intent, or of a payment, once more and in order: each when the one before has ended. The oldest 500 at most.",
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
  summary: "Resend what matches",
  description:
    "One more attempt of each delivery that matches, newest event first: at most 500 in one call, and 10,000 in all.",
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

const sequenceParameter: Parameter<string | null> = {
  schema: Type.String({ pattern: SEQUENCE.source }),
  description: "A sequence: digits without leading zeros, 0 to begin.",
  parse: ([text], name) => {
    if (text === undefined) return null;
    if (!SEQUENCE.test(text)) throw invalid(name, "Expected a sequence: digits without leading zeros, 0 to begin.");
    return text;
  },
};

export const REPLAY = {
  operationId: "replayWebhooks",
  changes,
  tag,
  summary: "Replay since",
  description:
    "Sends what was recorded since a time, or after a sequence, and the endpoint subscribes to: at most 5,000 events in one call, and 100,000 in all.",
  path: endpointPath,
  body: requestBody({
    component: "ReplayInput",
    operation: "The replay",
    fields: {
      id: resendId,
      since: member(timeParameter("Where to begin, as a time.")),
      afterSequence: member(sequenceParameter),
    },
    example: { id: RESEND_ID, since: AT },
  }),
  success: { ...RESENT, example: { ...RESENT.example, resent: 12, made: 3 } },
  errors,
} as const satisfies Declaration;

export const GET_REPLAY_SIZE = {
  operationId: "getWebhookReplaySize",
  tag,
  summary: "What a replay would come to",
  description: "An upper bound, from the sequences. Nothing is sent.",
  path: endpointPath,
  query: {
    since: timeParameter("Where the replay would begin; else with all that is kept.", { example: AT }),
  },
  success: {
    status: 200,
    description: "The bound.",
    schema: component("WebhookReplaySize"),
    example: { object: "webhook_replay_size", eventsMax: 1_204 },
  },
  errors: ["not_found"],
} as const satisfies Declaration;
