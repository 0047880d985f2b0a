import { type ActionRefusal, type Obstacle, obstacleIn, type PaymentRefusal } from "../../chain/acts.ts";
import { ChainUnavailableError } from "../../chain/port.ts";
import { ActionError } from "../../domain/actionError.ts";
import { shortAddress } from "../../domain/addresses.ts";
import {
  ApiError,
  type DisputeChangedReason,
  invalid,
  TOO_LATE,
  tooLate as tooLateForStaff,
} from "../../domain/errors.ts";
import { formatUnits } from "../../domain/money.ts";
import { tooMany } from "../buyer/door.ts";
import { BuyerError, MESSAGE_CHARACTERS_MAX } from "../buyer/error.ts";
import { tokensInWords } from "../buyer/text.ts";

/** Every refusal of an act, with a sentence for each audience. A buyer's has at most 80 characters: a wallet cuts off the rest. */

/** `buyer`: whoever acts on a payment's page; `shop`: the recipient, by API and dashboard. */
export type Audience = "buyer" | "shop" | "arbiter";

/** The reason why an act on a payment was not built, or what was signed not sent. */
export type ActRefusal =
  | ActionRefusal
  /** The wallet took longer than the transaction lived. */
  | { readonly kind: "ended" }
  /** As many transactions as one process follows are on their way. They end within minutes. */
  | { readonly kind: "busy" }
  /** The chain would refuse what was signed, in words. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It is not a signed transaction with this act. */
  | { readonly kind: "invalid"; readonly reason: string }
  /** It is no transaction at all. */
  | { readonly kind: "unreadable" };

type Sentences = {
  readonly [Kind in ActRefusal["kind"]]: Readonly<
    Record<Audience, (refusal: Extract<ActRefusal, { readonly kind: Kind }>, account: string | null) => Error>
  >;
};

const changed = (reason: DisputeChangedReason, message: string): ApiError =>
  new ApiError("dispute_changed", message, { reason });
const trialFailed = (reason: string) => changed("would_fail", `A trial run failed: ${reason}. Nothing was changed.`);
const refusedForArbiter = (reason: string): ActionError =>
  new ActionError("transaction_refused", `The chain would refuse it now: ${reason}. Read the dispute again.`);
const busyForStaff = () =>
  new ActionError("transaction_refused", "Too many transactions are on their way. Try again in a minute.");
const unreadableForStaff = () => new ActionError("transaction_invalid", "This is not a transaction.");

/** The wallet took longer than the transaction lived. */
export const tooLate = () => new BuyerError("expired", TOO_LATE);
export const noPayment = () => new BuyerError("not_found", "There is no payment under this address.");

const SOL_DECIMALS = 9;
const solInWords = (lamports: bigint): string => `${formatUnits(lamports.toString(), SOL_DECIMALS)} SOL`;

const solMissing = (account: string | null, missing: bigint, what: string): BuyerError => {
  const inWords = solInWords(missing);
  return new BuyerError(
    "insufficient_sol",
    `${account === null ? "The wallet" : shortAddress(account)} needs ${inWords} more for ${what}.`,
    {
      details: { missingLamports: missing.toString(), missingInWords: inWords },
    },
  );
};
const walletShort = {
  buyer: ({ missing }: { readonly missing: bigint }, account: string | null) =>
    solMissing(account, missing, "the network's fee"),
  shop: ({ missing }: { readonly missing: bigint }) =>
    new ActionError("wallet_short", `The wallet needs ${solInWords(missing)} more to pay the network's fee.`),
  arbiter: () => new ActionError("wallet_short", "The arbiter's wallet needs more SOL to pay the network's fee."),
};

const failed = (reason: string, message: string): BuyerError =>
  new BuyerError("simulation_failed", message, { details: { reason } });
const notPossible = (reason: Obstacle) => new BuyerError("not_possible", OBSTACLES[reason], { details: { reason } });

