import { ApiError } from "../../domain/errors.ts";
import { BuyerError, type Refusals } from "../../edge/buyer/error.ts";

export const noDispute = (): BuyerError => new BuyerError("not_found", (texts) => texts.dispute.none);
export const wrongUntil = (): BuyerError => new BuyerError("invalid_request", (texts) => texts.dispute.offerUntil);

/** A state of the dispute that refuses an act of its buyer. */
type BuyersReason = keyof Refusals["disputeChanged"];
export const disputeChanged = (reason: BuyersReason): BuyerError =>
  new BuyerError("dispute_changed", (texts) => texts.disputeChanged[reason], { details: { reason } });

/** A refusal of the rules in a buyer's words; any other error is returned as it is. */
export function inBuyersWords(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === "dispute_changed") return disputeChanged(error.details.reason as BuyersReason);
  return error.code === "invalid_request" ? wrongUntil() : error;
}
