import type { MerchantErrorCode } from "../../domain/errors.ts";
import { BODY_BYTES_MAX } from "../../domain/limits.ts";
import type { ErrorSection } from "../http/errorDocs.ts";

/**
 * Every error of §7, described for merchants. The OpenAPI document has the meaning and the example, docs/errors.md all of
 * it.
 */
export const MERCHANT_ERROR_DOCS = {
  bad_request: {
    meaning: `The request as such cannot be read: not HTTP, not a JSON object, a malformed Idempotency-Key, a body of more than ${BODY_BYTES_MAX} bytes (413) or not of type \`application/json\` (415). Correct it; a retry of the same request cannot help.`,
    example: { message: "The body must be a JSON object: {…}." },
    more: "415 is also a body in another charset than UTF-8, or with a `Content-Encoding` other than `identity`. Also refused: a body that is no JSON, has a member twice, is nested more than 64 levels deep or is not UTF-8; more than 100 headers; headers of more than 16 KiB; headers, and then a body, that take more than 10 seconds to arrive; another version than HTTP/1.1 and 1.0.",
    examples: [
      { message: "The Idempotency-Key must be given once, as 1 to 255 printable ASCII characters." },
      {
        message: `The body is larger than ${BODY_BYTES_MAX} bytes. Send less: letters in UTF-8 instead of \\u escapes, a reference instead of data in metadata.`,
      },
      { message: "Send the body as UTF-8 JSON with the header Content-Type: application/json." },
    ],
    advice: 'correct the client. curl sends another type by default; pass `-H "Content-Type: application/json"`.',
    again: "no: correct the request",
    statuses: [413, 415],
  },
  invalid_request: {
    meaning: "A field, query parameter or header is wrong; `param` names it and the message says what was expected.",
    example: {
      param: "protectionPeriod",
      message: "Expected one of oneHour, oneDay, threeDays, sevenDays, fourteenDays, thirtyDays.",
    },
    more: "Of several, the first in the order of the documentation is reported; unknown fields come after the known ones. Checks that read the chain (is there a mint, is this a wallet) run only when every field is well formed.",
    examples: [
      {
        param: "amount",
        message: 'Expected digits in the asset\'s smallest unit, such as "1500000", from 1 to 18446744073709551615.',
      },
      { param: "asset", message: "There is no SPL Token or Token-2022 mint at this address on the test chain." },
    ],
    advice: `correct the value. Frequent causes:

- \`amount\` as a number, or with a point: it is a string of digits in the smallest unit ("5000000" is 5 USDC).
- \`recipient\` is a token account: give the wallet that owns it.
- \`recipient\` is not saved, and the business allows saved recipients alone: name one that is, or have an owner add it in the dashboard, under Recipients. One that was added since then can be named 24 hours later.
- \`asset\` is a mint whose extensions could take the funds out of the escrow (transfer fee or hook, permanent delegate, close authority, non-transferable, frozen by default). The operator of the service can allow one by \`ALLOWED_MINTS\`.
- A list was given a parameter it does not know, or one twice, or a \`limit\` outside 1 to 100.
- A time is a date alone, or has another offset: RFC 3339 with \`Z\` or \`+00:00\`, whose \`+\` is \`%2B\` in a query.
- \`Service-Api-Version\` names a version that does not exist.`,
    again: "no: correct the request, use a new key",
    stored: "yes, except of `Service-Api-Version`",
  },
  unauthorized: {
    meaning: "The API key is missing, malformed, unknown, revoked or expired. Send an active one.",
    example: {
      message: "The API key is missing. Send one header Authorization: Bearer <API_KEY> with an active key.",
    },
    more: "A key has expired when its grace after a roll is over. A request with more than one `Authorization` header has no key. The answer has `WWW-Authenticate: Bearer`.",
    examples: [
      {
        message:
          "The API key is malformed, unknown, revoked or expired. Send one header Authorization: Bearer <API_KEY> with an active key.",
      },
    ],
    advice:
      "check the header's spelling (`Bearer`, a space, the key). `npm run admin -- key list <business id>` shows the last four characters and the state of each key.",
    again: "no: correct the key",
  },
  browser_request: {
    meaning: "The request carries a header only browsers send (Origin, Sec-Fetch-Site, Cookie). Call from your server.",
    example: {
      message:
        "The request carries the browser header Origin. API keys belong on a server; call from there, without it.",
    },
    more: "Checked before anything else, the key included.",
    advice: "call from your server. A key that was in a browser is known to others: roll it with `--grace none`.",
    again: "no: call from a server",
  },
  forbidden: {
    meaning: "The key's scope does not allow the request; the message names the scope that is needed.",
    example: {
      message: "This key has the scope read. The request needs one with the scope full: key add without --scope.",
    },
    more: "A key of the scope `read` may make GET requests and verify signatures, and nothing else; one of the scope `disputes` may also write in disputes and record fulfillments. The request counts against the rate.",
    advice:
      "use a key of the scope that is named: `npm run admin -- key add --scope`, without it `full`. `GET /me` shows a key's scope.",
    again: "no: use a key of the scope that is named",
  },
  not_found: {
    meaning:
      "There is no such resource for this key's business and environment, or no such endpoint. Check the id, and that the key is of its environment.",
    example: {
      message:
        "There is no such payment intent for this key's business and environment. An intent's id begins with pi_.",
    },
    more: "A cursor (`starting_after`, `ending_before`) that is no item of the list is `not_found` too, and the message names the parameter. Paths are exact: no trailing slash, no double slash, lower case.",
    examples: [
      {
        message:
          "There is no such endpoint. Paths are exact and case-sensitive; /docs has them all with their methods.",
      },
    ],
    advice:
      "check the id and which key you use. A `test` key sees nothing of `live`. A reverted payment (`payment.reverted`) is not found any more, nor is an intent that retention deleted (§10.17).",
    again: "no",
    stored: "of an operation, yes",
  },
  reference_in_use: {
    meaning:
      "An open intent already uses this merchantReference; `intent` holds its id. Use that one, cancel it, or choose another reference.",
    example: {
      message:
        "An open intent already uses this merchantReference; error.intent names it. Go on with that one, cancel it, or choose another reference.",
      intent: "pi_test_5szw01a1fc0a61ca6aa1dc5681f996bdf948",
    },
    more: "An intent is open while it is `requires_payment` and not past `expiresAt`.",
    advice:
      "read that intent and send the buyer there; or cancel it and create another. For two requests of your own for the same order, use an `Idempotency-Key`.",
    again: "no: use the intent it names",
  },
  intent_not_cancelable: {
    meaning: "The intent is paid, expired or canceled already. Read it to see its status.",
    example: { message: "This intent is paid. Only an intent with the status requires_payment can be canceled." },
    advice:
      "read the intent. If it is paid, the recipient can refund on chain. An expired one needs no cancel: nobody is asked to pay it any more, and a payment that arrives all the same yields `payment_intent.paid_late`.",
    again: "no",
  },
  signature_unverified: {
    meaning:
      "The transaction is not found, not confirmed, failed, or made no payment for this intent; `reason` says which. Where `retryable` is true send the same request again in a few seconds. Never kept under an Idempotency-Key.",
    example: {
      message: "The transaction is not confirmed yet. Send the request again in a few seconds.",
      reason: "not_confirmed",
      retryable: true,
    },
    more: `From \`confirm\` alone. Nothing is bound.

| \`reason\` | \`retryable\` | When |
| --- | --- | --- |
| \`not_found\` | true | no node knows the transaction yet |
| \`not_confirmed\` | true | it is known, not confirmed yet |
| \`failed\` | false | it failed on chain; nothing was paid |
| \`no_payment_for_intent\` | false | it made no payment that carries this intent's \`paymentId\` (another intent's, perhaps) |
| \`mismatch\` | false | it made one, on other terms; \`mismatch\` lists them |

\`verify\` answers the same question without binding anything, with a verdict for each rule.`,
    examples: [
      {
        message:
          "No transaction with this signature is known to the chain yet. Send the request again once it is confirmed.",
        reason: "not_found",
        retryable: true,
      },
      {
        message: "The transaction's payment is not on the intent's terms; error.mismatch names those that differ.",
        reason: "mismatch",
        mismatch: ["amount"],
        retryable: false,
      },
    ],
    advice:
      "while `retryable`, send the same request again every second or two, for about two minutes: by then a transaction has landed or never will. You may also do nothing, since the sweep finds the payment by itself. On `mismatch` the buyer's funds are in the escrow all the same, on the terms they chose: they settle, or can be refunded by the recipient, like any payment.",
    again: "when `retryable` is true",
  },
  dispute_changed: {
    meaning:
      "The state of the payment on chain, or of its dispute, does not allow it any more; `reason` says why. Read it again. Never kept under an Idempotency-Key.",
    example: {
      message: "All that was due has already left the escrow. Pay the buyer back by a transfer to their wallet.",
      reason: "already_paid_out",
    },
    more: `From \`refund\` and the writes of disputes. The chain decides: somebody may have acted on the payment a moment ago, with whatever tool.

| \`reason\` | When |
| --- | --- |
| \`already_paid_out\` | the recipient's part has left the escrow, or all of it has |
| \`payment_closed\` | the payment's record is closed |
| \`not_on_chain\` | the chain does not show the payment now; a fork may have removed it |
| \`would_fail\` | a trial run on a node failed; the message says how |
| \`paused\`, \`deciding\`, \`agreed\`, \`decided\`, \`closed\` | the dispute's status does not allow it |
| \`not_your_turn\` | the arbiter is deciding, and you have no answer left |
| \`limit_reached\`, \`daily_limit_reached\` | you have sent as much as a side may in a dispute, or on a day of UTC |
| \`already_given\`, \`already_asked\` | it can be done once |
| \`offer_not_open\` | the offer is not open, not of that side, or past its \`until\` |
| \`refund_exceeds\` | more than that is bound to the buyer already |
| \`agreement_failed\` | an agreement of this dispute failed, and it has no second one |`,
    advice:
      "read the payment again, or wait for its event. What has left the escrow is the recipient's: a transfer to the buyer's wallet is outside these books.",
    again: "after the payment changed",
  },
  idempotency_conflict: {
    meaning: "This Idempotency-Key was used with a different request in the last 24 hours. Use a new key.",
    example: { message: "This Idempotency-Key was used with a different request. Use a new key." },
    more: 'A different request has another method, path, query or body. The order of members, white space and escapes in strings (`"\\u00e9"` is `"é"`) do not count; the spelling of numbers does (`1.0` is not `1`).',
    advice: "make the key from what you are doing (an order's number and the try), not from the time or a constant.",
    again: "with a new key",
  },
  idempotency_in_progress: {
    meaning: "A request with this Idempotency-Key is still running. Retry shortly with the same key.",
    example: { message: "A request with this Idempotency-Key is still running. Retry shortly." },
    more: "It runs at this moment, in this process or another.",
    advice: "send it again after a second; you then get the first answer, with `Idempotent-Replayed: true`.",
    again: "yes, in a second",
  },
  rate_limited: {
    meaning: "The key's requests of this minute are used up. Wait for the seconds in Retry-After.",
    example: { message: "More than 120 requests in this minute. Wait until it ends." },
    more: "A key may make 120 requests in a calendar minute, unless it was issued with another rate. Every authenticated answer has `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`.",
    advice:
      "wait for `Retry-After`. Rather than asking for an intent again and again, follow [events](events.md): one request waits up to 25 seconds and counts once.",
    again: "yes, after `Retry-After`",
  },
  internal_error: {
    meaning:
      "A fault of the service. Retry with the same Idempotency-Key; send the operator the Request-Id if it stays.",
    example: { message: "The service failed. It is safe to retry with the same Idempotency-Key." },
    more: "Nothing was changed, or all of it. The operator finds the fault in the service's log under the answer's `Request-Id`.",
    advice: "send it again with the same key.",
    again: "yes, with the same key",
  },
  unavailable: {
    meaning: "Temporarily unavailable. Retry with backoff and the same Idempotency-Key, not before Retry-After.",
    example: { message: "Temporarily unavailable. Repeat the request with the same Idempotency-Key." },
    more: "The database cannot be reached, or more requests wait than can be answered in time; or the chain cannot be read to check an asset that nobody has used here before; or one business asks about too many unknown assets in a minute.",
    examples: [{ message: "The chain could not be read to look at this asset. Retry with backoff." }],
    advice:
      "repeat with backoff and the same key. Without a key you do not know whether the first request took effect.",
    again: "yes, with backoff and the same key",
  },
  chain_unavailable: {
    meaning: "The chain could not be read. Retry with backoff; the periodic sweep also finds the payment.",
    example: { message: "The chain could not be read. Retry with backoff; the periodic sweep also finds the payment." },
    more: "With `Retry-After`, from `confirm`, `verify` and `refund` alone. No chain node gave an answer that can be trusted in time. Also where the chain of the key's environment is no longer configured.",
    advice: "repeat with backoff, or wait for the event: the sweep binds the payment when the chain can be read again.",
    again: "yes, with backoff",
  },
} as const satisfies Record<MerchantErrorCode, ErrorSection>;
