import { invalid } from "../../domain/errors.ts";
import type { JsonObject } from "../../domain/json.ts";
import { PAGE_LIMIT_DEFAULT, PAGE_LIMIT_MAX } from "../../domain/limits.ts";
import type { Page } from "../../domain/page.ts";
import type { Parameters } from "./documentation.ts";

/** PostgreSQL has no text with a NUL, so nothing could match it. */
export const QUERY_TEXT = /^[^\u0000]*$/;

/** Refuses parameters that the list's documentation does not name, or that are given more often than it allows. */
export function checkParameters(query: URLSearchParams, known: Parameters): void {
  for (const name of new Set(query.keys())) {
    if (!Object.hasOwn(known, name))
      throw invalid(name, `Unknown parameter. This list takes ${Object.keys(known).join(", ")}.`);
    const values = query.getAll(name);
    if (values.length > 1 && !known[name]!.repeatable)
      throw invalid(name, `Given ${values.length} times. Give this parameter once.`);
    if (!values.every((value) => QUERY_TEXT.test(value))) throw invalid(name, "The value holds a NUL character (%00).");
  }
}

export function readPage(query: URLSearchParams): Page {
  const startingAfter = query.get("starting_after");
  const endingBefore = query.get("ending_before");
  if (startingAfter !== null && endingBefore !== null)
    throw invalid("ending_before", "Give starting_after or ending_before, not both.");
  return { limit: readLimit(query), startingAfter, endingBefore };
}

function readLimit(query: URLSearchParams): number {
  const text = query.get("limit");
  if (text === null) return PAGE_LIMIT_DEFAULT;
  const limit = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > PAGE_LIMIT_MAX) throw invalid("limit", `Expected an integer from 1 to ${PAGE_LIMIT_MAX}.`);
  return limit;
}

/** A parameter that must be one of a set; null when it is not given. */
export function readChoice<Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | null {
  const text = query.get(name);
  if (text === null) return null;
  const choice = choices.find((known) => known === text);
  if (choice === undefined) throw invalid(name, `Expected one of ${choices.join(", ")}.`);
  return choice;
}

export function readFlag(query: URLSearchParams, name: string): boolean | null {
  const text = readChoice(query, name, ["true", "false"]);
  return text === null ? null : text === "true";
}

/** An ISO 8601 time in UTC, in the query. */
export const TIMESTAMP = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,3})?Z$/;

export function readTimestamp(query: URLSearchParams, name: string): Date | null {
  const text = query.get(name);
  if (text === null) return null;
  const time = new Date(text);
  const same =
    TIMESTAMP.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 19));
  if (!same) throw invalid(name, "Expected an ISO 8601 time in UTC, such as 2026-11-20T08:30:00.000Z.");
  return time;
}

/** For operations without a payload: nothing, or an empty object. */
export function readNoBody(body: JsonObject): null {
  for (const name of body.keys()) throw invalid(name, "Unknown field. This operation takes none: send no body, or {}.");
  return null;
}
