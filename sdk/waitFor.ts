import { TimeoutError } from "./errors.ts";
import { type Connection, pause, send } from "./request.ts";
import type { EventList, PaymentIntent } from "./schema.ts";

export interface WaitOptions {
  /** The statuses to wait for; any but `requires_payment` if left out. An expired or canceled intent may still be paid. */
  readonly status?: PaymentIntent["status"] | readonly PaymentIntent["status"][] | undefined;
  /** The longest wait; ten minutes if left out. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 600_000;
/** The longest time that the service holds a request open. An intent expires by the clock, so it is read again then. */
const WAIT_SECONDS_MAX = 25;
const ATTEMPT_MS = (WAIT_SECONDS_MAX + 10) * 1_000;
/** If the service does not hold the request, read again after this time. */
const POLL_MS = 2_000;

/** Waits for an intent's status by its events, and reads it after each. Throws {@link TimeoutError}. */
export async function waitForIntent(
  connection: Connection,
  id: string,
  { status, timeoutMs = TIMEOUT_MS, signal }: WaitOptions,
  retrieve: () => PromiseLike<PaymentIntent>,
): Promise<PaymentIntent> {
  const wanted = typeof status === "string" ? [status] : status;
  const isThere = (intent: PaymentIntent) =>
    wanted === undefined ? intent.status !== "requires_payment" : wanted.includes(intent.status);
  const endsAt = performance.now() + timeoutMs;
  const listen = async (query: object) =>
    (
      await send<EventList>(
        connection,
        { method: "GET", path: "/events", query: { intent: id, limit: 1, ...query } },
        { signal, attemptTimeoutMs: ATTEMPT_MS },
      )
    ).data;

  // The position comes first, so no event after the first read of the intent is missed.
  let position = (await listen({ afterSequence: "0" })).lastSequence ?? "0";
  for (;;) {
    const intent = await retrieve();
    if (isThere(intent)) return intent;
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0)
      throw new TimeoutError(`The intent ${id} is still ${intent.status}.`, { idempotencyKey: null, attempts: 0 });
    const wait = Math.min(WAIT_SECONDS_MAX, Math.ceil(leftMs / 1_000));
    const askedAt = performance.now();
    const page = await listen({ afterSequence: position, wait });
    const [event] = page.data;
    if (event === undefined && performance.now() - askedAt < (wait - 1) * 1_000)
      await pause(Math.min(POLL_MS, leftMs), signal);
    position = (page.hasMore ? event?.sequence : page.lastSequence) ?? position;
  }
}