function failedAct(reason: string): BuyerError {
  const obstacle = obstacleIn(reason);
  if (obstacle !== null) return notPossible(obstacle);
  return failed(reason, "The network would refuse this now. Nothing was changed.");
}

const SENTENCES: Sentences = {
  not_found: {
    buyer: noPayment,
    shop: () => changed("not_on_chain", "The chain does not show this payment now. Read it again in a minute."),
    arbiter: () => new ChainUnavailableError("No node shows the payment of a dispute."),
  },
  other_wallet: {
    buyer: ({ needed }) =>
      new BuyerError("other_wallet", "Another wallet has to sign this.", { details: { wallet: needed } }),
    shop: ({ needed }) =>
      new ActionError("wallet_not_recipient", `Only the recipient's wallet, ${needed}, can refund it.`),
    arbiter: ({ needed }) => refusedForArbiter(`${needed} has to sign`),
  },
  not_possible: {
    buyer: ({ reason }) => notPossible(reason),
    shop: ({ reason }) => OBSTACLES_OF_REFUNDS[reason]?.() ?? trialFailed(reason),
    arbiter: ({ reason }) => refusedForArbiter(reason),
  },
  sol_missing: walletShort,
  sponsor_short: walletShort,
  would_fail: {
    buyer: ({ reason }) => failedAct(reason),
    shop: ({ reason }) => trialFailed(reason),
    arbiter: ({ reason }) => refusedForArbiter(reason),
  },
  refused: {
    buyer: ({ reason }) => failedAct(reason),
    shop: ({ reason }) =>
      new ActionError("transaction_refused", `The chain would refuse it now: ${reason}. Build it again.`),
    arbiter: ({ reason }) => refusedForArbiter(reason),
  },
  ended: { buyer: tooLate, shop: tooLateForStaff, arbiter: tooLateForStaff },
  busy: { buyer: () => tooMany(BUSY_SECONDS), shop: busyForStaff, arbiter: busyForStaff },
  invalid: {
    buyer: ({ reason }) => new BuyerError("invalid_transaction", `No signed transaction for this payment: ${reason}.`),
    shop: ({ reason }) =>
      new ActionError("transaction_invalid", `This is not a fully signed refund of this payment: ${reason}.`),
    arbiter: () =>
      new ActionError("transaction_invalid", "This is not the ruling that was built, signed by the arbiter's wallet."),
  },
  unreadable: {
    buyer: () => new BuyerError("invalid_transaction", "This is not a transaction."),
    shop: unreadableForStaff,
    arbiter: unreadableForStaff,
  },
};
const BUSY_SECONDS = 60;

/** Returns the error of a refusal for its audience. `account`: the wallet that is to sign, where a build names it. */
export const refusalTo = (audience: Audience, refusal: ActRefusal, account: string | null = null): Error =>
  (SENTENCES[refusal.kind][audience] as (refusal: ActRefusal, account: string | null) => Error)(refusal, account);

const OBSTACLES: Readonly<Record<Obstacle, string>> = {
  payment_closed: "This payment ended long ago, and its record is closed.",
  already_paid_out: "All of the money has left already. There is nothing left to do.",
  already_decided: "It is decided already who gets the money.",
  already_disputed: "A dispute is open already.",
  not_disputed: "No dispute is open for this payment.",
  protection_over: "The time to open a dispute is over.",
  protection_running: "The time to open a dispute is not over yet.",
  arbitration_over: "90 days have passed since the dispute. All of it can go back to the buyer.",
  arbitration_running: "This is possible 90 days after the dispute was opened.",
  nothing_due: "Nothing can be paid out now.",
  invalid_total: "The amount is not possible any more. Reload the page and check it.",
  less_bound: "The shop's refund is missing. Reload the page and check the amount.",
  not_paid_out: "Some of the money has not left yet.",
  retention_running: "The deposit can be returned 90 days after the last money left.",
  vault_open: "The payment's token account is still open. Try again later.",
  vault_short: "The token's issuer took tokens out of the escrow. Ask the shop for help.",
  vault_frozen: "The token's issuer has frozen the money of this payment.",
  rent_risen: "Deposits cost more now. Only the wallet that paid it can return it.",
  rent_payer_short: "The wallet that gets the deposit holds too little SOL.",
  destination_missing: "The wallet to be paid has no account for this token yet.",
  destination_frozen: "The token's issuer has frozen the account to be paid.",
};

