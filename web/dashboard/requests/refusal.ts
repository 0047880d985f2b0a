/** The understood parts of an error answer. */
export interface Refusal {
  readonly message: string | null;
  readonly param: string | null;
  /** The intent that caused the error. */
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

/** Returns the signature in a logged body; null if it has none. */
export function signatureIn(body: string | null): string | null {
  if (body === null) return null;
  try {
    return textOf((JSON.parse(body) as { signature?: unknown }).signature);
  } catch {
    return null; // a stored body may be cut in the middle of its last escape
  }
}
