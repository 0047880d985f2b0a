import { PAYMENT_ACTIONS } from "../../../chain/acts.ts";
import { ADDRESS, oneOf, PART_UNITS } from "../../../domain/values.ts";
import { buyerBody, maybe, needed } from "../../../edge/buyer/body.ts";
import { buyerDeclarations } from "../../../edge/buyer/door.ts";
import { shownAnswer } from "../../../edge/http/objects.ts";
import { pathPart } from "../../../edge/http/parameters.ts";
import { ACTION_EXAMPLE, ACTION_OF_WALLET } from "../../paymentActions/schema.ts";
import { PAYMENT_EXAMPLES } from "../../payments/payment.ts";
import {
  ACCOUNT_BODY,
  account,
  handedIn,
  labelAnswer,
  lifeAnswer,
  requestedAnswer,
  sponsored,
  TRANSACTION_BODY,
} from "../paying/schema.ts";
import { REQUEST } from "../paying/transactionRequest.ts";

const ACTION = oneOf(PAYMENT_ACTIONS);
const payment = { payment: pathPart(ADDRESS, "The payment's address.", PAYMENT_EXAMPLES.id) };
const ofRequest = { ...payment, action: pathPart(ACTION, "The action.", "release") };
const BUILD_ERRORS = [
  "invalid_account",
  "not_found",
  "other_wallet",
  "not_possible",
  "not_sponsored",
  "insufficient_sol",
  "simulation_failed",
  "chain_unavailable",
] as const;
const declare = buyerDeclarations({ tag: "Actions", from: "page", path: payment, errors: BUILD_ERRORS });

export const BUILD_ACTION = declare({
  operationId: "buildAction",
  summary: "Build an action",
  description: "Builds the transaction of an action on a payment, after a trial run.",
  body: buyerBody(
    "ActionWanted",
    {
      action: needed(ACTION, "The action.", (texts) => texts.noAction),
      account,
      total: maybe(
        needed(
          PART_UNITS,
          "The amount that the buyer has in the end; null: what is bound.",
          (texts) => texts.notAnAmount,
        ),
      ),
      sponsored,
    },
    { action: "dispute", account: PAYMENT_EXAMPLES.sender },
  ),
  success: shownAnswer(200, "The transaction to sign.", { schema: ACTION_OF_WALLET, example: ACTION_EXAMPLE }),
});
export const SUBMIT_ACTION = declare({
  operationId: "submitAction",
  summary: "Send a signed action",
  description: "Takes a signed transaction with an action on this payment, and sends it until it lands or has ended.",
  body: TRANSACTION_BODY,
  success: handedIn,
  errors: [...BUILD_ERRORS, "invalid_transaction", "expired"],
});
export const FETCH_ACTION_LIFE = declare({
  operationId: "fetchActionLife",
  isAskedByPages: true,
  summary: "Ask if an action can still land",
  description: "Judges the built or the signed transaction by the heights of the chain's final blocks (§4.14.11).",
  body: TRANSACTION_BODY,
  success: lifeAnswer,
  errors: ["not_found", "invalid_transaction", "chain_unavailable"],
});
export const GET_ACTION_REQUEST = declare({
  ...{ operationId: "getActionRequest", ...REQUEST },
  path: ofRequest,
  summary: "Begin a Solana Pay request of an action",
  description:
    "The first request of a wallet that was given the link. A refund cannot be requested: it needs an amount.",
  success: labelAnswer,
  errors: ["not_found"],
});
export const MAKE_ACTION_REQUEST = declare({
  ...{ operationId: "makeActionRequest", ...REQUEST },
  path: ofRequest,
  summary: "Get the transaction of a requested action",
  description: "Builds the action for the wallet.",
  body: ACCOUNT_BODY,
  success: requestedAnswer,
});
