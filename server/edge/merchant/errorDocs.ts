import type { MerchantErrorCode } from "../../domain/errors.ts";
import { BODY_BYTES_MAX } from "../../domain/limits.ts";
import type { ErrorDocs } from "../http/errorDocs.ts";

/** Every error of §7 in a merchant's words. Changing one changes nothing but the document. */
export const MERCHANT_ERROR_DOCS = {
  bad_request: {
    meaning: `The request as such cannot be read: not HTTP, not a JSON object, a malformed Idempotency-Key, a body of more than ${BODY_BYTES_MAX} bytes (413) or not of type \`application/json\` (415). Correct it; a retry of the same request cannot help.`,
    example: { message: "The body must be a JSON object: {…}." },
  },
  invalid_request: {
    meaning: "A field, query parameter or header is wrong; `param` names it and the message says what was expected.",
    example: {
      param: "protectionPeriod",
      message: "Expected one of oneHour, oneDay, threeDays, sevenDays, fourteenDays, thirtyDays.",
    },
  },
  unauthorized: {
    meaning: "The API key is missing, malformed, unknown, revoked or expired. Send an active one.",
    example: {
      message: "The API key is missing. Send one header Authorization: Bearer <API_KEY> with an active key.",
    },
  },
  browser_request: {
    meaning: "The request carries a header only browsers send (Origin, Sec-Fetch-Site, Cookie). Call from your server.",
    example: {
      message:
        "The request carries the browser header Origin. API keys belong on a server; call from there, without it.",
    },
  },
  forbidden: {
    meaning: "The key's scope does not allow the request; the message names the scope that is needed.",
    example: {
      message: "This key has the scope read. The request needs one with the scope full: key add without --scope.",
    },
  },
  not_found: {
    meaning:
      "There is no such resource for this key's business and environment, or no such endpoint. Check the id, and that the key is of its environment.",
    example: {
      message:
        "There is no such payment intent for this key's business and environment. An intent's id begins with pi_.",
    },
  },
  reference_in_use: {
    meaning:
      "An open intent already uses this merchantReference; `intent` holds its id. Use that one, cancel it, or choose another reference.",
    example: {
      message:
        "An open intent already uses this merchantReference; error.intent names it. Go on with that one, cancel it, or choose another reference.",
      intent: "pi_test_01a1fc0a61ca6aa1dc5681f996bdf948",
    },
  },
  intent_not_cancelable: {
    meaning: "The intent is paid, expired or canceled already. Read it to see its status.",
    example: { message: "This intent is paid. Only one that is still requires_payment can be canceled." },
  },
  signature_unverified: {
    meaning:
      "The transaction is not found, not confirmed, failed, or made no payment for this intent; `reason` says which. Where `retryable` is true send the same request again in a few seconds. Never kept under an Idempotency-Key.",
    example: {
      message: "The transaction is not confirmed yet. Send the request again in a few seconds.",
      reason: "not_confirmed",
      retryable: true,
    },
  },
  idempotency_conflict: {
    meaning: "This Idempotency-Key was used with a different request in the last 24 hours. Use a new key.",
    example: { message: "This Idempotency-Key was used with a different request. Use a new key." },
  },
  idempotency_in_progress: {
    meaning: "A request with this Idempotency-Key is still running. Retry shortly with the same key.",
    example: { message: "A request with this Idempotency-Key is still running. Retry shortly." },
  },
  rate_limited: {
    meaning: "The key's requests of this minute are used up. Wait for the seconds in Retry-After.",
    example: { message: "More than 120 requests in this minute. Wait until it ends." },
  },
  internal_error: {
    meaning:
      "A fault of the service. Retry with the same Idempotency-Key; send the operator the Request-Id if it stays.",
    example: { message: "The service failed. It is safe to retry with the same Idempotency-Key." },
  },
  unavailable: {
    meaning: "Temporarily unavailable. Retry with backoff and the same Idempotency-Key, not before Retry-After.",
    example: { message: "Temporarily unavailable. Repeat the request with the same Idempotency-Key." },
  },
  chain_unavailable: {
    meaning: "The chain could not be read. Retry with backoff; the periodic sweep also finds the payment.",
    example: { message: "The chain could not be read. Retry with backoff; the periodic sweep also finds the payment." },
  },
} as const satisfies ErrorDocs & Record<MerchantErrorCode, unknown>;
