import type { Json } from "../server/edge/http/openapi.ts";
import {
  type DescribedOperation,
  describedIn,
  objectTypes,
  type Parameter,
  type Schema,
  typeOf,
} from "./clientTypes.ts";

/**
 * The text of `sdk/schema.ts`: a type for each object of the merchant API, for the parameters of each list, and of the
 * codes of errors.
 */
export function sdkTypesText(document: Json, codes: readonly string[]): string {
  const { operations, objects } = describedIn(document);
  return `// Written by \`npm run openapi\` from the routes of the merchant API. Change those, never this file.

${objectTypes(objects)}
${operations.filter(hasQuery).map(queryType).join("\n")}
/** The codes of errors that this version knows. */
export type ErrorCode = ${codes.map((code) => JSON.stringify(code)).join(" | ")};
`;
}

const queryOf = ({ operation }: DescribedOperation): readonly Parameter[] =>
  (operation.parameters ?? []).filter((one) => one.in === "query");
const hasQuery = (one: DescribedOperation): boolean => queryOf(one).length > 0;

/** `listPayments` → `ListPaymentsQuery`, with the names in camel case, as the SDK takes them. */
function queryType(one: DescribedOperation): string {
  const { operationId } = one.operation;
  const members = queryOf(one).map(
    ({ name, description, schema }) =>
      `  /** ${description} */\n  readonly ${camelCase(name)}?: ${valueType(schema)} | undefined;`,
  );
  return `/** Parameters of \`${operationId}\`. */
export interface ${operationId[0]!.toUpperCase()}${operationId.slice(1)}Query {
${members.join("\n")}
}
`;
}

const camelCase = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function valueType(schema: Schema): string {
  if (schema.format === "date-time") return "string | Date";
  if (schema.type !== "array") return typeOf(schema);
  const item = typeOf(schema.items ?? {});
  return `${item} | readonly (${item})[]`;
}
