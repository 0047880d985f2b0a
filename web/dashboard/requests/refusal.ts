/** What an answer that is an error says, as far as it is understood. */
export interface Refusal {
  readonly message: string;
  readonly param: string | null;
  /** The intent that is in the way. */
  readonly intent: string | null;
  readonly reason: string | null;
  readonly mismatch: readonly string[];
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Reads the error envelope of a logged answer; null: there is none. */
export function readRefusal(answer: string | null): Refusal | null {
  const error = answer === null ? null : (JSON.parse(answer) as { error?: Record<string, unknown> }).error;
  if (error === undefined || error === null) return null;
  const { message, param, intent, reason, mismatch } = error;
  const terms = Array.isArray(mismatch) ? mismatch.filter((term) => typeof term === "string") : [];
  return {
    message: textOf(message) ?? "",
    param: textOf(param),
    intent: textOf(intent),
    reason: textOf(reason),
    mismatch: terms,
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
