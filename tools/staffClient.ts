// The typed routes that the dashboard's client uses, from the staff API's own OpenAPI document.
import type { Json } from "../server/edge/http/openapi.ts";

interface Schema {
  readonly $ref?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly schema: Schema;
}

interface Content {
  readonly content: { readonly "application/json": { readonly schema: Schema } };
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The text of `web/dashboard/api/schema.ts`: a type for each object, and for each operation what it takes and answers. */
export function staffClientText(document: Json): string {
  const { paths, components } = document as unknown as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    components: { schemas: Readonly<Record<string, Schema>> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const objects = Object.entries(components.schemas).filter(([name]) => !name.startsWith("Error"));
  return `// Written by \`npm run openapi\` from the routes of the staff API. Change those, never this file.

${objects.map(([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`).join("\n")}
/** Each operation: what its path, query and body take, and what it answers. */
export interface Operations {
${operations.map(({ operation }) => `  /** ${operation.description} */\n  ${operation.operationId}: ${describe(operation)};`).join("\n")}
}

export const ROUTES: { readonly [Id in keyof Operations]: string } = {
${operations.map(({ operation, method, path }) => `  ${operation.operationId}: "${method} ${path}",`).join("\n")}
};
`;
}

function describe({ parameters = [], requestBody, responses }: Operation): string {
  const fields = (place: Parameter["in"], mark: string) => {
    const found = parameters.filter((one) => one.in === place);
    return found.length === 0
      ? "null"
      : `{ ${found.map(({ name, schema }) => `readonly ${name}${mark}: ${place === "query" ? "string | undefined" : typeOf(schema)}`).join("; ")} }`;
  };
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  if (success === undefined) throw new Error("An operation has no answer that says that it worked.");
  const schemaOf = (content: Content) => typeOf(content.content["application/json"].schema);
  const body = requestBody === undefined ? "null" : schemaOf(requestBody);
  return `{ path: ${fields("path", "")}; query: ${fields("query", "?")}; body: ${body}; result: ${schemaOf(success)} }`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace("#/components/schemas/", "");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) => `${comment(schema)}readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  if (members.length === 0) return "Readonly<Record<string, unknown>>";
  const open = additionalProperties === true ? " & Readonly<Record<string, unknown>>" : "";
  return `{\n${members.join(";\n").replace(/^/gm, "  ")};\n}${open}`;
}

const comment = ({ description }: Schema): string => (description === undefined ? "" : `/** ${description} */\n`);
