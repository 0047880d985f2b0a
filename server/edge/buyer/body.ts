import { Type } from "typebox";
import type { JsonObject } from "../../domain/json.ts";
import type { Kind } from "../../domain/values.ts";
import type { RequestBody } from "../http/fields.ts";
import { member } from "../http/schemas.ts";
import { BuyerError, type BuyerErrorCode, type Say } from "./error.ts";

/** A member of a buyer's body: its kind, and the refusal of any other value. */
export interface BuyerField<Value> {
  readonly kind: Kind<Value>;
  readonly says: string;
  readonly isOptional: boolean;
  /** It is null where any other value counts as left out. */
  readonly refuse: (() => BuyerError) | null;
}

/** A member that is required. */
export const needed = <Value>(
  kind: Kind<Value>,
  says: string,
  say: Say,
  code: BuyerErrorCode = "invalid_request",
): BuyerField<Value> => ({ kind, says, isOptional: false, refuse: () => new BuyerError(code, say) });

/** A member that may be left out or null: null then. */
export const maybe = <Value>(field: BuyerField<Value>): BuyerField<Value | null> => ({ ...field, isOptional: true });

/** A member of which any other value counts as left out: what it is for tells if it had to be there. */
export const loose = <Value>(kind: Kind<Value>, says: string): BuyerField<Value | null> => ({
  ...{ kind, says, isOptional: true, refuse: null },
});

type Fields = Readonly<Record<string, BuyerField<unknown>>>;
type ValuesOf<Declared extends Fields> = {
  readonly [Name in keyof Declared]: Declared[Name] extends BuyerField<infer Value> ? Value : never;
};

/**
 * Declares the body of a buyer's request. Of several wrong members the first in the order of the declaration is refused;
 * others than these are ignored, since wallets send some of their own.
 */
export function buyerBody<const Declared extends Fields>(
  component: string,
  fields: Declared,
  example: object,
): RequestBody<ValuesOf<Declared>> {
  const entries = Object.entries<BuyerField<unknown>>(fields);
  const schemas = entries.map(([name, { kind, says }]) => [name, member(kind, says)] as const);
  return {
    component,
    example,
    isRequired: true,
    members: Object.fromEntries(schemas),
    schema: Type.Object(
      Object.fromEntries(
        schemas.map(([name, schema]) => [name, fields[name]!.isOptional ? Type.Optional(schema) : schema]),
      ),
    ),
    parse: (body) =>
      Object.fromEntries(entries.map(([name, field]) => [name, parse(field, body.get(name))])) as ValuesOf<Declared>,
  };
}

function parse<Value>(
  { kind, isOptional, refuse }: BuyerField<Value>,
  member: ReturnType<JsonObject["get"]>,
): Value | null {
  const given = member?.value ?? null;
  if (given === null && isOptional) return null;
  const value = kind.parse(given);
  if (refuse === null) return value;
  if (value === null) throw refuse();
  if (member?.unstorable === true) throw new BuyerError("invalid_request", (texts) => texts.dispute.characters);
  return value;
}

/** The body of a form without a member: a browser's own `{}`, whose type no other site can send unasked. */
export const NO_MEMBERS = buyerBody("NoMembers", {}, {});
