import type { NavigateOptions } from "@tanstack/react-router";
import { ApiError, call, callList } from "../api/client.ts";
import { placeOf } from "../place.ts";
import { amountIn } from "./amountText.ts";

interface PathOf {
  readonly business: string;
  readonly environment: "test" | "live";
}

export const REFERENCE_CHARACTERS_MAX = 255;
/** A page of a list reads 101 rows; so many pages are searched for a part of a reference. */
const PART_PAGES_MAX = 10;

/**
 * The page of what a text names; null if it names nothing. A text that is no object's is searched for as an amount, then
 * as the beginning of a reference, then as a part of one of the newest; each first among payments and then among the newest
 * intents. One row found is its own page, several are the list with that filter.
 */
export async function findPlace(path: PathOf, text: string): Promise<NavigateOptions | null> {
  try {
    const { kind, id } = await call("inspect", { path, body: { text } });
    return placeOf(path, kind, id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  if (text.trim().length > REFERENCE_CHARACTERS_MAX) return null;
  const amount = amountIn(text);
  const searches = [
    ...(amount === null ? [] : [{ filters: { amount_min: amount, amount_max: amount }, pagesMax: 1 }]),
    { filters: { reference_prefix: text.trim() }, pagesMax: 1 },
    { filters: { reference_part: text.trim() }, pagesMax: PART_PAGES_MAX },
  ];
  for (const { filters: search, pagesMax } of searches) {
    const payments = await findRows("listPayments", path, search, pagesMax);
    if (payments.length === 1) return placeOf(path, "payment", payments[0]!);
    if (payments.length > 1) return { to: "/$business/$environment/payments", params: path, search };
    const intents = await findRows("listPaymentIntents", path, search, pagesMax);
    if (intents.length === 1) return placeOf(path, "payment_intent", intents[0]!);
    if (intents.length > 1) return { to: "/$business/$environment/intents", params: path, search };
  }
  return null;
}

/** The ids of the first two rows that pass the filters, or of fewer, among those that so many pages read. */
async function findRows(
  list: "listPayments" | "listPaymentIntents",
  path: PathOf,
  filters: Readonly<Record<string, string>>,
  pagesMax: number,
): Promise<string[]> {
  const found: string[] = [];
  let next: string | undefined;
  for (let pages = 0; pages < pagesMax && found.length < 2; pages++) {
    const page = await callList(list, { path, query: filters }, { limit: "2", starting_after: next });
    found.push(...page.data.map(({ id }) => id));
    if (!page.next) break;
    next = page.next;
  }
  return found;
}
