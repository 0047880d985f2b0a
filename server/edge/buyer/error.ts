import type { AmountTexts } from "@holdfast/ui/amount.ts";
import type { Widened } from "../../lib/widened.ts";
import { REFUSALS_ENGLISH } from "./refusalTexts.ts";

/** Every refusal of the buyer's door, with its status and meaning. */
export const BUYER_ERRORS = {
  invalid_request: {
    status: 400,
    meaning: "The body is not what is taken here; 413 if it is too large, 415 if it is no JSON.",
  },
  bad_request: {
    status: 400,
    meaning: "Of a file: its bytes are not those announced, or not of a type that is taken (413, 415).",
  },
  invalid_account: { status: 400, meaning: "The account is no wallet, or not one that can do this." },
  invalid_transaction: {
    status: 400,
    meaning: "The transaction is not what is taken here; `details.reason` may say why.",
  },
  proof_needed: { status: 401, meaning: "The browser has not proven the wallet that paid." },
  browser_request: { status: 403, meaning: "A page of another site asks." },
  not_found: { status: 404, meaning: "There is no such intent, payment, dispute or terms text." },
  paid: { status: 409, meaning: "The intent is paid, or this account has paid it already." },
  expired: {
    status: 409,
    meaning: "The time to pay has passed. Of a signed transaction: it came too late, and nothing was sent (§4.14.11).",
  },
  canceled: { status: 409, meaning: "The shop canceled the intent." },
  checkout_held: { status: 409, meaning: "Arbiter, upgrade authority or program is not confirmed (§10.12)." },
  not_accepted: { status: 409, meaning: "The operator's screening refuses the payment (§4.14.10)." },
  no_seat: {
    status: 409,
    meaning: "The payment link has no seat; `details.reason` is `full`, `has_paid` or `closed` (§13.21.5).",
  },
  not_sponsored: { status: 409, meaning: "The sponsor does not sign this transaction." },
  other_wallet: { status: 409, meaning: "Of an action: `details.wallet` has to sign it." },
  not_possible: {
    status: 409,
    meaning: "Of an action: the program refuses it; `details.reason` says why, such as `already_decided`.",
  },
  proof_refused: { status: 409, meaning: "The proof of the wallet does not hold." },
  dispute_changed: { status: 409, meaning: "The dispute forbids the act; `details.reason` says why." },
  sent_before: { status: 409, meaning: "A form with this `Idempotency-Key` was sent and done before, within a day." },
  in_progress: { status: 409, meaning: "A form with this `Idempotency-Key` is being done, or may have been." },
  insufficient_token: {
    status: 422,
    meaning: "The account lacks tokens: `details.missing` in smallest units, `details.missingInWords`.",
  },
  insufficient_sol: {
    status: 422,
    meaning: "The account lacks SOL: `details.missingLamports`, `details.missingInWords`.",
  },
  simulation_failed: { status: 422, meaning: "The chain would refuse the transaction." },
  rate_limited: { status: 429, meaning: "Too many requests of this network, or too many acts." },
  internal_error: { status: 500, meaning: "The service failed." },
  payment_pending: {
    status: 503,
    meaning:
      "Of `x402`: the payment may be on its way, as `details.transaction`; the same request again gets its answer.",
  },
  chain_unavailable: { status: 503, meaning: "No node answers in time." },
  unavailable: { status: 503, meaning: "The database, or the operator's screening, does not answer in time." },
} as const;
export type BuyerErrorCode = keyof typeof BUYER_ERRORS;

/** Wallets show this many characters of an error, and cut the rest. */
export const MESSAGE_CHARACTERS_MAX = 80;

/** The sentences of refusals in a language, with its form of amounts. */
export type Refusals = Widened<typeof REFUSALS_ENGLISH> & AmountTexts;
export const ENGLISH_REFUSALS: Refusals = {
  ...REFUSALS_ENGLISH,
  locale: "en-GB",
  tokens: "tokens",
  smallestUnits: "smallest units",
};

/** Chooses a sentence, and fills in its values. */
export type Say = (texts: Refusals) => string;

interface BuyerErrorOptions {
  readonly details?: Readonly<Record<string, string>>;
  readonly retryAfterSeconds?: number;
  /** Set if HTTP has its own status for this fault of the request. */
  readonly status?: 413 | 415;
}

/**
 * An error that a buyer reads, in the page or in the wallet: a sentence or two of at most 80 characters. `message` is the
 * English one.
 */
export class BuyerError extends Error {
  override readonly name = "BuyerError";
  readonly code: BuyerErrorCode;
  readonly say: Say;
  readonly status: number;
  readonly details: BuyerErrorOptions["details"] | null;
  readonly retryAfterSeconds: number | null;

  constructor(code: BuyerErrorCode, say: Say, options: BuyerErrorOptions = {}) {
    super(say(ENGLISH_REFUSALS));
    this.code = code;
    this.say = say;
    this.status = options.status ?? BUYER_ERRORS[code].status;
    this.details = options.details ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** The envelope of the page's own requests. */
export const showBuyerError = ({ code, details, message: english }: BuyerError, message = english): string =>
  JSON.stringify({ error: { code, message, ...(details === null ? {} : { details }) } });
