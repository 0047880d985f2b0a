/** The answer of `POST …/build`. */
export interface BuiltTransaction {
  /** Base64, unsigned. */
  readonly transaction: string;
  readonly notAfter: string;
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

/**
 * Calls one of the page's own routes. Throws {@link RefusedError} if the service refuses, and the error of `fetch` without
 * an answer.
 */
export async function callService<Answer>(path: string, body: unknown): Promise<Answer> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
  });
  const read = (await answer.json()) as Answer & {
    readonly error?: { readonly code: string; readonly message: string };
  };
  if (read.error !== undefined) throw new RefusedError(read.error.code, read.error.message);
  return read;
}
