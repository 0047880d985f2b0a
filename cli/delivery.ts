import { setTimeout as sleep } from "node:timers/promises";
import type { AnyEvent } from "@holdfast/sdk";
import { signedHeaders } from "@holdfast/testing";

/** The time that the service gives a receiver. */
const ATTEMPT_MS = 10_000;
const RETRY_WAITS_MS = [1_000, 3_000] as const;

/** An attempt to deliver an event to a local handler. */
export interface Delivery {
  readonly attempt: number;
  /** The answer's status; null if none arrived. */
  readonly status: number | null;
  readonly ms: number;
  readonly error: string | null;
}

export const isDelivered = ({ status }: Delivery): boolean => status !== null && status >= 200 && status < 300;

/** Delivers an event: three attempts, each reported. Returns true if one succeeded. */
export async function deliver(
  event: AnyEvent,
  url: string,
  secret: string,
  report: (delivery: Delivery) => void,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const delivery = await attemptOnce(event, url, secret, attempt);
    report(delivery);
    if (isDelivered(delivery)) return true;
    const waitMs = RETRY_WAITS_MS[attempt - 1];
    if (waitMs === undefined) return false;
    await sleep(waitMs);
  }
}

async function attemptOnce(event: AnyEvent, url: string, secret: string, attempt: number): Promise<Delivery> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: signedHeaders(event, body, secret),
      body,
      // As the service: a redirect is a failure, and the body of the answer is not read.
      redirect: "manual",
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    await answer.body?.cancel();
    return { attempt, status: answer.status, ms: took(), error: null };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return { attempt, status: null, ms: took(), error: cause?.code ?? message };
  }
}
