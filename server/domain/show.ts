import type { Column, Columns, ComputedOf, FieldsOf, StoredOf } from "../lib/columns.ts";

/** JSON text that is ready to send; a type of its own, so that no ordinary string is sent as JSON. */
export type JsonText = string & { readonly __json: unique symbol };

/** An object on the wire: its members in order, each with its JSON text. Snapshots are compared and frozen in this form. */
export type Fields = Readonly<Record<string, string>>;

export const showFields = (fields: Fields): JsonText => {
  let text = "";
  for (const name in fields) text += `${text === "" ? "{" : ","}"${name}":${fields[name]}`;
  return `${text}}` as JsonText;
};

export const showText = (text: string | null): string => JSON.stringify(text);
/** §2: ISO 8601 in UTC, with milliseconds. */
export const showTime = (time: Date | null): string => (time === null ? "null" : `"${isoTime(time)}"`);

/** Same text as `toISOString`, in less than half its time: nearly every answer has several times in it. */
function isoTime(time: Date): string {
  const year = time.getUTCFullYear();
  if (year < 1_000 || year > 9_999) return time.toISOString();
  const date = `${year}-${twoDigits(time.getUTCMonth() + 1)}-${twoDigits(time.getUTCDate())}`;
  const clock = `${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())}:${twoDigits(time.getUTCSeconds())}`;
  return `${date}T${clock}.${String(time.getUTCMilliseconds()).padStart(3, "0")}Z`;
}
const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** Returns the JSON text of a member's value. Words and digits hold nothing that JSON escapes. */
function showValue(kind: Column<unknown>["kind"], value: unknown): string {
  if (value === null) return "null";
  switch (kind) {
    case "word":
    case "digits":
      return `"${value}"`;
    case "time":
      return `"${isoTime(value as Date)}"`;
    case "text":
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

/**
 * Makes the functions that show an object's members in order, for frequent objects: as one text, and as fields to be
 * compared. They take as long as functions written by hand (the text two thirds of it), and cannot forget a member.
 */
export function shower<const List extends Columns>(object: string, members: List) {
  const shown = Object.entries(members)
    .filter(([, member]) => member.shown !== null)
    .map(([field, member]) => {
      const { as: name = field, show } = member.shown!;
      if (show !== undefined)
        throw new Error(`The member ${name} is sent in another form, which a shower does not know.`);
      return { field, name, before: `,"${name}":`, kind: member.kind, isComputed: "computed" in member };
    });
  // Copying an object that already has every member is faster than growing one.
  const blank: Fields = { object: `"${object}"`, ...Object.fromEntries(shown.map(({ name }) => [name, "null"])) };
  type Stored = FieldsOf<StoredOf<List>>;
  type Rest = FieldsOf<ComputedOf<List>>;
  const read = (fields: object, field: string): unknown => (fields as Readonly<Record<string, unknown>>)[field];
  return {
    fields: (stored: Stored, computed: Rest): Fields => {
      const texts: Record<string, string> = { ...blank };
      for (const { field, name, kind, isComputed } of shown) {
        const value = read(isComputed ? computed : stored, field);
        if (value !== null) texts[name] = showValue(kind, value);
      }
      return texts;
    },
    text: (stored: Stored, computed: Rest): JsonText => {
      let text = `{"object":"${object}"`;
      for (const { field, before, kind, isComputed } of shown)
        text += before + showValue(kind, read(isComputed ? computed : stored, field));
      return `${text}}` as JsonText;
    },
  };
}

/** §2.4: the list envelope. */
export const showList = (items: readonly string[], hasMore = false): JsonText =>
  `{"object":"list","data":[${items.join(",")}],"hasMore":${hasMore}}` as JsonText;

/** Adds members to the end of an object. */
export const withMembers = (object: JsonText, members: Fields): JsonText =>
  `${object.slice(0, -1)},${showFields(members).slice(1)}` as JsonText;

/** Parses the fields that {@link showFields} wrote. */
export const parseFields = (text: string): Fields =>
  Object.fromEntries(Object.entries(JSON.parse(text)).map(([name, value]) => [name, JSON.stringify(value)]));

/**
 * Returns the earlier values of the fields that changed; null if none did. A new `checkedAt` alone does not count as a
 * change.
 */
export function previousAttributes(before: Fields, after: Fields): JsonText | null {
  const changed = Object.entries(before).filter(
    ([name, value]) => name !== "checkedAt" && value !== after[name] && !isSamePayment(value, after[name]),
  );
  return changed.length === 0 ? null : showFields(Object.fromEntries(changed));
}

const CHECKED_AT = /,"checkedAt":"[^"]*"/;
/** Returns true if both are the same payment of an intent, and differ only in the time of the check. */
const isSamePayment = (before: string, after: string | undefined): boolean =>
  before.startsWith('{"object":"payment",') && before.replace(CHECKED_AT, "") === after?.replace(CHECKED_AT, "");

/** Shows a plain object, with times as in §2. For infrequent answers. */
export const showObject = (object: object): JsonText => JSON.stringify(object) as JsonText;