/** Obstacles that the shop's refund meets by itself. Any other is of the trial run. */
const OBSTACLES_OF_REFUNDS: Partial<Record<Obstacle, () => ApiError>> = {
  invalid_total: () =>
    invalid("total", "Expected at most the payment's amount, and more than its refundTotal is already."),
  payment_closed: () =>
    changed("payment_closed", "The payment's record is closed: all of it left the escrow long ago."),
  already_paid_out: () =>
    changed(
      "already_paid_out",
      "All that was due has already left the escrow. Pay the buyer back by a transfer to their wallet.",
    ),
};

/** The sponsor does not pay for this. A buyer with SOL needs none. */
export const notSponsored = (reason?: string) =>
  new BuyerError("not_sponsored", "The fee cannot be paid for you now. Try again, or add SOL to your wallet.", {
    ...(reason !== undefined && { details: { reason } }),
  });

const alreadyPaid = () => new BuyerError("paid", "This wallet has already paid. The payment is being confirmed.");

/** Errors of the program with their own texts. The others show their reason, for people who help the buyer. */
const FAILURES: readonly (readonly [reason: RegExp, message: string])[] = [
  [/^offer_expired:/, "Too much time has passed. Nothing was paid. Please try again."],
  [/^arbiter_changed:/, "The arbiter has changed; nothing was paid. Check who it is, then try again."],
  [/account is frozen$/, "The token's issuer has frozen this account. It cannot pay."],
];

/** Returns the error of a payment that would fail, for whoever pays. */
export function failedPayment(reason: string): BuyerError {
  // Its payment is already on chain, so the text must not say that nothing was paid.
  if (reason.startsWith("payment_exists:")) return alreadyPaid();
  const message = FAILURES.find(([pattern]) => pattern.test(reason))?.[1];
  return failed(reason, message ?? "The network would refuse this now. Nothing was paid.");
}

interface WantedPayment {
  /** The wallet that is to pay. */
  readonly account: string;
  readonly asset: string;
  readonly amount: string;
  readonly decimals: number | null;
}

/** Returns the error of a refused payment, for whoever pays. */
export function refusalToPayer(
  refusal: PaymentRefusal,
  { account, asset, amount, decimals }: WantedPayment,
): BuyerError {
  switch (refusal.kind) {
    case "already_paid":
      return alreadyPaid();
    case "is_recipient":
      return new BuyerError("invalid_account", "This wallet is the one to be paid. Pay from another one.");
    case "not_a_wallet":
      return new BuyerError("invalid_account", "This account belongs to a program and cannot pay by itself.");
    case "token_missing": {
      const missing = refusal.missing.toString();
      const inWords = (units: string) => tokensInWords(asset, units, decimals);
      const [missingInWords, wallet] = [inWords(missing), shortAddress(account)];
      const has = inWords(String(BigInt(amount) - refusal.missing));
      const message = `${wallet} has ${has}; ${inWords(amount)} are needed.`;
      return new BuyerError(
        "insufficient_token",
        message.length <= MESSAGE_CHARACTERS_MAX ? message : `${wallet} lacks ${missingInWords}.`,
        { details: { missing, missingInWords } },
      );
    }
    case "sol_missing":
      return solMissing(account, refusal.missing, "fees and deposits");
    case "not_sponsored":
    case "sponsor_short":
      return notSponsored();
    case "would_fail":
      return failedPayment(refusal.reason);
  }
}
