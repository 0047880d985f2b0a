import { type TSchema, Type } from "typebox";
import { ERRORS, type ErrorCode } from "../../domain/errors.ts";
import { API_VERSION } from "../../domain/version.ts";
import { type Components, type Documentation, HEADERS_OF, type Parameters } from "./documentation.ts";
import { ERROR_DOCS, errorComponent, errorComponents } from "./errorDocs.ts";
import { REQUEST_HEADERS, RESPONSE_HEADERS } from "./headerDocs.ts";
import { INTRODUCTION, TAGS } from "./introduction.ts";
import type { MerchantRoute } from "./route.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document of JSON, whose readers say what they expect of it.
export type Json = any;

export interface ApiDescription {
  readonly routes: readonly Pick<MerchantRoute, "method" | "path" | "docs">[];
  readonly components: Components;
  /** Webhooks by event type, as OpenAPI has them. */
  readonly webhooks: Readonly<Record<string, object>>;
  /** What is shown beside the operations' own parts. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

export const PREFIX = "/api/v1";
type Method = MerchantRoute["method"];
/** What any request can meet; a POST meets a few more. */
const ERRORS_OF_ALL: readonly ErrorCode[] = [
  "bad_request",
  "invalid_request",
  "unauthorized",
  "browser_request",
  "rate_limited",
  "internal_error",
  "unavailable",
];
const ERRORS_OF_POST: readonly ErrorCode[] = ["idempotency_conflict", "idempotency_in_progress"];

/** The OpenAPI 3.1 document of the routes that are registered: nothing in it is written twice. */
export const describeApi = ({ routes, components, webhooks, tags }: ApiDescription): Json => ({
  openapi: "3.1.0",
  info: {
    title: "Holdfast API",
    version: API_VERSION,
    summary: "Payment intents with buyer protection on Solana.",
    description: INTRODUCTION,
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  servers: [{ url: PREFIX, description: "This deployment." }],
  security: [{ apiKey: [] }],
  tags: [...TAGS, ...tags],
  paths: describePaths(routes),
  webhooks,
  components: {
    securitySchemes: {
      apiKey: {
        type: "http",
        scheme: "bearer",
        bearerFormat: "sk_test_… or sk_live_…",
        description: "An API key. It decides the business and the environment, and belongs on a server.",
      },
    },
    headers: RESPONSE_HEADERS,
    examples: errorExamples,
    responses: describeErrors(routes),
    schemas: { ...components, ...errorComponents },
  },
});

function describePaths(routes: ApiDescription["routes"]): Json {
  const paths: Record<string, Json> = {};
  for (const { method, path, docs } of routes) {
    const template = path.replace(/:([a-z]+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: describeOperation(method, docs) };
  }
  return paths;
}

function describeOperation(method: Method, docs: Documentation): Json {
  const { operationId, tag, summary, description, body } = docs;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...describeParameters("path", docs.path ?? {}),
      ...describeParameters("query", docs.query ?? {}),
      ...HEADERS_OF[method].map((name) => REQUEST_HEADERS[name]),
    ],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: json(body.schema, { example: { value: body.example } }) } }),
    responses: { ...describeSuccess(method, docs), ...referToErrors(method, docs) },
  };
}

const describeParameters = (place: "path" | "query", parameters: Parameters): Json[] =>
  Object.entries(parameters).map(([name, { schema, description, example, repeatable }]) => ({
    name,
    in: place,
    required: place === "path",
    description,
    schema,
    ...(repeatable ? { style: "form", explode: true } : {}),
    ...(example === undefined ? {} : { example: repeatable ? [example] : example }),
  }));

const json = (schema: TSchema, examples: Json): Json => ({ "application/json": { schema, examples } });
const headers = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const EVERYWHERE = ["Request-Id", "Service-Api-Version"];
const WITH_A_KEY = [...EVERYWHERE, "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];

const describeSuccess = (method: Method, { success, links }: Documentation): Json => ({
  [success.status]: {
    description: success.description,
    headers: headers(method === "POST" ? [...WITH_A_KEY, "Idempotent-Replayed"] : WITH_A_KEY),
    content: json(success.schema, { example: { value: success.example } }),
    ...(links === undefined ? {} : { links }),
  },
});

/** What a request of a method can meet, by status; several operations share each of these answers. */
function errorsOf(method: Method, docs: Documentation): Map<number, ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>();
  const add = (status: number, code: ErrorCode) => byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  for (const code of [...ERRORS_OF_ALL, ...docs.errors, ...(method === "POST" ? ERRORS_OF_POST : [])])
    add(ERRORS[code].status, code);
  if (method === "POST") for (const status of [413, 415]) add(status, "bad_request");
  return byStatus;
}

/** `post.409.reference_in_use.idempotency_conflict`: the component that describes such an answer. */
const answerName = (method: Method, status: number, codes: readonly ErrorCode[]): string =>
  [method.toLowerCase(), status, ...codes].join(".");

const referToErrors = (method: Method, docs: Documentation): Json =>
  Object.fromEntries(
    [...errorsOf(method, docs)].map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${answerName(method, status, codes)}` },
    ]),
  );

const describeErrors = (routes: ApiDescription["routes"]): Json =>
  Object.fromEntries(
    routes.flatMap(({ method, docs }) =>
      [...errorsOf(method, docs)].map(([status, codes]) => [
        answerName(method, status, codes),
        describeError(method, status, codes),
      ]),
    ),
  );

function describeError(method: Method, status: number, codes: readonly ErrorCode[]): Json {
  const refs = codes.map((code) => Type.Ref(`#/components/schemas/${errorComponent(code)}`));
  const retry = status === 429 || status === 503 ? ["Retry-After"] : [];
  const replay = method === "POST" && codes.some((code) => ERRORS[code].storable) ? ["Idempotent-Replayed"] : [];
  const named = status === 429 ? WITH_A_KEY : EVERYWHERE;
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_DOCS[code].meaning}`).join("\n\n"),
    headers: headers([...named, ...retry, ...replay]),
    content: json(
      refs.length === 1 ? refs[0]! : Type.Union(refs),
      Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    ),
  };
}

const errorExamples: Json = Object.fromEntries(
  Object.entries(ERROR_DOCS).map(([code, { example }]) => [code, { value: { error: { code, ...example } } }]),
);
