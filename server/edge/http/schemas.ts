import { type TSchema, type TSchemaOptions, Type } from "typebox";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import { type Shown, word } from "../../lib/columns.ts";

/** Parts of the schemas of requests and answers. */

/** One of a set of words. */
export const choice = (words: readonly string[], options: TSchemaOptions = {}): TSchema =>
  Type.Enum([...words], { type: "string", ...options });
export const nullable = (schema: TSchema, options: TSchemaOptions = {}): TSchema =>
  Type.Union([schema, Type.Null()], options);
/** A schema of the document's components, by name. */
export const component = (name: string): TSchema => Type.Ref(`#/components/schemas/${name}`);

/** §2: ISO 8601 in UTC, with milliseconds. */
export const timestampOf = (options: TSchemaOptions): TSchema =>
  Type.String({
    format: "date-time",
    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
    ...options,
    examples: ["2026-11-20T08:30:00.000Z"],
  });
export const timestamp = (description: string): TSchema => timestampOf({ description });

export const BASE58 = "[1-9A-HJ-NP-Za-km-z]";
export const ADDRESS_PATTERN = `^${BASE58}{32,44}$`;

const base58 = (says: string, bytes: number) =>
  `${says} Base58 of exactly ${bytes} bytes, which the pattern alone does not say.`;

/** A column of addresses: base58 of 32 bytes. The pattern says of it as much as a pattern can; the service decodes it. */
export const addressWord = ({ says, example, schema = {} }: AddressShown) =>
  word({ says: base58(says, 32), example, schema: { pattern: ADDRESS_PATTERN, ...schema } });
/** A column of signatures: base58 of 64 bytes. */
export const signatureWord = ({ says, example, schema = {} }: AddressShown) =>
  word({ says: base58(says, 64), example, schema: { pattern: `^${BASE58}{64,88}$`, ...schema } });
type AddressShown = Required<Pick<Shown<string>, "says" | "example">> & Pick<Shown, "schema">;

export const signature = (description: string, options: TSchemaOptions = {}): TSchema =>
  Type.String({ pattern: `^${BASE58}{64,88}$`, description: base58(description, 64), ...options });

export const environmentWord = word({
  of: ENVIRONMENTS,
  says: "The environment of the API key, which every id carries too.",
  example: "test",
});
export const environment = (): TSchema => choice(ENVIRONMENTS, { description: environmentWord.shown!.says! });

/** §2.4. */
export const listOf = (name: string, what: string): TSchema =>
  Type.Object(
    {
      object: Type.Literal("list"),
      data: Type.Array(component(name), { description: `${what}, newest first.` }),
      hasMore: Type.Boolean({
        description: "Whether there are more in the direction of this walk (with `ending_before`: newer ones).",
      }),
    },
    { description: `A page of ${what.toLowerCase()}.` },
  );

/** The success of an operation that answers with an object of the document's components. */
export const answer = <const Status extends 200 | 201>(
  status: Status,
  description: string,
  name: string,
  example: object,
) => ({ status, description, schema: component(name), example });

/** The same of a {@link listOf} such objects. */
export const listAnswer = (description: string, name: string, example: object) =>
  answer(200, description, `${name}List`, { object: "list", data: [example], hasMore: false });
