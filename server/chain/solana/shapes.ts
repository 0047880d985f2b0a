import { malformed } from "./nodeError.ts";

/** Untrusted JSON → typed, or the error of the node that sent it. `what` names the position in the answer. */

export function parseObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(what);
  return value as Readonly<Record<string, unknown>>;
}

export function parseArray(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(what);
  return value;
}

export function parseText(value: unknown, what: string): string {
  if (typeof value !== "string") throw wrong(what);
  return value;
}

/** Slots, indices and counts: whole, not negative and exact. Amounts never come this way; they are read from account bytes. */
export function parseInteger(value: unknown, what: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw wrong(what);
  return value;
}

/** Seconds since 1970, or null where the node has none (yet). */
export function parseBlockTime(value: unknown, what: string): Date | null {
  if (value === null || value === undefined) return null;
  return dateOf(parseInteger(value, what), what);
}

/** Dates end at the year 275760; a node that names a later one is not believed. */
export function dateOf(seconds: number | bigint, what: string): Date {
  const date = new Date(Number(seconds) * 1_000);
  if (Number.isNaN(date.getTime())) throw wrong(what);
  return date;
}

/**
 * Returns false if `err` is null (it succeeded), true if it is anything else (it failed). Throws if it is absent: the node
 * did not say.
 */
export function parseFailed(holder: Readonly<Record<string, unknown>>, what: string): boolean {
  if (holder.err === undefined) throw wrong(`${what}.err`);
  return holder.err !== null;
}

/** `{ context: { slot }, value }`: the answer and the slot it is true at. */
export function parseInContext<T>(result: unknown, read: (value: unknown) => T): { slot: number; value: T } {
  const { context, value } = parseObject(result, "result");
  return { slot: parseInteger(parseObject(context, "context").slot, "context.slot"), value: read(value) };
}

export const wrong = (what: string) => malformed(`wrong shape of ${what}`);
