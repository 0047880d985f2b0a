import type { AmountTexts } from "@holdfast/ui/amount.ts";
import type { Widened } from "../../lib/widened.ts";
import { REFUSALS_ENGLISH } from "./refusalTexts.ts";

/** Every refusal of the buyer's door, with its status. */
const STATUSES = {
  invalid_request: 400,
  invalid_account: 400,
  invalid_transaction: 400,
  proof_needed: 401,
  browser_request: 403,
  not_found: 404,
  paid: 409,
  expired: 409,
  canceled: 409,
  checkout_held: 409,
  not_accepted: 409,
  no_seat: 409,
  not_sponsored: 409,
  other_wallet: 409,
  not_possible: 409,
  proof_refused: 409,
  dispute_changed: 409,
  sent_before: 409,
  in_progress: 409,
  insufficient_token: 422,
  insufficient_sol: 422,
  simulation_failed: 422,
  rate_limited: 429,
  internal_error: 500,
  payment_pending: 503,
  chain_unavailable: 503,
  unavailable: 503,
} as const;
export type BuyerErrorCode = keyof typeof STATUSES;

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
    this.status = options.status ?? STATUSES[code];
    this.details = options.details ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** The envelope of the page's own requests. */
export const showBuyerError = ({ code, details, message: english }: BuyerError, message = english): string =>
  JSON.stringify({ error: { code, message, ...(details === null ? {} : { details }) } });
