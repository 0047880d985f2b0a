import { Type } from "typebox";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import { flagParameter, pageParameters, textParameter, timeParameter } from "../../edge/http/parameters.ts";
import { component, listOf, nullable, timestamp } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";

const REQUEST_ID = "req_01a1fc0c51d3c3b2a1908f7e6d5c4b3a";
const KEY_ID = "key_01a1fc07df8c619d8e6ec9114ad57676";
const AT = "2026-11-20T08:30:00.000Z";
const tag = "Requests";

const request = {
  object: Type.Literal("request"),
  id: Type.String({ description: "The `Request-Id` of its answer." }),
  key: Type.String({ description: "The id of the API key." }),
  method: Type.String(),
  path: Type.String({ description: "With its query, 500 characters at most; what looks like a secret is left out." }),
  status: Type.Integer(),
  errorCode: nullable(Type.String(), { description: "Null: it was answered without an error." }),
  durationMs: Type.Number({ minimum: 0 }),
  about: nullable(Type.String(), { description: "The id of what it is about: in its path, or made by it." }),
  arrivedAt: timestamp("When it arrived, by the process that answered it."),
};

export const requestComponents: Components = {
  Request: Type.Object(request, { description: "A request of the merchant API, of the last seven days." }),
  RequestList: listOf("Request", "Requests"),
  RequestDetails: Type.Object(
    {
      ...request,
      body: nullable(Type.String(), {
        description:
          "The body as it was sent, without `metadata`; null when there was none, or more than 2,000 characters.",
      }),
      answer: nullable(Type.String(), {
        description: "The error as it was answered; null: there was none, or it is not kept.",
      }),
      meaning: nullable(Type.String(), { description: "What this error means in general, and what to do." }),
    },
    { description: "A request with its body, and why it was refused." },
  ),
};

const { limit, starting_after } = pageParameters({
  pattern: "^req_[0-9a-f]{32}$",
  example: REQUEST_ID,
  noun: "request",
});

const EXAMPLE = {
  object: "request",
  id: REQUEST_ID,
  key: KEY_ID,
  method: "POST",
  path: "/api/v1/payment-intents",
  status: 400,
  errorCode: "invalid_request",
  durationMs: 2.4,
  about: null,
  arrivedAt: AT,
};

export const LIST_REQUESTS = {
  operationId: "listRequests",
  tag,
  summary: "List requests",
  description: "Requests of the last seven days that came with a key of this environment, newest first.",
  path: tenantPath,
  query: {
    key: textParameter({ description: "Only requests with this key.", example: KEY_ID }),
    error_code: textParameter({ description: "Only requests answered with this error.", example: "invalid_request" }),
    failed: flagParameter({ description: "Only requests answered with an error, or only the others." }),
    about: textParameter({ description: "Only requests about this intent, payment or event." }),
    arrived_after: timeParameter({ description: "Only requests after this time.", example: AT }),
    arrived_before: timeParameter({ description: "Only requests before this time.", example: AT }),
    limit,
    starting_after,
  },
  success: {
    status: 200,
    description: "A page of requests.",
    schema: component("RequestList"),
    example: { object: "list", data: [EXAMPLE], hasMore: false },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const GET_REQUEST = {
  operationId: "getRequest",
  tag,
  summary: "Get a request",
  description: "By its Request-Id, with its body.",
  path: {
    ...tenantPath,
    request: { schema: Type.String(), description: "The Request-Id.", example: REQUEST_ID },
  },
  success: {
    status: 200,
    description: "The request.",
    schema: component("RequestDetails"),
    example: {
      ...EXAMPLE,
      body: '{"amount":"0"}',
      answer: '{"error":{"code":"invalid_request","param":"amount","message":"Expected digits."}}',
      meaning: "A field, query parameter or header is wrong; `param` names it and the message says what was expected.",
    },
  },
  errors: ["not_found"],
} as const satisfies Declaration;
