// TypeScript types from an OpenAPI document of ours, for the clients of its API.
import type { Json } from "../server/edge/http/openapi.ts";

export interface Schema {
  readonly $ref?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly string[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly schema: Schema;
}

export interface Content {
  readonly content: { readonly "application/json"?: { readonly schema: Schema } };
}

export interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** The operations of a document, and its objects by name, without the errors. */
export function describedIn(document: Json): {
  readonly operations: readonly DescribedOperation[];
  readonly objects: readonly (readonly [name: string, schema: Schema])[];
} {
  const { paths, components } = document as unknown as {
    paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    components: { schemas: Readonly<Record<string, Schema>> };
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return { operations, objects: Object.entries(components.schemas).filter(([name]) => !name.startsWith("Error")) };
}

/** A type for each object. */
export const objectTypes = (objects: readonly (readonly [name: string, schema: Schema])[]): string =>
  objects.map(([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`).join("\n");

export function typeOf(schema: Schema): string {
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

export const comment = ({ description }: Schema): string =>
  description === undefined ? "" : `/** ${description} */\n`;
