import type { ActionErrorCode } from "./actionError.ts";
import type { Term } from "./terms.ts";

/**
 * Every error of the merchant API (§7) and of the staff API (§13), with its status. `storable`: the answer is stored under
 * an Idempotency-Key (§4.8.7).
 */
export const ERRORS = {
  bad_request: { status: 400, storable: false },
  invalid_request: { status: 400, storable: true },
  unauthorized: { status: 401, storable: false },
  browser_request: { status: 403, storable: false },
  forbidden: { status: 403, storable: false },
  not_found: { status: 404, storable: true },
  reference_in_use: { status: 409, storable: true },
  intent_not_cancelable: { status: 409, storable: true },
  signature_unverified: { status: 409, storable: false },
  dispute_changed: { status: 409, storable: false },
  idempotency_conflict: { status: 409, storable: false },
  idempotency_in_progress: { status: 409, storable: false },
  rate_limited: { status: 429, storable: false },
  internal_error: { status: 500, storable: false },
  unavailable: { status: 503, storable: false },
  chain_unavailable: { status: 503, storable: false },
  cross_site_request: { status: 403, storable: false },
  proof_required: { status: 403, storable: false },
  action_refused: { status: 409, storable: false },
  sent_before: { status: 409, storable: false },
  expired: { status: 409, storable: false },
  conflict_of_interest: { status: 403, storable: false },
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** The errors that only the staff API has. */
export const STAFF_ERRORS = [
  "cross_site_request",
  "proof_required",
  "action_refused",
  "sent_before",
  "expired",
  "conflict_of_interest",
] as const;
export type MerchantErrorCode = Exclude<ErrorCode, (typeof STAFF_ERRORS)[number]>;

/** Reasons why a signature could not be verified (§4.5): `not_found` and `not_confirmed` may pass with time. */
export const UNVERIFIED_REASONS = [
  "not_found",
  "not_confirmed",
  "failed",
  "no_payment_for_intent",
  "mismatch",
] as const;
export type UnverifiedReason = (typeof UNVERIFIED_REASONS)[number];

/** Reasons why the state of a payment on chain, or of its dispute, forbids what was asked for (§4.16, §4.18). */
export const DISPUTE_CHANGED_REASONS = [
  "already_paid_out",
  "payment_closed",
  "not_on_chain",
  "would_fail",
  "paused",
  "talking",
  "deciding",
  "agreed",
  "decided",
  "closed",
  "already_given",
  "already_asked",
  "not_your_turn",
  "limit_reached",
  "daily_limit_reached",
  "refund_exceeds",
  "offer_not_open",
  "agreement_failed",
  "not_deciding",
  "question_open",
  "not_held",
  "held_by_other",
] as const;
export type DisputeChangedReason = (typeof DISPUTE_CHANGED_REASONS)[number];

/** Reasons why an arbiter may not decide a dispute (§13.22). */
export const CONFLICTS_OF_INTEREST = ["member", "former_member", "wallet"] as const;
export type ConflictOfInterest = (typeof CONFLICTS_OF_INTEREST)[number];

export interface ErrorDetails {
  /** The invalid field, query parameter or header; only on `invalid_request`. */
  readonly param?: string;
  /** The other wrong fields of a form, for the staff's pages alone; only on `invalid_request`. */
  readonly others?: readonly { readonly param: string; readonly message: string }[];
  /** The open intent that holds the reference; only on `reference_in_use`. */
  readonly intent?: string;
  /** The reason why a signature is unverified, a payment's state forbids it, or an action was refused. */
  readonly reason?: UnverifiedReason | DisputeChangedReason | ActionErrorCode | ConflictOfInterest;
  readonly mismatch?: readonly Term[];
  readonly retryable?: boolean;
}

/** An error that the API answers with. `status` differs from the code's own only for `bad_request` (413, 415). */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;
  readonly status: number;
  /** Whole seconds to wait before the next try; becomes the Retry-After header. */
  readonly retryAfterSeconds: number | null;
  /** True if the connection ends with the answer, because the request exceeded a limit of HTTP. */
  readonly closes: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
    options: { status?: 413 | 415; retryAfterSeconds?: number; closes?: boolean } = {},
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.status = options.status ?? ERRORS[code].status;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.closes = options.closes ?? false;
  }
}

/** A field, query parameter or header is wrong (§7); the message says what was expected. */
export const invalid = (param: string, message: string, more: Pick<ErrorDetails, "others"> = {}) =>
  new ApiError("invalid_request", message, { param: shorten(param), ...more });

/** All wrong fields of a body, in the order of its declaration. By itself it is the error of the first. */
export class InvalidBodyError extends ApiError {
  readonly fields: readonly ApiError[];

  constructor(fields: readonly [ApiError, ...ApiError[]]) {
    const [{ code, message, details }] = fields;
    super(code, message, details);
    this.fields = fields;
  }
}

/** Said of a signed transaction that can never land (§4.14.4). */
export const TOO_LATE = "Too much time passed; nothing was sent. Press again.";
export const tooLate = () => new ApiError("expired", TOO_LATE);

const PARAM_MAX = 100;

/** An unknown name may be as long as the request. */
const shorten = (name: string): string =>
  name.length <= PARAM_MAX ? name : `${[...name.slice(0, PARAM_MAX)].slice(0, -1).join("")}…`;

/** The error envelope (§2.5, §7). `message`: in another language than the API's. */
export const showError = (error: ApiError, message = error.message): string =>
  JSON.stringify({
    error: {
      code: error.code,
      ...(error.details.param === undefined ? {} : { param: error.details.param }),
      message,
      ...(error.details.others === undefined ? {} : { others: error.details.others }),
      ...(error.details.intent === undefined ? {} : { intent: error.details.intent }),
      ...(error.details.reason === undefined ? {} : { reason: error.details.reason }),
      ...(error.details.mismatch === undefined ? {} : { mismatch: error.details.mismatch }),
      ...(error.details.retryable === undefined ? {} : { retryable: error.details.retryable }),
    },
  });
