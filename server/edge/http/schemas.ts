import { type TProperties, type TSchema, type TSchemaOptions, Type } from "typebox";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import { environmentWord, type Kind } from "../../domain/values.ts";

/** Parts of the schemas of requests and answers. */

/** A fixed list of words. */
export const choice = (words: readonly string[], options: TSchemaOptions = {}): TSchema =>
  Type.Enum([...words], { type: "string", ...options });
export const nullable = (schema: TSchema, options: TSchemaOptions = {}): TSchema =>
  Type.Union([schema, Type.Null()], options);
/** A schema of the document's components, by name. */
export const component = (name: string): TSchema => Type.Ref(`#/components/schemas/${name}`);

/** A time in ISO 8601 in UTC, with milliseconds (§2). */
export const timestampOf = (options: TSchemaOptions): TSchema =>
  Type.String({
    format: "date-time",
    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
    ...options,
    examples: ["2026-11-20T08:30:00.000Z"],
  });
export const timestamp = (description: string): TSchema => timestampOf({ description });

/** The chain's height at which a transaction can last land. */
export const lastValidBlockHeight = (): TSchema =>
  Type.Integer({
    minimum: 0,
    description: "The last height of the chain's blocks at which the transaction can land; above it, build a new one.",
  });

/** A member of a kind. */
export const member = ({ schema, note = "" }: Kind<unknown>, description: string): TSchema => ({
  ...schema,
  description: `${description}${note}`,
});

export const environment = (): TSchema => choice(ENVIRONMENTS, { description: environmentWord.shown!.says! });

/** The list envelope (§2.4). */
export const listOf = (name: string, what: string, order = "newest first", further: TProperties = {}): TSchema =>
  Type.Object(
    {
      object: Type.Literal("list"),
      data: Type.Array(component(name), { description: `${what}, ${order}.` }),
      hasMore: Type.Boolean({
        description: "True if there are more in the direction of this walk (with `ending_before`: newer ones).",
      }),
      ...further,
    },
    { description: `A page of ${what.toLowerCase()}.` },
  );

/** The envelope of a list whose pages read a limited number of rows (§13.10.9). */
export const scannedListOf = (name: string, what: string): TSchema =>
  Type.Object(
    {
      object: Type.Literal("list"),
      data: Type.Array(component(name), { description: `${what} among those that were read, newest first.` }),
      hasMore: Type.Boolean({ description: "True if older ones were not read." }),
      next: nullable(Type.String(), {
        description: "The `starting_after` of the next page, which may be one that is not shown; null at the end.",
      }),
      at: timestamp("The environment's time at which they were read: the clock that ends their periods."),
    },
    { description: `A page of ${what.toLowerCase()}.` },
  );

/** The success of an operation whose answer is an object of the document's components. */
export const answer = <const Status extends 200 | 201>(
  status: Status,
  description: string,
  name: string,
  example: object,
) => ({ status, description, schema: component(name), example });

/** The same for a {@link listOf} such objects. */
export const listAnswer = (description: string, name: string, example: object) =>
  answer(200, description, `${name}List`, { object: "list", data: [example], hasMore: false });

/** The same for a {@link scannedListOf}. */
export const scannedAnswer = (description: string, name: string, example: object) =>
  answer(200, description, `${name}List`, {
    ...{ object: "list", data: [example], hasMore: false, next: null, at: "2026-11-22T16:40:00.000Z" },
  });
