import { type ActEnding, endingOf } from "@holdfast/wallet/act.ts";
import { ApiError } from "../api/client.ts";

/** The ending of a call that hands in a signed transaction. Without an answer, or after one half-way, the service may have it. */
export async function handIn(called: Promise<unknown>): Promise<ActEnding> {
  try {
    await called;
    return { kind: "sent" };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return { kind: "unknown" };
    return error.code === "expired" ? { kind: "too_late" } : endingOf(error);
  }
}
