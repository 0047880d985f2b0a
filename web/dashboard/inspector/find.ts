import type { NavigateOptions } from "@tanstack/react-router";
import { ApiError, call } from "../api/client.ts";
import { placeOf } from "../place.ts";
import { amountIn } from "./amountText.ts";

interface PathOf {
  readonly business: string;
  readonly environment: "test" | "live";
}

const REFERENCE_CHARACTERS_MAX = 255;

/**
 * The page of what a text names; null if it names nothing. A text that is no object's is searched for as an amount, then
 * as the beginning of a reference, first among payments and then among the newest intents. One row found is its own page,
 * several are the list with that filter.
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
    ...(amount === null ? [] : [{ amount_min: amount, amount_max: amount }]),
    { reference_prefix: text.trim() },
  ];
  for (const search of searches) {
    const { data } = await call("listPayments", { path, query: { ...search, limit: "2" } });
    if (data.length === 1) return placeOf(path, "payment", data[0]!.id);
    if (data.length > 1) return { to: "/$business/$environment/payments", params: path, search };
  }
  for (const search of searches) {
    const { data } = await call("listPaymentIntents", { path, query: { ...search, limit: "2" } });
    if (data.length === 1) return placeOf(path, "payment_intent", data[0]!.id);
    if (data.length > 1) return { to: "/$business/$environment/intents", params: path, search };
  }
  return null;
}
