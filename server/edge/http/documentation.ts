import { type TSchema, Type } from "typebox";
import type { ErrorCode } from "../../domain/errors.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../../domain/limits.ts";

interface Parameter {
  readonly schema: TSchema;
  readonly description: string;
  readonly example?: string | number;
  /** May be given several times (`name=a&name=b`). */
  readonly repeatable?: boolean;
}
export type Parameters = Readonly<Record<string, Parameter>>;

/** What a route says of itself beyond what it does: the source of `/openapi.json`, of `/docs` and of what a list's reader lets pass. */
export interface Documentation {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Sentences; `backticks` mark code, an empty line parts paragraphs. */
  readonly description: string;
  /** The parameters in the path, by name, in its order. */
  readonly path?: Parameters;
  /** The query's parameters, by name, in the order of their checks. */
  readonly query?: Parameters;
  readonly body?: { readonly schema: TSchema; readonly example: object };
  readonly success: {
    readonly status: 200 | 201;
    readonly description: string;
    readonly schema: TSchema;
    readonly example: object;
  };
  /** Operations that go on from the answer. */
  readonly links?: Readonly<Record<string, Link>>;
  /** What it can answer beyond what every request can meet. */
  readonly errors: readonly ErrorCode[];
}

export interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly description: string;
}

/** The request headers of a method, beside the key. */
export const HEADERS_OF = {
  GET: ["Service-Api-Version"],
  POST: ["Idempotency-Key", "Service-Api-Version"],
} as const;

/** What a feature adds to the document: its objects. */
export type Components = Readonly<Record<string, TSchema>>;

/** §4.9: what every list takes. */
export const pageParameters = (cursor: { pattern: string; example: string; noun: string }): Parameters => ({
  limit: {
    schema: Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: PAGE_LIMIT_DEFAULT }),
    description: "Page size.",
    example: PAGE_LIMIT_DEFAULT,
  },
  starting_after: {
    schema: Type.String({ pattern: cursor.pattern }),
    description: `Id of the last ${cursor.noun} of the page before: the answer goes on with older ones.`,
    example: cursor.example,
  },
  ending_before: {
    schema: Type.String({ pattern: cursor.pattern }),
    description: `Id of the first ${cursor.noun} of a page: the answer holds the ones just newer, still newest first. Not together with \`starting_after\`.`,
    example: cursor.example,
  },
});
