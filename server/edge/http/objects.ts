import { type TSchema, type TSchemaOptions, Type } from "typebox";
import { type Column, type Columns, type FieldsOf, other, type Wire } from "../../lib/columns.ts";
import { nullable, timestampOf } from "./schemas.ts";

/** An object of the API, made from the columns of its members. */
export interface ShownObject<List extends Columns> {
  readonly schema: TSchema;
  readonly example: Readonly<Record<string, unknown>>;
  /** Returns the object as it is sent. Fields that are no members are left out. */
  readonly show: (fields: FieldsOf<List>) => Readonly<Record<string, unknown>>;
}

/**
 * Declares an object by its members, in their order: columns of a table, and computed ones. A member without a description
 * is not shown. `object`: its kind, as it is sent; null: it has none.
 */
export function shownObject<const List extends Columns>(
  object: string | null,
  members: List,
  description: string,
): ShownObject<List> {
  const { properties, example, show } = shapeOf(members);
  const named = object === null ? {} : { object };
  return {
    schema: Type.Object({ ...(object !== null && { object: Type.Literal(object) }), ...properties }, { description }),
    example: { ...named, ...example },
    show: (fields) => show(fields, { ...named }),
  };
}

/** The success of an operation whose answer is such an object. */
export const shownAnswer = <const Status extends 200 | 201 | 202>(
  status: Status,
  description: string,
  { schema, example }: Pick<ShownObject<Columns>, "schema" | "example">,
) => ({ status, description, schema, example });

/** The same for an object that another document describes. */
export const describedElsewhere = (description: string, example: Readonly<Record<string, unknown>>) =>
  shownAnswer(200, description, { schema: Type.Object({}, { additionalProperties: true }), example });

/** Declares a member that is a list of objects, by their members. */
export function parts<const List extends Columns>(members: List, says: string): Column<readonly FieldsOf<List>[]> {
  const { properties, example, show } = shapeOf(members);
  return other("json", {
    ...{ says, example: [example] as never },
    schema: Type.Array(Type.Object(properties)),
    show: (all) => all.map((fields) => show(fields, {})),
  });
}

/** Declares a member that is an object itself, by its own members. */
export function part<const List extends Columns>(members: List, says?: string): Column<FieldsOf<List>> {
  const { properties, example, show } = shapeOf(members);
  return other("json", {
    ...(says === undefined ? {} : { says }),
    example: example as Wire<FieldsOf<List>>,
    schema: Type.Object(properties),
    show: (fields) => show(fields as FieldsOf<List>, {}),
  });
}

function shapeOf<const List extends Columns>(members: List) {
  const shown = Object.entries(members)
    .filter(([, member]) => member.shown !== null)
    .map(([field, member]) => ({ field, name: member.shown!.as ?? field, member, one: member.shown!.show }));
  return {
    properties: schemasOf(members),
    example: Object.fromEntries(shown.map(({ name, member }) => [name, exampleOf(name, member)])),
    show: (fields: FieldsOf<List>, values: Record<string, unknown>) => {
      for (const { field, name, one } of shown) {
        const value = fields[field] as NonNullable<unknown> | null;
        values[name] = one === undefined || value === null ? value : one(value);
      }
      return values;
    },
  };
}

const exampleOf = (name: string, { shown, nullable }: Column<unknown>): unknown => {
  const { example = null } = shown!;
  if (example === null && !nullable) throw new Error(`The member ${name} has no example.`);
  return example;
};

/** Returns the schemas of the shown members, by name. */
export const schemasOf = (members: Columns): Record<string, TSchema> =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, member]) => member.shown !== null)
      .map(([field, member]) => [member.shown!.as ?? field, schemaOf(field, member)]),
  );

/** Returns the schema of a member. */
export function schemaOf(name: string, member: Column<unknown>): TSchema {
  const { says } = member.shown!;
  const schema: TSchemaOptions = { ...member.shown!.schema };
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
    case "json":
    case "other":
      if (Object.keys(options).length === 0) throw new Error(`The member ${name} has no schema.`);
      return options;
    default:
      return Type.String(options);
  }
}
