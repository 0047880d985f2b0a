import { BuyerError, type Refusals } from "../../../edge/buyer/error.ts";
import { statusAt } from "../../intents/intent.ts";
import type { PayableView } from "./queries.ts";

/** The refusals of a payment by intent, link and operator. */

/** Throws the reason if an intent can no longer be paid. */
export function requirePayable({ intent, now }: Pick<PayableView, "intent" | "now">): void {
  const status = statusAt(intent, now);
  if (status !== "requires_payment") throw new BuyerError(status, (texts) => texts.notPayable[status]);
}

export const held = () => new BuyerError("checkout_held", (texts) => texts.held);

/** The operator's screening refuses. The buyer learns no reason: the operator may not be allowed to give one. */
export const refusedByScreening = () => new BuyerError("not_accepted", (texts) => texts.notAccepted);

export const notScreened = () => new BuyerError("unavailable", (texts) => texts.notScreened, { retryAfterSeconds: 5 });

/** The limit of a payment link leaves no seat for the wallet, or the link is closed. */
export const noSeat = (reason: keyof Refusals["noSeat"]) =>
  new BuyerError("no_seat", (texts) => texts.noSeat[reason], { details: { reason } });
