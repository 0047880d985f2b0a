/** JSON text that is ready to send, kept apart from ordinary strings. */
export type JsonText = string & { readonly __json: unique symbol };

/** An object on the wire: its members in order, each with its JSON text. Snapshots are compared and frozen in this form. */
export type Fields = ReadonlyMap<string, string>;

export const showFields = (fields: Fields): JsonText => {
  let text = "";
  for (const [name, value] of fields) text += `${text === "" ? "{" : ","}"${name}":${value}`;
  return `${text}}` as JsonText;
};

export const showText = (text: string | null): string => JSON.stringify(text);
/** §2: ISO 8601 in UTC, with milliseconds. */
export const showTime = (time: Date | null): string => (time === null ? "null" : `"${time.toISOString()}"`);

/** §2.4: the list envelope. */
export const showList = (items: readonly string[], hasMore: boolean): JsonText =>
  `{"object":"list","data":[${items.join(",")}],"hasMore":${hasMore}}` as JsonText;

/** What the fields that changed held before; null when nothing did. When we last looked (`checkedAt`) is no change of the object. */
export function previousAttributes(before: Fields, after: Fields): JsonText | null {
  const changed = new Map([...before].filter(([name, value]) => name !== "checkedAt" && after.get(name) !== value));
  return changed.size === 0 ? null : showFields(changed);
}
