import type { ErrorCode } from "./schema.ts";

/** Every error of this package. */
export class HoldfastError extends Error {
  override readonly name: string = "HoldfastError";
}

/** The circumstances of a call that failed. */
export interface CallFacts {
  /** The key of a POST: with it, the same call may be made again within 24 hours, and takes effect once. Null for a GET. */
  readonly idempotencyKey: string | null;
  /** The number of times the request was sent; 0 if a wait ended, and no request failed. */
  readonly attempts: number;
}

/** A call that failed. */
export abstract class CallError extends HoldfastError implements CallFacts {
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  /** True if the same request may succeed later. */
  abstract readonly retryable: boolean;

  constructor(message: string, { idempotencyKey, attempts }: CallFacts, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.idempotencyKey = idempotencyKey;
    this.attempts = attempts;
  }
}

/** The service could not be reached, or its answer did not arrive whole. */
export class ConnectionError extends CallError {
  override readonly name: string = "ConnectionError";
  override readonly retryable = true;
}

/** There was no answer in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

/** The caller's signal ended the call; `cause` is its reason. */
export class CanceledError extends CallError {
  override readonly name = "AbortError";
  override readonly retryable = true;
}

/** An answer of the service that is no success. */
export interface ErrorAnswer extends CallFacts {
  readonly status: number;
  readonly requestId: string | null;
  /** The time to wait before the next try; null if the answer names none. */
  readonly retryAfterMs: number | null;
  /** The members of `error` in the answer. */
  readonly details: Readonly<Record<string, unknown>>;
}

const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** The service refused a request. `code` says why; a newer service may have codes that are not known here. */
export class ApiError<Code extends string = string> extends CallError {
  override readonly name: string = "ApiError";
  override readonly retryable: boolean;
  readonly code: Code;
  readonly status: number;
  /** The request's id; null if the answer is not the service's own, but a proxy's. */
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: Code, message: string, answer: ErrorAnswer) {
    super(message, answer);
    this.code = code;
    this.status = answer.status;
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
    this.details = answer.details;
    this.retryable =
      RETRYABLE_STATUSES.has(answer.status) || code === "idempotency_in_progress" || answer.details.retryable === true;
  }
}

export class BadRequestError extends ApiError<"bad_request"> {}
export class InvalidRequestError extends ApiError<"invalid_request"> {
  /** The field, query parameter or header that is wrong. */
  get param(): string {
    return String(this.details.param);
  }
}
export class UnauthorizedError extends ApiError<"unauthorized"> {}
export class BrowserRequestError extends ApiError<"browser_request"> {}
export class ForbiddenError extends ApiError<"forbidden"> {}
export class NotFoundError extends ApiError<"not_found"> {}
export class ReferenceInUseError extends ApiError<"reference_in_use"> {
  /** The id of the open intent that has the reference. */
  get intent(): string {
    return String(this.details.intent);
  }
}
export class IntentNotCancelableError extends ApiError<"intent_not_cancelable"> {}
export class SignatureUnverifiedError extends ApiError<"signature_unverified"> {
  get reason(): string {
    return String(this.details.reason);
  }
  /** The terms that differ, if the reason is `mismatch`. */
  get mismatch(): readonly string[] {
    return (this.details.mismatch as readonly string[] | undefined) ?? [];
  }
}
/** The payment's state on chain forbids it. */
export class DisputeChangedError extends ApiError<"dispute_changed"> {
  get reason(): string {
    return String(this.details.reason);
  }
}
export class IdempotencyConflictError extends ApiError<"idempotency_conflict"> {}
export class IdempotencyInProgressError extends ApiError<"idempotency_in_progress"> {}
export class RateLimitedError extends ApiError<"rate_limited"> {}
export class InternalError extends ApiError<"internal_error"> {}
export class UnavailableError extends ApiError<"unavailable"> {}
export class ChainUnavailableError extends ApiError<"chain_unavailable"> {}

const CLASSES = {
  bad_request: BadRequestError,
  invalid_request: InvalidRequestError,
  unauthorized: UnauthorizedError,
  browser_request: BrowserRequestError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  reference_in_use: ReferenceInUseError,
  intent_not_cancelable: IntentNotCancelableError,
  signature_unverified: SignatureUnverifiedError,
  dispute_changed: DisputeChangedError,
  idempotency_conflict: IdempotencyConflictError,
  idempotency_in_progress: IdempotencyInProgressError,
  rate_limited: RateLimitedError,
  internal_error: InternalError,
  unavailable: UnavailableError,
  chain_unavailable: ChainUnavailableError,
} as const satisfies Record<ErrorCode, unknown>;

/** An error with a code that this version knows: `switch (error.code)` narrows it. */
export type KnownApiError = { [Code in ErrorCode]: InstanceType<(typeof CLASSES)[Code]> }[ErrorCode];

/** True if a caught value is a refusal of the service with a known code. */
export const isApiError = (error: unknown): error is KnownApiError =>
  error instanceof ApiError && Object.hasOwn(CLASSES, error.code);

/** The error of an answer; of a code that is not known here, or of a proxy, an {@link ApiError}. */
export function errorOf(answer: ErrorAnswer): ApiError {
  const { code, message } = answer.details;
  const text = typeof message === "string" ? message : `The answer has the status ${answer.status}, and no error.`;
  const word = typeof code === "string" ? code : "unknown_error";
  const Known: new (code: never, message: string, answer: ErrorAnswer) => ApiError = Object.hasOwn(CLASSES, word)
    ? CLASSES[word as ErrorCode]
    : ApiError;
  return new Known(word as never, text, answer);
}

/** Events after the follower's position are no longer stored. */
export class EventsExpiredError extends HoldfastError {
  override readonly name = "EventsExpiredError";
  /** The position that the follower had reached. */
  readonly after: string;
  /** The oldest sequence that is stored; null if no event is. */
  readonly oldestSequence: string | null;

  constructor(after: string, oldestSequence: string | null) {
    super(
      `Events after the sequence ${after} are deleted: this reader was away for longer than they are kept. Read your open intents again, then go on from ${oldestSequence === null ? "the newest event" : `the sequence ${BigInt(oldestSequence) - 1n}`}.`,
    );
    this.after = after;
    this.oldestSequence = oldestSequence;
  }
}

/** The follower's position is above the newest event. */
export class EventsAheadError extends HoldfastError {
  override readonly name = "EventsAheadError";
  readonly after: string;
  readonly lastSequence: string | null;

  constructor(after: string, lastSequence: string | null) {
    super(
      `The newest event has the sequence ${lastSequence ?? "0"}, and this reader was at ${after}: the position is that of another business or environment, or the service went back to an older copy.`,
    );
    this.after = after;
    this.lastSequence = lastSequence;
  }
}
