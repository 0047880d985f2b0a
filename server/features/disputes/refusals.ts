import { ApiError, type DisputeChangedReason } from "../../domain/errors.ts";
import { BuyerError } from "../../edge/buyer/error.ts";

/** Why an act of a buyer is refused, in at most 80 characters. */
const TEXTS: Readonly<Record<DisputeChangedReason, string>> = {
  already_paid_out: "All of the money has left already.",
  payment_closed: "The payment ended long ago, and its record is closed.",
  not_on_chain: "The network does not show this payment now. Try again in a minute.",
  would_fail: "The network would refuse this now. Nothing was changed.",
  paused: "The network took the dispute back. Wait until it shows it again.",
  talking: "You can still write to each other.",
  deciding: "The arbiter decides now.",
  agreed: "You have agreed already. Sign what is missing.",
  decided: "The arbiter has decided. Nothing can be added.",
  closed: "This dispute is closed.",
  already_given: "You have written your opening already. Write a further answer.",
  already_asked: "You have asked for the arbiter already.",
  not_your_turn: "The arbiter decides now. A word of the shop can be answered once, in 48 hours.",
  limit_reached: "You have used up what one side may write in a dispute.",
  daily_limit_reached: "That was enough for today. You can write again tomorrow (UTC).",
  refund_exceeds: "The shop has already given back more than this.",
  offer_not_open: "This offer is not open any more. Reload the page.",
  not_deciding: "The arbiter does not decide yet.",
  not_held: "Nobody decides this dispute yet.",
  held_by_other: "Another arbiter holds this dispute.",
  agreement_failed: "An agreement failed before. The arbiter decides now.",
};

export const disputeChanged = (reason: DisputeChangedReason): BuyerError =>
  new BuyerError("dispute_changed", TEXTS[reason], { details: { reason } });

/** A refusal of the rules in a buyer's words; any other error is returned as it is. */
export function inBuyersWords(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === "dispute_changed") return disputeChanged(error.details.reason as DisputeChangedReason);
  if (error.code === "invalid_request")
    return new BuyerError("invalid_request", "An offer is open for one hour to 30 days, and no longer.");
  return error;
}
