import { forgetKey, keyOf } from "@holdfast/ui/formKeys.ts";

/** The answer of `POST …/build`. */
export interface BuiltTransaction {
  /** Base64, unsigned. */
  readonly transaction: string;
  readonly notAfter: string;
  /** The address of the payment that it makes. */
  readonly payment: string;
  readonly arbiter: string;
  /** The text whose hash the payment names (§4.13). */
  readonly terms: string;
  readonly fee: {
    readonly networkLamports: string;
    readonly recordLamports: string;
    readonly vaultLamports: string;
    readonly tokenAccountLamports: string;
    readonly totalLamports: string;
    /** The part of the record's rent that never comes back. */
    readonly tombstoneLamports: string;
  };
  readonly sponsored: boolean;
  /** True if it needs a seat of a payment link, which only what is handed in holds. */
  readonly seated: boolean;
}

/** The service refused; the message is a sentence for the buyer. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const ANSWER_MS_MAX = 20_000;

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

/**
 * Calls one of the page's own routes. Throws {@link RefusedError} if the service refuses, and the error of `fetch` without
 * an answer.
 */
export async function callService<Answer>(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const read = (await answer.json()) as Answer & {
    readonly error?: { readonly code: string; readonly message: string };
  };
  if (read.error !== undefined) throw new RefusedError(read.error.code, read.error.message);
  return read;
}

/** `sent`: the service has it. `unknown`: it may have it, or be about to send it. */
export type HandedOver =
  | { readonly kind: "sent" | "unknown" }
  /** It came too late: it has not landed, and never will. */
  | { readonly kind: "too_late" }
  | { readonly kind: "refused"; readonly message: string };

const TRIES_MAX = 4;
const RETRY_MS = 1_500;
/** Failures half-way: the request's transaction may have been accepted. */
const MAY_HAVE_ARRIVED: ReadonlySet<string> = new Set([
  "chain_unavailable",
  "unavailable",
  "internal_error",
  "in_progress",
]);

/**
 * Passes signed bytes to the service, and retries without an answer: the same bytes land once, however often they
 * arrive. Once an attempt may have arrived, no later answer can say that the transaction was not sent.
 */
export async function handOver(path: string, body: unknown): Promise<HandedOver> {
  let mayHaveArrived = false;
  for (let tries = 1; ; tries++) {
    try {
      await callService(path, body);
      return { kind: "sent" };
    } catch (error) {
      const refusal = error instanceof RefusedError ? error : null;
      // The payment of an earlier attempt is recorded already.
      if (refusal?.code === "paid" && mayHaveArrived) return { kind: "sent" };
      if (refusal?.code === "expired") return { kind: "too_late" };
      mayHaveArrived ||= refusal === null || MAY_HAVE_ARRIVED.has(refusal.code);
      const isFinal = refusal !== null && refusal.code !== "rate_limited" && !MAY_HAVE_ARRIVED.has(refusal.code);
      if (isFinal || tries >= TRIES_MAX)
        return mayHaveArrived || refusal === null ? { kind: "unknown" } : { kind: "refused", message: refusal.message };
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries));
    }
  }
}
