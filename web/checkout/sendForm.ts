import { forgetKey, keyOf } from "@holdfast/ui/formKeys.ts";
import type { Posts } from "./schema.ts";
import { addressOf, callService, MAY_HAVE_ARRIVED, type Place, RefusedError } from "./service.ts";

/** Calls a route that writes what a person wrote or chose: it is done once, also if it is sent again because no answer came. */
export async function sendForm<Route extends keyof Posts>(
  route: Route,
  place: Place<Route>,
  body: Posts[Route]["body"],
): Promise<void> {
  const form = JSON.stringify([addressOf(route, place), body]);
  try {
    await callService(route, place, body, { "Idempotency-Key": keyOf(form) });
    forgetKey(form);
  } catch (error) {
    if (!(error instanceof RefusedError) || MAY_HAVE_ARRIVED.has(error.code)) throw error;
    forgetKey(form);
    // The answer to the first time was lost.
    if (error.code !== "sent_before") throw error;
  }
}
