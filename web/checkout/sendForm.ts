import { forgetKey, keyOf } from "@holdfast/ui/formKeys.ts";
import { callService, MAY_HAVE_ARRIVED, RefusedError } from "./service.ts";

/** Calls a route that writes what a person wrote or chose: it is done once, also if it is sent again because no answer came. */
export async function sendForm<Answer>(path: string, body: unknown): Promise<Answer | null> {
  const form = JSON.stringify([path, body]);
  try {
    const answer = await callService<Answer>(path, body, { "Idempotency-Key": keyOf(form) });
    forgetKey(form);
    return answer;
  } catch (error) {
    if (!(error instanceof RefusedError) || MAY_HAVE_ARRIVED.has(error.code)) throw error;
    forgetKey(form);
    // The answer to the first time was lost.
    if (error.code === "sent_before") return null;
    throw error;
  }
}
