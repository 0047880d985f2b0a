import { TOO_LATE } from "../../domain/errors.ts";
import { BODY_BYTES_MAX } from "../../domain/limits.ts";
import type { ErrorDocs } from "../http/errorDocs.ts";

/** The errors of the staff API in words. */
export const STAFF_ERROR_DOCS = {
  bad_request: {
    meaning: `The request as such cannot be read: not HTTP, not a JSON object, a body of more than ${BODY_BYTES_MAX} bytes (413) or not of type \`application/json\` (415).`,
    example: { message: "The body must be a JSON object: {…}." },
  },
  invalid_request: {
    meaning:
      "A field or query parameter is wrong; `param` names it and the message says what was expected. `others` has the further wrong fields of the form, each with `param` and `message`.",
    example: { param: "role", message: "Expected one of owner, admin, developer, disputes, read_only." },
  },
  unauthorized: {
    meaning: "The user is not signed in, the session has ended, or the sign-in failed.",
    example: { message: "You are not signed in, or your session has ended. Sign in again." },
  },
  forbidden: {
    meaning: "The user's role does not allow it.",
    example: { message: "Your role in this business is read_only. This needs one of owner, admin." },
  },
  cross_site_request: {
    meaning: "The request does not show that it comes from the dashboard.",
    example: { message: "The request does not show that it comes from the dashboard." },
  },
  proof_required: {
    meaning: "The operation needs a proof within the last ten minutes that it is the user: password or passkey.",
    example: { message: "Confirm that it is you. Enter your password, or use your passkey." },
  },
  not_found: {
    meaning: "The object does not exist, or it belongs to another business or environment.",
    example: {
      message: "You have access to nothing with this ID. Check the ID, the business and the environment.",
    },
  },
  action_refused: {
    meaning: "The present state does not allow the operation; `reason` says why.",
    example: { reason: "key_limit_reached", message: "The business has 5 active test keys. Revoke or roll one." },
  },
  sent_before: {
    meaning: "A form with this `Idempotency-Key` was sent and done before, within a day. Its answer is not kept.",
    example: { message: "This was sent and done before. Load the page again to see it." },
  },
  expired: {
    meaning: "The signed transaction came too late: it has not landed, and never will. Build and sign a new one.",
    example: { message: TOO_LATE },
  },
  reference_in_use: {
    meaning: "An open intent of the business already has this reference; `intent` names it.",
    example: {
      intent: "pi_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948",
      message: "An open intent already uses this merchantReference; error.intent names it.",
    },
  },
  dispute_changed: {
    meaning: "The payment's state on chain does not allow it any more; `reason` says why.",
    example: {
      reason: "already_paid_out",
      message: "All that was due has already left the escrow. Pay the buyer back by a transfer to their wallet.",
    },
  },
  conflict_of_interest: {
    meaning: "The arbiter may not decide this dispute; `reason` says why.",
    example: { reason: "member", message: "You are a member of this business, so you cannot decide its disputes." },
  },
  chain_unavailable: {
    meaning: "The chain could not be read. Retry shortly.",
    example: { message: "The chain could not be read. Retry with backoff; the periodic sweep also finds the payment." },
  },
  rate_limited: {
    meaning: "Too many tries. Wait as long as `Retry-After` says.",
    example: { message: "Too many tries. Wait 15 minutes, or sign in with a passkey." },
  },
  internal_error: {
    meaning: "A fault of the service.",
    example: { message: "The service failed." },
  },
  unavailable: {
    meaning: "The database cannot be reached, or the service is overloaded or shutting down. Retry shortly.",
    example: { message: "Temporarily unavailable. Repeat the request." },
  },
} as const satisfies ErrorDocs;
