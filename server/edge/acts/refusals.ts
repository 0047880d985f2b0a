import type { AmountTexts } from "@holdfast/ui/amount.ts";
import { type ActionRefusal, type Obstacle, obstacleIn, type PaymentRefusal } from "../../chain/acts.ts";
import { ChainUnavailableError } from "../../chain/port.ts";
import { ActionError } from "../../domain/actionError.ts";
import { shortAddress } from "../../domain/addresses.ts";
import { ApiError, type DisputeChangedReason, invalid, tooLate as tooLateForStaff } from "../../domain/errors.ts";
import { formatUnits } from "../../domain/money.ts";
import { tooMany } from "../buyer/door.ts";
import { BuyerError, ENGLISH_REFUSALS, MESSAGE_CHARACTERS_MAX, type Refusals } from "../buyer/error.ts";
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
export const tooLate = () => new BuyerError("expired", (texts) => texts.tooLate);
export const noPayment = () => new BuyerError("not_found", (texts) => texts.noPayment);

const SOL_DECIMALS = 9;
const solInWords = (lamports: bigint): string => `${formatUnits(lamports.toString(), SOL_DECIMALS)} SOL`;

const solMissing = (account: string | null, missing: bigint, purpose: "solForFee" | "solForDeposits"): BuyerError => {
  const inWords = solInWords(missing);
  return new BuyerError(
    "insufficient_sol",
    (texts) => texts[purpose](account === null ? texts.theWallet : shortAddress(account), inWords),
    { details: { missingLamports: missing.toString(), missingInWords: inWords } },
  );
};
const walletShort = {
  buyer: ({ missing }: { readonly missing: bigint }, account: string | null) =>
    solMissing(account, missing, "solForFee"),
  shop: ({ missing }: { readonly missing: bigint }) =>
    new ActionError("wallet_short", `The wallet needs ${solInWords(missing)} more to pay the network's fee.`),
  arbiter: () => new ActionError("wallet_short", "The arbiter's wallet needs more SOL to pay the network's fee."),
};

const failed = (reason: string, say: BuyerError["say"]): BuyerError =>
  new BuyerError("simulation_failed", say, { details: { reason } });
const notPossible = (reason: Obstacle) =>
  new BuyerError("not_possible", (texts) => texts.obstacles[reason], { details: { reason } });

function failedAct(reason: string): BuyerError {
  const obstacle = obstacleIn(reason);
  if (obstacle !== null) return notPossible(obstacle);
  return failed(reason, (texts) => texts.wouldFail);
}

const SENTENCES: Sentences = {
  not_found: {
    buyer: noPayment,
    shop: () => changed("not_on_chain", "The chain does not show this payment now. Read it again in a minute."),
    arbiter: () => new ChainUnavailableError("No node shows the payment of a dispute."),
  },
  other_wallet: {
    buyer: ({ needed }) =>
      new BuyerError("other_wallet", (texts) => texts.otherWallet, { details: { wallet: needed } }),
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
    buyer: ({ reason }) =>
      new BuyerError("invalid_transaction", (texts) => texts.notSignedFor, { details: { reason } }),
    shop: ({ reason }) =>
      new ActionError("transaction_invalid", `This is not a fully signed refund of this payment: ${reason}.`),
    arbiter: () =>
      new ActionError("transaction_invalid", "This is not the ruling that was built, signed by the arbiter's wallet."),
  },
  unreadable: {
    buyer: () => new BuyerError("invalid_transaction", (texts) => texts.notATransaction),
    shop: unreadableForStaff,
    arbiter: unreadableForStaff,
  },
};
const BUSY_SECONDS = 60;

/** Returns the error of a refusal for its audience. `account`: the wallet that is to sign, where a build names it. */
export const refusalTo = (audience: Audience, refusal: ActRefusal, account: string | null = null): Error =>
  (SENTENCES[refusal.kind][audience] as (refusal: ActRefusal, account: string | null) => Error)(refusal, account);

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
  new BuyerError("not_sponsored", (texts) => texts.notSponsored, {
    ...(reason !== undefined && { details: { reason } }),
  });

const alreadyPaid = () => new BuyerError("paid", (texts) => texts.alreadyPaid);

/** Errors of the program with their own texts. The others show their reason, for people who help the buyer. */
const FAILURES: readonly (readonly [reason: RegExp, text: "offerExpired" | "arbiterChanged" | "accountFrozen"])[] = [
  [/^offer_expired:/, "offerExpired"],
  [/^arbiter_changed:/, "arbiterChanged"],
  [/account is frozen$/, "accountFrozen"],
];

/** Returns the error of a payment that would fail, for whoever pays. */
export function failedPayment(reason: string): BuyerError {
  // Its payment is already on chain, so the text must not say that nothing was paid.
  if (reason.startsWith("payment_exists:")) return alreadyPaid();
  const text = FAILURES.find(([pattern]) => pattern.test(reason))?.[1] ?? "paymentWouldFail";
  return failed(reason, (texts) => texts[text]);
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
      return new BuyerError("invalid_account", (texts) => texts.isRecipient);
    case "not_a_wallet":
      return new BuyerError("invalid_account", (texts) => texts.isProgram);
    case "token_missing": {
      const missing = refusal.missing.toString();
      const wallet = shortAddress(account);
      const inWords = (texts: AmountTexts, units: string) => tokensInWords(texts, asset, units, decimals);
      const say = (texts: Refusals) => {
        const has = inWords(texts, String(BigInt(amount) - refusal.missing));
        const message = texts.tokenShort(wallet, has, inWords(texts, amount));
        return message.length <= MESSAGE_CHARACTERS_MAX ? message : texts.tokenLacks(wallet, inWords(texts, missing));
      };
      return new BuyerError("insufficient_token", say, {
        details: { missing, missingInWords: inWords(ENGLISH_REFUSALS, missing) },
      });
    }
    case "sol_missing":
      return solMissing(account, refusal.missing, "solForDeposits");
    case "not_sponsored":
    case "sponsor_short":
      return notSponsored();
    case "would_fail":
      return failedPayment(refusal.reason);
  }
}
