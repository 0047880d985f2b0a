import type { BuildRefusal } from "../../../chain/builder.ts";
import { shortAddress } from "../../../domain/addresses.ts";
import { TOO_LATE } from "../../../domain/errors.ts";
import { formatUnits } from "../../../domain/money.ts";
import type { IntentStatus } from "../../../domain/terms.ts";
import { BuyerError, MESSAGE_CHARACTERS_MAX } from "../../../edge/buyer/error.ts";
import { statusAt } from "../../intents/intent.ts";
import type { PayableView } from "./queries.ts";
import { tokensInWords } from "./text.ts";

/** Every refusal of a payment, in at most 80 characters, since a wallet cuts off the rest. */

export const noPayment = () => new BuyerError("not_found", "There is no payment under this address.");

const NOT_PAYABLE = {
  paid: "This is already paid. Nothing more is needed.",
  expired: "The time to pay has passed. Ask the shop for a new link.",
  canceled: "The shop canceled this payment. Please do not pay it.",
} as const satisfies Partial<Record<IntentStatus, string>>;

/** Throws the reason if an intent can no longer be paid. */
export function requirePayable({ intent, now }: Pick<PayableView, "intent" | "now">): void {
  const status = statusAt(intent, now);
  if (status !== "requires_payment") throw new BuyerError(status, NOT_PAYABLE[status]);
}

export const held = () =>
  new BuyerError("checkout_held", "Payments are paused while a change is checked. Try again later.");

/** The operator's screening refuses. The buyer learns no reason: the operator may not be allowed to give one. */
export const refusedByScreening = () =>
  new BuyerError("not_accepted", "This shop cannot take this payment. Nothing was paid. Please ask it.");

export const notScreened = () =>
  new BuyerError("unavailable", "Payments cannot be checked at the moment. Nothing was paid. Try again.");

/** The wallet took longer than the transaction lived. */
export const tooLate = () => new BuyerError("expired", TOO_LATE);

/** The sponsor does not pay for this payment. A buyer with SOL needs none. */
export const notSponsored = (reason?: string) =>
  new BuyerError("not_sponsored", "The fee cannot be paid for you now. Try again, or add SOL to your wallet.", {
    ...(reason !== undefined && { details: { reason } }),
  });

const NO_SEAT = {
  full: "All seats are taken. Unpaid ones may become free within minutes.",
  has_paid: "This wallet has already paid by this link. Use another one.",
  closed: "The shop has closed this link. Please do not pay.",
} as const;

/** The limit of a payment link leaves no seat for the wallet, or the link is closed. */
export const noSeat = (reason: keyof typeof NO_SEAT) =>
  new BuyerError("no_seat", NO_SEAT[reason], { details: { reason } });

/** The error for the obstacle that a node found to a build. */
export function explainRefusal(
  refusal: BuildRefusal,
  { intent, decimals }: Pick<PayableView, "intent" | "decimals">,
  account: string,
): BuyerError {
  const wallet = shortAddress(account);
  switch (refusal.kind) {
    case "already_paid":
      return alreadyPaid();
    case "is_recipient":
      return new BuyerError("invalid_account", "This wallet is the one to be paid. Pay from another one.");
    case "not_a_wallet":
      return new BuyerError("invalid_account", "This account belongs to a program and cannot pay by itself.");
    case "token_missing": {
      const missing = refusal.missing.toString();
      const inWords = (amount: string) => tokensInWords(intent.asset, amount, decimals);
      const [missingInWords, needed] = [inWords(missing), inWords(intent.amount)];
      const has = inWords((BigInt(intent.amount) - refusal.missing).toString());
      const message = `${wallet} has ${has}; ${needed} are needed.`;
      return new BuyerError(
        "insufficient_token",
        message.length <= MESSAGE_CHARACTERS_MAX ? message : `${wallet} lacks ${missingInWords}.`,
        { details: { missing, missingInWords } },
      );
    }
    case "sol_missing": {
      const missing = refusal.missing.toString();
      const inWords = `${formatUnits(missing, SOL_DECIMALS)} SOL`;
      return new BuyerError("insufficient_sol", `${wallet} needs ${inWords} more for fees and deposits.`, {
        details: { missingLamports: missing, missingInWords: inWords },
      });
    }
    case "not_sponsored":
    case "sponsor_short":
      return notSponsored();
    case "would_fail":
      return wouldFail(refusal.reason);
  }
}
const SOL_DECIMALS = 9;

/** Errors of the program with their own texts. The others show their reason, for people who help the buyer. */
const FAILURES: readonly (readonly [reason: RegExp, message: string])[] = [
  [/^offer_expired:/, "Too much time has passed. Nothing was paid. Please try again."],
  [/^arbiter_changed:/, "The arbiter has changed; nothing was paid. Check who it is, then try again."],
  [/account is frozen$/, "The token's issuer has frozen this account. It cannot pay."],
];

const alreadyPaid = () => new BuyerError("paid", "This wallet has already paid. The payment is being confirmed.");

export function wouldFail(reason: string): BuyerError {
  // Its payment is already on chain, so the text must not say that nothing was paid.
  if (reason.startsWith("payment_exists:")) return alreadyPaid();
  return new BuyerError(
    "simulation_failed",
    FAILURES.find(([pattern]) => pattern.test(reason))?.[1] ?? "The network would refuse this now. Nothing was paid.",
    { details: { reason } },
  );
}
