import { type TSchema, Type } from "typebox";
import { ERRORS } from "../../domain/errors.ts";
import { API_VERSION } from "../../domain/version.ts";
import type { Components, Declaration } from "./declaration.ts";
import { type ErrorDoc, errorComponent, errorComponents } from "./errorDocs.ts";
import { ANSWER_HEADERS, FURTHER_HEADERS, type HeaderDocs, REQUEST_HEADERS } from "./headerDocs.ts";
import type { ParameterDocs } from "./parameters.ts";
import type { Route } from "./route.ts";
import { component } from "./schemas.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document of JSON; each reader knows the part it reads.
export type Json = any;

type Docs = Declaration<string>;
type DescribedRoute = Pick<Route<never>, "method" | "path"> & { readonly docs: Docs };
interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The description of a door in its document, without operations and objects. */
export interface DoorDescription {
  readonly prefix: string;
  readonly title: string;
  readonly summary: string;
  readonly introduction: string;
  /** The groups of operations, in their order on the page. */
  readonly tags: readonly Tag[];
  /** The ways to authenticate, in OpenAPI's form. */
  readonly securitySchemes: Readonly<Record<string, object>>;
  /** The errors that any request can meet, and all errors in words. */
  readonly errors: readonly string[];
  readonly errorDocs: Readonly<Record<string, ErrorDoc>>;
  /** Every error with its status; default: those of the APIs. */
  readonly statuses?: Readonly<Record<string, { readonly status: number; readonly storable?: boolean }>>;
  /** The members of each error beside code and message; default: those of the APIs. */
  readonly errorMembers?: Readonly<Record<string, TSchema>>;
  /** False: its answers carry no id and no version of the API, and a request cannot ask for a version. Default: true. */
  readonly isApi?: boolean;
  /** True if a request that writes may carry an Idempotency-Key. */
  readonly takesIdempotencyKeys: boolean;
  /** The headers of every answer to an admitted caller. */
  readonly admittedHeaders: HeaderDocs;
  /** The headers of the answer to an unknown caller. */
  readonly unauthorizedHeaders: HeaderDocs;
}

export interface ApiDescription {
  readonly door: DoorDescription;
  readonly routes: readonly DescribedRoute[];
  readonly components: Components;
  /** Webhooks by event type, in OpenAPI's form. */
  readonly webhooks: Readonly<Record<string, object>>;
  /** Shown after the door's own tags. */
  readonly tags: readonly Tag[];
}

type Method = DescribedRoute["method"];
/** The errors that any request that writes can meet, beyond those of the door. */
const WRITE_ERRORS: readonly string[] = ["idempotency_conflict", "idempotency_in_progress"];
const isWrite = (method: Method): boolean => method !== "GET";
const isKeyed = (door: DoorDescription, method: Method): boolean => door.takesIdempotencyKeys && isWrite(method);

/** Returns the document as text: the served bytes are those of the committed file. */
export const openApiText = (document: Json): string => `${JSON.stringify(document, null, 2)}\n`;

/** Makes the OpenAPI 3.1 document of the registered routes; none of its text is written twice. */
export const describeApi = ({ door, routes, components, webhooks, tags }: ApiDescription): Json => ({
  openapi: "3.1.0",
  info: {
    title: door.title,
    version: API_VERSION,
    summary: door.summary,
    description: door.introduction,
    license: { name: "Apache-2.0", identifier: "Apache-2.0" },
  },
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  servers: [{ url: door.prefix, description: "This deployment." }],
  security: Object.keys(door.securitySchemes).map((name) => ({ [name]: [] })),
  tags: [...door.tags, ...tags],
  paths: describePaths(door, routes),
  webhooks,
  components: {
    securitySchemes: door.securitySchemes,
    headers: { ...everywhere(door), ...door.admittedHeaders, ...door.unauthorizedHeaders, ...furtherHeaders(door) },
    examples: Object.fromEntries(
      Object.entries(door.errorDocs).map(([code, { example }]) => [code, { value: { error: { code, ...example } } }]),
    ),
    responses: describeErrors(door, routes),
    schemas: { ...components, ...errorComponents(door.errorDocs, door.errorMembers) },
  },
});

function furtherHeaders({ takesIdempotencyKeys }: DoorDescription): HeaderDocs {
  const { "Idempotent-Replayed": replayed, ...others } = FURTHER_HEADERS;
  return takesIdempotencyKeys && replayed !== undefined ? { ...others, "Idempotent-Replayed": replayed } : others;
}

