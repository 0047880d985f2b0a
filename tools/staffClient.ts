// The typed routes that the dashboard's client uses, from the staff API's own OpenAPI document.
import type { Json } from "../server/edge/http/openapi.ts";
import { CURRENCIES } from "../server/features/rates/rate.ts";
import {
  type Content,
  describedIn,
  type Operation,
  objectTypes,
  type Parameter,
  type Schema,
  typeOf,
} from "./clientTypes.ts";
import { type DescribedRoute, readsChangedBy } from "./staleReads.ts";

/**
 * The text of `web/dashboard/api/schema.ts`: a type for each object; for each operation its route, what it takes and what
 * it returns; for each list its filters; for each write the reads whose answers it changes; and the limits.
 */
export function staffClientText(
  document: Json,
  routes: readonly DescribedRoute[],
  limits: Readonly<Record<string, number>>,
): string {
  const { operations, objects } = describedIn(document);
  const lists = operations.flatMap(({ operation: { operationId, parameters = [] } }) =>
    parameters.some(({ name }) => name === "starting_after") ? [{ operationId, parameters }] : [],
  );
  return `// Written by \`npm run openapi\` from the routes of the staff API. Change those, never this file.

${objectTypes(objects)}
/** Each operation: what it takes and what it returns. */
export interface Operations {
${operations.map(({ operation }) => `  /** ${operation.description} */\n  ${operation.operationId}: ${describe(operation)};`).join("\n")}
}

export const ROUTES: { readonly [Id in keyof Operations]: string } = {
${operations.map(({ operation, method, path }) => `  ${operation.operationId}: "${method} ${path}",`).join("\n")}
};

/** Each list that goes on page by page, with its filters. */
export const FILTERS = {
${lists.map(({ operationId, parameters }) => `  ${operationId}: { ${filtersOf(parameters)} },`).join("\n")}
} as const;

/** Each write with the reads whose answers it changes. */
export const CHANGES = {
${readsChangedBy(routes)
  .map(([id, reads]) => `  ${id}: ${JSON.stringify(reads)},`)
  .join("\n")}
} as const satisfies { readonly [Id in keyof Operations]?: readonly (keyof Operations)[] };

/** The currencies in which books can be shown. */
export const CURRENCIES = ${JSON.stringify(CURRENCIES)} as const;

/** Limits of the service. */
export const LIMITS = {
${Object.entries(limits)
  .map(([name, limit]) => `  ${name}: ${limit},`)
  .join("\n")}
} as const;
`;
}

function describe({ parameters = [], requestBody, responses }: Operation): string {
  const fields = (place: Parameter["in"], isOptional: boolean): string[] => {
    const found = parameters.filter((one) => one.in === place);
    if (found.length === 0) return [];
    const mark = isOptional ? "?" : "";
    const types = found.map(
      ({ name, schema }) => `readonly ${name}${mark}: ${isOptional ? "string | undefined" : typeOf(schema)}`,
    );
    return [`readonly ${place}${mark}: { ${types.join("; ")} }`];
  };
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  if (success === undefined) throw new Error("An operation has no answer that says that it worked.");
  const schemaOf = (content: Content) => typeOf(content.content["application/json"]?.schema ?? {});
  const body = requestBody === undefined ? [] : [`readonly body: ${schemaOf(requestBody)}`];
  const input = [...fields("path", false), ...fields("query", true), ...body];
  return `{ input: ${input.length === 0 ? "Readonly<Record<never, never>>" : `{ ${input.join("; ")} }`}; result: ${schemaOf(success)} }`;
}

/** Parameters of every list, which choose a page. */
const OF_PAGES = new Set(["limit", "starting_after", "ending_before"]);

const filtersOf = (parameters: readonly Parameter[]): string =>
  parameters
    .filter((one) => one.in === "query" && !OF_PAGES.has(one.name))
    .map(({ name, schema }) => `${name}: ${filterOf(schema)}`)
    .join(", ");

function filterOf({ enum: choices, type, format }: Schema): string {
  if (choices !== undefined) return `{ kind: "choice", choices: ${JSON.stringify(choices)} }`;
  if (type === "boolean") return '{ kind: "flag" }';
  if (type === "integer") return '{ kind: "number" }';
  return format === "date-time" ? '{ kind: "time" }' : '{ kind: "text" }';
}
