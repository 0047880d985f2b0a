import { type TSchema, type TSchemaOptions, Type } from "typebox";
import type { Column, Columns, FieldsOf } from "../../lib/columns.ts";
import { nullable, timestampOf } from "./schemas.ts";

/** An object of the API, made from the columns of its members. */
export interface ShownObject<List extends Columns> {
  readonly schema: TSchema;
  readonly example: Readonly<Record<string, unknown>>;
  /** The object as it is sent. Fields that are no members are left out. */
  readonly show: (fields: FieldsOf<List>) => Readonly<Record<string, unknown>>;
}

/**
 * Declares an object by its members, in their order: columns of a table, and others that are computed. A member that the
 * API says nothing of is not shown.
 */
export function shownObject<const List extends Columns>(
  object: string,
  members: List,
  description: string,
): ShownObject<List> {
  const shown = Object.entries(members)
    .filter(([, member]) => member.shown !== null)
    .map(([field, member]) => ({ field, name: member.shown!.as ?? field, member }));
  return {
    schema: Type.Object(
      {
        object: Type.Literal(object),
        ...Object.fromEntries(shown.map(({ name, member }) => [name, schemaOf(name, member)])),
      },
      { description },
    ),
    example: { object, ...Object.fromEntries(shown.map(({ name, member }) => [name, exampleOf(name, member)])) },
    show: (fields) => {
      const values: Record<string, unknown> = { object };
      for (const { field, name } of shown) values[name] = fields[field];
      return values;
    },
  };
}

const exampleOf = (name: string, { shown, nullable }: Column<unknown>): unknown => {
  const { example = null } = shown!;
  if (example === null && !nullable) throw new Error(`The member ${name} has no example.`);
  return example;
};

function schemaOf(name: string, member: Column<unknown>): TSchema {
  const { says, schema = {} } = member.shown!;
  const docs = says === undefined ? {} : { description: says };
  return member.nullable
    ? nullable(valueSchema(name, member, schema), docs)
    : valueSchema(name, member, { ...docs, ...schema });
}

function valueSchema(name: string, { kind, type, choices }: Column<unknown>, options: TSchemaOptions): TSchema {
  if (choices !== null) return Type.Enum([...choices], { type: "string", ...options });
  switch (kind) {
    case "time":
      return timestampOf(options);
    case "slot":
      return Type.Integer(options);
    case "number":
      return type === "real" ? Type.Number(options) : Type.Integer(options);
    case "flag":
      return Type.Boolean(options);
    case "other":
      if (Object.keys(options).length === 0) throw new Error(`The member ${name} has no schema.`);
      return options;
    default:
      return Type.String(options);
  }
}
