import type { IntentStatus } from "../../../domain/terms.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { statusAt } from "../../intents/intent.ts";
import type { PayableView } from "./queries.ts";

/** The refusals of a payment by intent, link and operator, in at most 80 characters, since a wallet cuts off the rest. */

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

const NO_SEAT = {
  full: "All seats are taken. Unpaid ones may become free within minutes.",
  has_paid: "This wallet has already paid by this link. Use another one.",
  closed: "The shop has closed this link. Please do not pay.",
} as const;

/** The limit of a payment link leaves no seat for the wallet, or the link is closed. */
export const noSeat = (reason: keyof typeof NO_SEAT) =>
  new BuyerError("no_seat", NO_SEAT[reason], { details: { reason } });
