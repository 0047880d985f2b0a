import type { TSchema } from "typebox";
import type { ErrorCode } from "../../domain/errors.ts";
import type { RequestBody } from "./fields.ts";
import type { ParameterDocs, QueryParameters, QueryValues } from "./parameters.ts";

/**
 * An operation, declared once: its input and answer, in words and types. The parsers and types of its input,
 * `/openapi.json` and `/docs` are made from it.
 */
export interface Declaration<Code extends string = ErrorCode> {
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  /** Sentences; `backticks` mark code, an empty line separates paragraphs. */
  readonly description: string;
  /** The parameters in the path, by name, in its order. */
  readonly path?: Readonly<Record<string, ParameterDocs>>;
  /** The query's parameters, by name, in the order of parsing. An operation without them accepts any query. */
  readonly query?: QueryParameters;
  /** True for a POST that only reads: a caller with read access may call it (§5.10). */
  readonly changesNothing?: true;
  /** A narrower scope than `full` that a key may have for it too (§5.10). */
  readonly scope?: "disputes";
  /**
   * The operationIds of the reads whose answers a write changes; the staff's pages fetch them again. Default: the reads of
   * its tag whose path begins its own path, such as the list that it adds to and the object that it changes.
   */
  readonly changes?: readonly string[];
  /** The most bytes of its body, where a file is sent; default `BODY_BYTES_MAX`. */
  readonly bodyBytesMax?: number;
  /** An operation without it accepts no body, an empty one, or `{}`. */
  readonly body?: RequestBody<unknown>;
  /** True if its body is the bytes of a file. */
  readonly takesFile?: true;
  readonly success: JsonAnswer | FileAnswer;
  /** Operations that use values of the answer. */
  readonly links?: Readonly<Record<string, Link>>;
  /** The errors of this operation; the door declares those that every request can meet. */
  readonly errors: readonly Code[];
}

export interface JsonAnswer {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  readonly schema: TSchema;
  readonly example: object;
}

/** A file with one of these media types, sent as an attachment unless it is shown in place. */
interface FileAnswer {
  readonly status: 200;
  readonly isInPlace?: true;
  readonly description: string;
  readonly mediaTypes: readonly string[];
}

/** Makes the function that declares operations of a door which have some members in common. */
export const declarationsOf =
  <Any extends Declaration<string>, Shared extends keyof Any>() =>
  (common: Pick<Any, Shared>) =>
  <const Declared extends Omit<Any, Shared> & Partial<Pick<Any, Shared>>>(
    own: Declared & Record<Exclude<keyof Declared, keyof Any>, never>,
  ): Declared & Pick<Any, Shared> => ({
    ...common,
    ...own,
  });

/** Declares operations that have a tag, a path and errors in common. An operation that differs says its own. */
export const declarations = declarationsOf<Declaration, "tag" | "path" | "errors">();

/** The type of an operation's input, from its declaration. */
export type InputOf<Declared extends Declaration<string>> = Declared extends { readonly body: RequestBody<infer Value> }
  ? Value
  : Declared extends { readonly query: infer Parameters extends QueryParameters }
    ? QueryValues<Parameters>
    : null;

export interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly description: string;
}

/** Objects of the document, by name. */
export type Components = Readonly<Record<string, TSchema>>;