function describePaths(door: DoorDescription, routes: readonly DescribedRoute[]): Json {
  const paths: Record<string, Json> = {};
  for (const { method, path, docs } of routes) {
    const template = path.replace(/:([a-z]+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: describeOperation(door, method, docs) };
  }
  return paths;
}

function describeOperation(door: DoorDescription, method: Method, docs: Docs): Json {
  const { operationId, tag, summary, description, body, takesFile } = docs;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    parameters: [
      ...describeParameters("path", docs.path ?? {}),
      ...describeParameters("query", docs.query ?? {}),
      ...(isKeyed(door, method) ? [REQUEST_HEADERS["Idempotency-Key"]] : []),
      ...(door.isApi === false ? [] : [REQUEST_HEADERS["Service-Api-Version"]]),
    ],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.isRequired,
            content: json(component(body.component), { example: { value: body.example } }),
          },
        }),
    ...(takesFile && { requestBody: { required: true, content: { "application/octet-stream": { schema: FILE } } } }),
    responses: { ...describeSuccess(door, method, docs), ...referToErrors(door, method, docs) },
  };
}

const describeParameters = (location: "path" | "query", parameters: Readonly<Record<string, ParameterDocs>>): Json[] =>
  Object.entries(parameters).map(([name, { schema, description, example, repeatable }]) => ({
    name,
    in: location,
    required: location === "path",
    description,
    schema,
    ...(repeatable ? { style: "form", explode: true } : {}),
    ...(example === undefined ? {} : { example: repeatable ? [example] : example }),
  }));

const json = (schema: TSchema, examples: Json): Json => ({ "application/json": { schema, examples } });
const headers = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const everywhere = ({ isApi }: DoorDescription): HeaderDocs => (isApi === false ? {} : ANSWER_HEADERS);
const whenAdmitted = (door: DoorDescription): string[] => Object.keys({ ...everywhere(door), ...door.admittedHeaders });

const FILE = Type.String({ format: "binary" });

const describeSuccess = (door: DoorDescription, method: Method, { success, links }: Docs): Json => ({
  [success.status]: {
    description: success.description,
    headers: headers([
      ...whenAdmitted(door),
      ...(isKeyed(door, method) ? ["Idempotent-Replayed"] : []),
      ...("mediaTypes" in success && success.isInPlace !== true ? ["Content-Disposition"] : []),
    ]),
    content:
      "mediaTypes" in success
        ? Object.fromEntries(success.mediaTypes.map((type) => [type, { schema: FILE }]))
        : json(success.schema, { example: { value: success.example } }),
    ...(links === undefined ? {} : { links }),
  },
});

/** Returns the errors that a request can meet, by status; several operations share each of these answers. */
function errorsOf(door: DoorDescription, method: Method, docs: Docs): Map<number, string[]> {
  const byStatus = new Map<number, string[]>();
  const add = (status: number, code: string) => byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  for (const code of [...door.errors, ...docs.errors, ...(isKeyed(door, method) ? WRITE_ERRORS : [])])
    add(statusesOf(door)[code]!.status, code);
  const ofBody = [...door.errors, ...docs.errors].includes("bad_request") ? "bad_request" : "invalid_request";
  if (isWrite(method)) for (const status of [413, 415]) add(status, ofBody);
  return byStatus;
}

const statusesOf = ({ statuses = ERRORS }: DoorDescription): NonNullable<DoorDescription["statuses"]> => statuses;

/** `post.409.reference_in_use.idempotency_conflict`: the component that describes such an answer. */
const answerName = (method: Method, status: number, codes: readonly string[]): string =>
  [method.toLowerCase(), status, ...codes].join(".");

const referToErrors = (door: DoorDescription, method: Method, docs: Docs): Json =>
  Object.fromEntries(
    [...errorsOf(door, method, docs)].map(([status, codes]) => [
      status,
      { $ref: `#/components/responses/${answerName(method, status, codes)}` },
    ]),
  );

const describeErrors = (door: DoorDescription, routes: readonly DescribedRoute[]): Json =>
  Object.fromEntries(
    routes.flatMap(({ method, docs }) =>
      [...errorsOf(door, method, docs)].map(([status, codes]) => [
        answerName(method, status, codes),
        describeError(door, method, status, codes),
      ]),
    ),
  );

function describeError(door: DoorDescription, method: Method, status: number, codes: readonly string[]): Json {
  const refs = codes.map((code) => component(errorComponent(code)));
  const retry = status === 429 || status === 503 ? ["Retry-After"] : [];
  const replay =
    isKeyed(door, method) && codes.some((code) => statusesOf(door)[code]!.storable) ? ["Idempotent-Replayed"] : [];
  const asked = status === 401 ? Object.keys(door.unauthorizedHeaders) : [];
  const named = status === 429 ? whenAdmitted(door) : Object.keys(everywhere(door));
  return {
    description: codes.map((code) => `\`${code}\`: ${door.errorDocs[code]!.meaning}`).join("\n\n"),
    headers: headers([...named, ...asked, ...retry, ...replay]),
    content: json(
      refs.length === 1 ? refs[0]! : Type.Union(refs),
      Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
    ),
  };
}
