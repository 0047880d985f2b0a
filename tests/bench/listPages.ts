// Pages of lists as statements to measure: what they ask for, and a page for each declared filter.
import { ADDRESS } from "../../server/domain/values.ts";
import type { Parameter, QueryParameters } from "../../server/edge/http/parameters.ts";
import type { Statement, Target } from "./target.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export type Query = Readonly<Record<string, string>>;
/** The keywords of a parameter's JSON schema. */
interface SchemaKeywords {
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly type?: string;
  readonly format?: string;
  readonly maximum?: number;
}

export interface List extends Statement {
  readonly path: string;
  /** The filters that its query uses. */
  readonly filters: readonly string[];
}

export const SAMPLE: Target = {
  tenant: { businessId: "", environment: "test" },
  key: "",
  intent: "",
  number: 0,
  createdAt: new Date(0),
  payment: "",
};

export const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const CHOICES_MAX = 5;
/** An address without payments. */
export const NOBODY = "11111111111111111111111111111111";
/** The values to ask a filter by: each of a few choices, and otherwise a value that hardly any row has. */
function valuesOf({
  enum: choices,
  pattern,
  type,
  format,
  maximum,
}: Parameter<unknown>["schema"] & SchemaKeywords): readonly string[] {
  if (choices !== undefined) return choices.length > CHOICES_MAX ? choices.slice(-1) : choices;
  if (type === "boolean") return ["true", "false"];
  if (type === "integer") return [String(maximum)];
  if (pattern === ADDRESS.schema.pattern) return [NOBODY];
  return [format === "date-time" ? ago(20 * DAY_MS) : "none"];
}

/** A page for each filter that is declared with its condition. */
export const ofEachFilter = (parameters: QueryParameters, ask: (name: string, query: () => Query) => List): List[] =>
  Object.entries(parameters).flatMap(([name, { filter, schema }]) =>
    filter === undefined ? [] : valuesOf(schema).map((value) => ask(`${name} ${value}`, () => ({ [name]: value }))),
  );
