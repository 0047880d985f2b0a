import type { ActionRefusal, Obstacle } from "../../../chain/actions.ts";
import { obstacleIn } from "../../../chain/actions.ts";
import { shortAddress } from "../../../domain/addresses.ts";
import { formatUnits } from "../../../domain/money.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";

/** Every refusal of an action, in at most 80 characters, since a wallet cuts off the rest. */

export const noPayment = () => new BuyerError("not_found", "There is no payment under this address.");

const OBSTACLE_TEXTS: Readonly<Record<Obstacle, string>> = {
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

const notPossible = (reason: Obstacle) =>
  new BuyerError("not_possible", OBSTACLE_TEXTS[reason], { details: { reason } });

/** The error for a trial run that failed. */
export function wouldFail(reason: string): BuyerError {
  const obstacle = obstacleIn(reason);
  if (obstacle !== null) return notPossible(obstacle);
  return new BuyerError("simulation_failed", "The network would refuse this now. Nothing was changed.", {
    details: { reason },
  });
}

export function explainRefusal(refusal: ActionRefusal, account: string): BuyerError {
  switch (refusal.kind) {
    case "not_found":
      return noPayment();
    case "other_wallet":
      return new BuyerError("other_wallet", "Another wallet has to sign this.", {
        details: { wallet: refusal.needed },
      });
    case "not_possible":
      return notPossible(refusal.reason);
    case "would_fail":
      return wouldFail(refusal.reason);
    case "sol_missing":
    case "sponsor_short": {
      const missing = refusal.missing.toString();
      const inWords = `${formatUnits(missing, SOL_DECIMALS)} SOL`;
      return new BuyerError(
        "insufficient_sol",
        `${shortAddress(account)} needs ${inWords} more for the network's fee.`,
        {
          details: { missingLamports: missing, missingInWords: inWords },
        },
      );
    }
  }
}
const SOL_DECIMALS = 9;
