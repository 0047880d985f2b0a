import { BODY_BYTES_MAX } from "../../domain/limits.ts";
import type { ErrorDocs } from "../http/errorDocs.ts";

/** The errors of the staff API in words. */
export const STAFF_ERROR_DOCS = {
  bad_request: {
    meaning: `The request as such cannot be read: not HTTP, not a JSON object, a body of more than ${BODY_BYTES_MAX} bytes (413) or not of type \`application/json\` (415).`,
    example: { message: "The body must be a JSON object: {…}." },
  },
  invalid_request: {
    meaning: "A field or query parameter is wrong; `param` names it and the message says what was expected.",
    example: { param: "role", message: "Expected one of owner, admin, developer, read_only." },
  },
  unauthorized: {
    meaning: "Nobody is signed in, the session has ended, or what was given to sign in is wrong.",
    example: { message: "Nobody is signed in, or the session has ended. Sign in again." },
  },
  forbidden: {
    meaning: "The user's role does not allow it.",
    example: { message: "Your role in this business is read_only. This needs one of owner, admin." },
  },
  cross_site_request: {
    meaning: "The request does not say that it comes from the dashboard.",
    example: { message: "The request does not say that it comes from the dashboard." },
  },
  proof_required: {
    meaning: "The operation needs a proof within the last ten minutes that it is the user: password or passkey.",
    example: { message: "This needs a recent proof that it is you. Give your password or passkey again." },
  },
  not_found: {
    meaning: "There is no such thing, or it is not in a business of this user, or not in this environment.",
    example: {
      message: "There is nothing by this id in what you may see. Check the id, the business and the environment.",
    },
  },
  action_refused: {
    meaning: "The operation cannot be done as things stand; `reason` is the word for why.",
    example: { reason: "key_limit_reached", message: "The business has 5 active test keys. Revoke or roll one." },
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
