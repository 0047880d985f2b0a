import { Type } from "typebox";
import { invalid } from "../../../domain/errors.ts";
import { idKind } from "../../../domain/ids.ts";
import { ENVIRONMENTS } from "../../../domain/terms.ts";
import { checked, oneOf } from "../../../domain/values.ts";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { type Field, field, requestBody } from "../../../edge/http/fields.ts";
import { answer, choice, component, listAnswer, listOf, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { tenantPath } from "../../../edge/staff/paths.ts";
import { EVENT_TYPES } from "../../events/eventTypes.ts";
import { SECRET_GRACES, type SecretGrace } from "../webhook.ts";
import { HELD_COUNTED_MAX } from "./limits.ts";

const ENDPOINT_ID = "we_test_5szw01a1fc0b2c1e6aa1e08fe78beda3c56d";
const URL = "https://shop.com/hooks";
const SECRET = `whsec_${"bG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQgY29uc2U="}`;

const endpoint = {
  object: Type.Literal("webhook_endpoint"),
  id: idKind("we").schema,
  url: Type.String(),
  eventTypes: Type.Array(choice(["*", ...EVENT_TYPES]), {
    description: '`["*"]` stands for all types, including future ones.',
  }),
  environment: choice(ENVIRONMENTS),
  status: choice(["enabled", "disabled", "failing"], {
    description: "`failing`: five deliveries in a row were abandoned.",
  }),
  state: Type.String({
    description: "The status in sentences: its start, its reason, the deliveries held, and the effect of enabling.",
  }),
  disabledAt: nullable(timestamp("Time from which it is not enabled."), { description: "Null while it is enabled." }),
  failingSince: nullable(
    timestamp("End of the first failed attempt since the last success. Null unless the last attempt failed."),
  ),
  lastError: nullable(Type.String(), {
    description: "Error of the last attempt, in words; null if it did not fail.",
    examples: ["the connection was refused"],
  }),
  abandonedInARow: Type.Integer({ minimum: 0 }),
  pending: Type.Integer({ minimum: 0, description: `Pending deliveries, counted up to ${HELD_COUNTED_MAX}.` }),
  oldestPendingAt: nullable(timestamp("Creation time of the oldest pending delivery."), {
    description: "Null if there is none.",
  }),
  apiVersion: Type.String({ description: "API version of the bodies that it receives." }),
  secretForm: choice(["opaque", "standard"], {
    description: "A `standard` secret also signs the headers of Standard Webhooks.",
  }),
  previousSecretUntil: nullable(timestamp("Time until which the previous secret is valid, too."), {
    description: "Null if there is none.",
  }),
  createdAt: timestamp("Time at which it was added."),
};

export const endpointComponents: Components = {
  WebhookEndpoint: Type.Object(endpoint, { description: "A webhook endpoint." }),
  IssuedWebhookEndpoint: Type.Object(
    { ...endpoint, secret: Type.String({ description: "The signing secret: this is the only time it is shown." }) },
    { description: "An endpoint with a new signing secret." },
  ),
  WebhookEndpointList: listOf("WebhookEndpoint", "Endpoints", "oldest first"),
  EndpointUrlCheck: Type.Object(
    {
      object: Type.Literal("endpoint_url_check"),
      url: nullable(Type.String(), { description: "The URL in the form that is stored; null if it breaks a rule." }),
      problem: nullable(Type.String(), {
        description: "The rule that it breaks, in a sentence; null if it may be added.",
      }),
      warning: nullable(Type.String(), {
        description: "Reason for which a delivery would fail now although the URL may be added, by its DNS records.",
      }),
    },
    { description: "The check of a URL." },
  ),
  WebhookTest: Type.Object(
    {
      object: Type.Literal("webhook_test"),
      event: Type.String({ description: "The id of the `webhook.test` event." }),
      succeeded: nullable(Type.Boolean(), { description: "Null until a worker has sent it." }),
      statusCode: nullable(Type.Integer()),
      error: nullable(Type.String()),
      durationMs: nullable(Type.Integer()),
    },
    { description: "The result of a test." },
  ),
};

const endpointPath = {
  ...tenantPath,
  endpoint: { schema: Type.String(), description: "The endpoint's id.", example: ENDPOINT_ID },
} as const;

const EXAMPLE = {
  object: "webhook_endpoint",
  id: ENDPOINT_ID,
  url: URL,
  eventTypes: ["*"],
  environment: "test",
  status: "enabled",
  state: "Enabled. No delivery waits to be sent.",
  disabledAt: null,
  failingSince: null,
  lastError: null,
  abandonedInARow: 0,
  pending: 0,
  oldestPendingAt: null,
  apiVersion: "2026-11-20",
  secretForm: "standard",
  previousSecretUntil: null,
  createdAt: "2026-11-20T08:30:00.000Z",
};
const ISSUED = { ...EXAMPLE, secret: SECRET };
const writeErrors = ["forbidden", "not_found", "action_refused"] as const;
const freshErrors = ["forbidden", "proof_required", "not_found", "action_refused"] as const;
const tag = "Webhooks";

/** Longer than any valid URL. The destination's own rules name the error. */
const URL_TEXT_MAX = 4_096;
const urlField = field(
  checked({ maxLength: URL_TEXT_MAX }, `a URL such as ${URL}`, (text) => text.length <= URL_TEXT_MAX),
);
/** More names than there are types. */
const TYPES_MAX = 50;
const typesField: Field<readonly string[]> = {
  schema: Type.Array(Type.String(), { minItems: 1, maxItems: TYPES_MAX }),
  expected: `an array of event types, or ["*"]`,
  parse: ({ value, unstorable }, name) => {
    const isList = Array.isArray(value) && value.length > 0 && value.length <= TYPES_MAX;
    if (unstorable || !isList || !value.every((one) => typeof one === "string"))
      throw invalid(name, `Expected ${typesField.expected}.`);
    return value as string[];
  },
};
/** A member that may be left out, but not null. */
const leftOut = <Value>(field: Field<Value>): Field<Value | undefined> => ({ ...field, fallback: undefined });

export const LIST_ENDPOINTS = {
  operationId: "listWebhookEndpoints",
  tag,
  summary: "List endpoints",
  description: "All endpoints of the environment, oldest first; there are at most five.",
  path: tenantPath,
  success: listAnswer("The endpoints.", "WebhookEndpoint", EXAMPLE),
  errors: ["not_found"],
} as const satisfies Declaration;

const ONE = answer(200, "The endpoint.", "WebhookEndpoint", EXAMPLE);

export const GET_ENDPOINT = {
  operationId: "getWebhookEndpoint",
  tag,
  summary: "Get an endpoint",
  description: "Its secret is never shown again.",
  path: endpointPath,
  success: ONE,
  errors: ["not_found"],
} as const satisfies Declaration;

export const CHECK_URL = {
  operationId: "checkWebhookUrl",
  tag,
  summary: "Check a URL",
  description: "Checks a URL by the rules of every delivery and by its DNS records. Nothing is sent.",
  path: tenantPath,
  changesNothing: true,
  body: requestBody({
    component: "EndpointUrlInput",
    operation: "The check",
    fields: { url: urlField },
    example: { url: URL },
  }),
  success: answer(200, "The result of the check.", "EndpointUrlCheck", {
    object: "endpoint_url_check",
    url: URL,
    problem: null,
    warning: null,
  }),
  errors: ["forbidden", "not_found", "rate_limited"],
} as const satisfies Declaration;

export const ADD_ENDPOINT = {
  operationId: "addWebhookEndpoint",
  tag,
  summary: "Add an endpoint",
  description: "An environment has at most five. Only this answer shows the signing secret.",
  path: tenantPath,
  body: requestBody({
    component: "EndpointInput",
    operation: "The operation",
    fields: { url: urlField, eventTypes: { ...typesField, fallback: ["*"] } },
    example: { url: URL, eventTypes: ["payment.protected", "payment.released"] },
  }),
  success: answer(201, "The endpoint.", "IssuedWebhookEndpoint", {
    ...ISSUED,
    eventTypes: ["payment.protected", "payment.released"],
  }),
  errors: freshErrors,
} as const satisfies Declaration;

export const CHANGE_ENDPOINT = {
  operationId: "changeWebhookEndpoint",
  tag,
  summary: "Change an endpoint",
  description: "Changes its URL, its types or both. Its secret and its pending deliveries stay.",
  path: endpointPath,
  body: requestBody({
    component: "EndpointChangeInput",
    operation: "The change",
    fields: { url: leftOut(urlField), eventTypes: leftOut(typesField) },
    example: { eventTypes: ["*"] },
  }),
  success: ONE,
  errors: freshErrors,
} as const satisfies Declaration;

export const ROLL_SECRET = {
  operationId: "rollWebhookSecret",
  tag,
  summary: "Roll a signing secret",
  description:
    "Issues a new secret, which only this answer shows. The old one stays valid for the grace period, in which deliveries carry both signatures.",
  path: endpointPath,
  body: requestBody({
    component: "SecretRollInput",
    operation: "The roll",
    fields: { grace: field(oneOf(Object.keys(SECRET_GRACES) as SecretGrace[])) },
    example: { grace: "24h" },
  }),
  success: answer(201, "The endpoint with its new secret.", "IssuedWebhookEndpoint", {
    ...ISSUED,
    previousSecretUntil: "2026-11-21T08:30:00.000Z",
  }),
  errors: freshErrors,
} as const satisfies Declaration;

export const TEST_ENDPOINT = {
  operationId: "testWebhookEndpoint",
  tag,
  summary: "Test an endpoint",
  description: "Sends a `webhook.test` event once, and waits up to twelve seconds for its answer.",
  path: endpointPath,
  success: answer(200, "The result of the test.", "WebhookTest", {
    object: "webhook_test",
    event: "evt_test_5szw01a1fc0a6b1e6aa1e08fe78beda3c56d",
    succeeded: true,
    statusCode: 200,
    error: null,
    durationMs: 84,
  }),
  errors: [...writeErrors, "rate_limited"],
} as const satisfies Declaration;

export const ENABLE_ENDPOINT = {
  operationId: "enableWebhookEndpoint",
  tag,
  summary: "Enable an endpoint",
  description: "Enables it, and sends the deliveries that were held.",
  path: endpointPath,
  success: ONE,
  errors: writeErrors,
} as const satisfies Declaration;

export const DISABLE_ENDPOINT = {
  operationId: "disableWebhookEndpoint",
  tag,
  summary: "Disable an endpoint",
  description: "Disables it. Its deliveries are held until it is enabled.",
  path: endpointPath,
  success: {
    ...ONE,
    example: {
      ...EXAMPLE,
      status: "disabled",
      state:
        "Disabled by a person since 2026-11-20T09:00:00.000Z. No delivery is held, and new events are held as they come. Enabling it sends what is held, each from the attempt it had reached, and sets the count of abandoned deliveries to 0.",
      disabledAt: "2026-11-20T09:00:00.000Z",
    },
  },
  errors: writeErrors,
} as const satisfies Declaration;

export const DELETE_ENDPOINT = {
  operationId: "deleteWebhookEndpoint",
  tag,
  summary: "Delete an endpoint",
  description: "Deletes it, with its pending deliveries.",
  path: endpointPath,
  success: { status: 200, description: "Done.", schema: component("Done"), example: { object: "done" } },
  errors: freshErrors,
} as const satisfies Declaration;
