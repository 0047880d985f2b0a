/** An answer that is an error, as far as it is understood. */
export interface Refusal {
  readonly message: string | null;
  readonly param: string | null;
  /** The intent that is in the way. */
  readonly intent: string | null;
  readonly reason: string | null;
  readonly mismatch: readonly string[];
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Parses the error envelope of a logged answer. */
export function parseRefusal(answer: string | null): Refusal {
  const error = answer === null ? undefined : (JSON.parse(answer) as { error?: Record<string, unknown> | null }).error;
  const { message, param, intent, reason, mismatch } = error ?? {};
  return {
    message: textOf(message),
    param: textOf(param),
    intent: textOf(intent),
    reason: textOf(reason),
    mismatch: Array.isArray(mismatch) ? mismatch.filter((term) => typeof term === "string") : [],
  };
}

/** The signature that a logged body gives; null: none. */
export function signatureIn(body: string | null): string | null {
  if (body === null) return null;
  try {
    return textOf((JSON.parse(body) as { signature?: unknown }).signature);
  } catch {
    return null; // a body is kept as it was sent, and nothing says that its last escape is whole
  }
}
