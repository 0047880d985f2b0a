import { Type } from "typebox";
import { invalid } from "../../../domain/errors.ts";
import { ENVIRONMENTS } from "../../../domain/terms.ts";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { checkedText, choiceField, type Field, requestBody } from "../../../edge/http/fields.ts";
import { choice, component, listOf, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { tenantPath } from "../../../edge/staff/paths.ts";
import { EVENT_TYPES } from "../../events/event.ts";
import { SECRET_GRACES, type SecretGrace } from "../webhook.ts";
import { HELD_COUNTED_MAX } from "./limits.ts";

const ENDPOINT_ID = "we_01a1fc0b2c1e6aa1e08fe78beda3c56d";
const URL = "https://shop.com/hooks";
const SECRET = `whsec_${"bG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQgY29uc2U="}`;

const endpoint = {
  object: Type.Literal("webhook_endpoint"),
  id: Type.String({ pattern: "^we_[0-9a-f]{32}$" }),
  url: Type.String(),
  eventTypes: Type.Array(choice(["*", ...EVENT_TYPES]), { description: '`["*"]`: all types, those added later too.' }),
  environment: choice(ENVIRONMENTS),
  status: choice(["enabled", "disabled", "failing"], {
    description: "`failing`: five deliveries in a row were abandoned.",
  }),
  state: Type.String({ description: "The state in sentences: since when, why, what is held, what enabling does." }),
  disabledAt: nullable(timestamp("Since when it is not enabled.")),
  failingSince: nullable(
    timestamp("The end of the first attempt that failed since one succeeded. Null unless the newest attempt failed."),
  ),
  lastError: nullable(Type.String(), {
    description: "Why the newest attempt failed, in words. Null unless it did.",
    examples: ["the connection was refused"],
  }),
  abandonedInARow: Type.Integer({ minimum: 0 }),
  pending: Type.Integer({ minimum: 0, description: `Deliveries that have not ended, at most ${HELD_COUNTED_MAX}.` }),
  oldestPendingAt: nullable(timestamp("When the oldest of them was made.")),
  apiVersion: Type.String({ description: "The version of the bodies it gets." }),
  secretForm: choice(["opaque", "standard"], {
    description: "A `standard` secret also signs the headers of Standard Webhooks.",
  }),
  previousSecretUntil: nullable(timestamp("Until when the secret before it is valid too.")),
  createdAt: timestamp("When it was added."),
};

export const endpointComponents: Components = {
  WebhookEndpoint: Type.Object(endpoint, { description: "A webhook endpoint." }),
  IssuedWebhookEndpoint: Type.Object(
    { ...endpoint, secret: Type.String({ description: "The signing secret: this is the only time it is shown." }) },
    { description: "An endpoint with a new signing secret." },
  ),
  WebhookEndpointList: listOf("WebhookEndpoint", "Endpoints"),
  EndpointUrlCheck: Type.Object(
    {
      object: Type.Literal("endpoint_url_check"),
      url: nullable(Type.String(), { description: "The URL as it would be kept; null when it breaks a rule." }),
      problem: nullable(Type.String(), { description: "What is wrong, in a sentence. Null: it may be added." }),
      warning: nullable(Type.String(), {
        description: "Why a delivery would fail now, though the URL may be added: what DNS says of its name.",
      }),
    },
    { description: "Whether events may be sent to a URL." },
  ),
  WebhookTest: Type.Object(
    {
      object: Type.Literal("webhook_test"),
      event: Type.String({ description: "The id of the `webhook.test` event." }),
      succeeded: nullable(Type.Boolean(), { description: "Null: no worker has sent it yet." }),
      statusCode: nullable(Type.Integer()),
      error: nullable(Type.String()),
      durationMs: nullable(Type.Integer()),
    },
    { description: "What became of a test." },
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

/** Longer than any URL that is taken; the destination's own rules say what is wrong with it. */
const URL_TEXT_MAX = 4_096;
const urlField = checkedText(
  Type.String({ maxLength: URL_TEXT_MAX }),
  `a URL such as ${URL}`,
  (text) => text.length <= URL_TEXT_MAX,
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
/** May be left out; null is no value. */
const leftOut = <Value>(field: Field<Value>): Field<Value | undefined> => ({ ...field, fallback: undefined });

export const LIST_ENDPOINTS = {
  operationId: "listWebhookEndpoints",
  tag,
  summary: "List endpoints",
  description: "All endpoints of the environment, at most five, the oldest first.",
  path: tenantPath,
  success: {
    status: 200,
    description: "The endpoints.",
    schema: component("WebhookEndpointList"),
    example: { object: "list", data: [EXAMPLE], hasMore: false },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

const ONE = {
  status: 200,
  description: "The endpoint.",
  schema: component("WebhookEndpoint"),
  example: EXAMPLE,
} as const;

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
  description:
    "Says whether events may be sent there, by the rules of every delivery and by what DNS says now. Nothing is sent.",
  path: tenantPath,
  changesNothing: true,
  body: requestBody({
    component: "EndpointUrlInput",
    operation: "The check",
    fields: { url: urlField },
    example: { url: URL },
  }),
  success: {
    status: 200,
    description: "What is wrong with it, if anything.",
    schema: component("EndpointUrlCheck"),
    example: { object: "endpoint_url_check", url: URL, problem: null, warning: null },
  },
  errors: ["forbidden", "not_found", "rate_limited"],
} as const satisfies Declaration;

export const ADD_ENDPOINT = {
  operationId: "addWebhookEndpoint",
  tag,
  summary: "Add an endpoint",
  description: "At most five in an environment. The signing secret is shown this once.",
  path: tenantPath,
  body: requestBody({
    component: "EndpointInput",
    operation: "The operation",
    fields: { url: urlField, eventTypes: { ...typesField, fallback: ["*"] } },
    example: { url: URL, eventTypes: ["payment.protected", "payment.released"] },
  }),
  success: {
    status: 201,
    description: "The endpoint.",
    schema: component("IssuedWebhookEndpoint"),
    example: { ...ISSUED, eventTypes: ["payment.protected", "payment.released"] },
  },
  errors: freshErrors,
} as const satisfies Declaration;

export const CHANGE_ENDPOINT = {
  operationId: "changeWebhookEndpoint",
  tag,
  summary: "Change an endpoint",
  description: "Its URL, its types or both; what is left out stays, and so do its secret and what waits for it.",
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
    "Issues a new secret, shown this once; the old one stays valid for the grace, and deliveries carry both signatures.",
  path: endpointPath,
  body: requestBody({
    component: "SecretRollInput",
    operation: "The roll",
    fields: { grace: choiceField(Object.keys(SECRET_GRACES) as SecretGrace[]) },
    example: { grace: "24h" },
  }),
  success: {
    status: 201,
    description: "The endpoint with its new secret.",
    schema: component("IssuedWebhookEndpoint"),
    example: { ...ISSUED, previousSecretUntil: "2026-11-21T08:30:00.000Z" },
  },
  errors: freshErrors,
} as const satisfies Declaration;

export const TEST_ENDPOINT = {
  operationId: "testWebhookEndpoint",
  tag,
  summary: "Test an endpoint",
  description: "Sends a `webhook.test` event once, and waits for the answer up to twelve seconds.",
  path: endpointPath,
  success: {
    status: 200,
    description: "What became of it.",
    schema: component("WebhookTest"),
    example: {
      object: "webhook_test",
      event: "evt_test_01a1fc0a6b1e6aa1e08fe78beda3c56d",
      succeeded: true,
      statusCode: 200,
      error: null,
      durationMs: 84,
    },
  },
  errors: [...writeErrors, "rate_limited"],
} as const satisfies Declaration;

export const ENABLE_ENDPOINT = {
  operationId: "enableWebhookEndpoint",
  tag,
  summary: "Enable an endpoint",
  description: "What was held for it is sent.",
  path: endpointPath,
  success: ONE,
  errors: writeErrors,
} as const satisfies Declaration;

export const DISABLE_ENDPOINT = {
  operationId: "disableWebhookEndpoint",
  tag,
  summary: "Disable an endpoint",
  description: "Its events are held until it is enabled.",
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
  description: "What was still to be sent to it is not sent.",
  path: endpointPath,
  success: { status: 200, description: "Done.", schema: component("Done"), example: { object: "done" } },
  errors: freshErrors,
} as const satisfies Declaration;
