import { idKind } from "../../../domain/ids.ts";
import { ADDRESS } from "../../../domain/values.ts";
import { type BuyerDeclaration, buyerDeclarations } from "../../../edge/buyer/door.ts";
import { part, type ShownObject, shownAnswer, shownObject } from "../../../edge/http/objects.ts";
import { pathPart } from "../../../edge/http/parameters.ts";
import { type Columns, flag, integer, nullable, text, time, word } from "../../../lib/columns.ts";
import { INTENT_EXAMPLES } from "../../intents/schema.ts";
import { PAYMENT_EXAMPLES, type PaymentState } from "../../payments/payment.ts";
import type { CheckoutState } from "./checkout.ts";

const at = integer({ says: "The time of the read, in milliseconds.", example: 1_795_163_644_018 });
const ofPayment = ["protected", "settling", "disputed", "decided", "settled", "partly_refunded", "refunded"] as const;

const CHECKOUT_STATE = shownObject(
  "checkout_state",
  {
    intent: text({ says: "The intent's id.", example: INTENT_EXAMPLES.id }),
    state: word<CheckoutState>({
      of: ["waiting", "held", "in_flight", ...ofPayment, "expired", "canceled"],
      says: "The state of the page.",
      example: "in_flight",
    }),
    final: flag({
      says: "True for `settled`, `partly_refunded`, `refunded`, `expired` and `canceled`, the last two unless a payment is reported.",
      example: false,
    }),
    version: integer({
      says: "The time of the last event of the intent and its payments, in milliseconds. Of two states the newer has the higher `version`, then the higher `at`.",
      example: 1_795_163_640_000,
    }),
    at,
    expiresAt: time({ says: "As of the intent.", example: "2026-11-21T08:30:00.000Z" }),
    inFlight: nullable(
      part(
        {
          kind: word({
            of: ["built", "reported", "sent", "ended"],
            says: "`ended`: the last transaction that was handed in can no longer land.",
            example: "sent",
          }),
          signature: nullable(text({ says: "Its signature, if it is known.", example: PAYMENT_EXAMPLES.signature })),
          until: time({ says: "It cannot land after this time.", example: "2026-11-20T08:35:00.000Z" }),
        },
        "A payment that may be on its way; null without one.",
      ),
    ),
    parts: nullable(text({ says: "Amounts of the payment that left or are due; null before one.", example: "0/0/0" })),
  },
  "The state of a checkout.",
);
const RECEIPT_STATE = shownObject(
  "receipt_state",
  {
    payment: text({ says: "The payment's address.", example: PAYMENT_EXAMPLES.id }),
    state: word<PaymentState | "vanished">({
      of: [...ofPayment, "lapsed", "vanished"],
      says: "The state of the page. `vanished`: a fork removed the payment.",
      example: "protected",
    }),
    final: flag({ says: "True if nothing is left to wait for.", example: false }),
    version: integer({ says: "The time of the last check of the chain, in milliseconds.", example: 1_795_163_640_000 }),
    at,
    parts: text({
      says: "The amounts that went to the shop and to the buyer, the buyer's total as bound, and the obstacle that keeps a due part in the escrow.",
      example: "0/0/0",
    }),
  },
  "The state of a receipt.",
);

interface DescribedRead {
  readonly method: "GET";
  readonly path: string;
  readonly docs: BuyerDeclaration;
}

/** Describes `state` and `events` below a page, which {@link registerStates} serves. */
function statesOf(
  path: string,
  shown: Pick<ShownObject<Columns>, "schema" | "example">,
  common: Pick<BuyerDeclaration, "tag" | "path" | "errors" | "from">,
  name: string,
): DescribedRead[] {
  const declare = buyerDeclarations(common);
  const state = declare({
    operationId: `get${name}State`,
    summary: "Get the state",
    description: "The state that the page shows.",
    success: shownAnswer(200, "The state.", shown),
  });
  const events = declare({
    operationId: `follow${name}State`,
    summary: "Follow the state",
    description:
      "A stream of server-sent events: the state now and after each change, until it is final, and `event: beat` every 15 seconds. A reader that hears nothing for twice as long asks for the state, and connects again.",
    success: { status: 200, isInPlace: true, description: "The stream.", mediaTypes: ["text/event-stream"] },
  });
  return [
    { method: "GET", path: `${path}/state`, docs: state },
    { method: "GET", path: `${path}/events`, docs: events },
  ];
}

const intentPath = { id: pathPart(idKind("pi"), "The intent's id, which is secret.", INTENT_EXAMPLES.id) };
const paymentPath = { payment: pathPart(ADDRESS, "The payment's address.", PAYMENT_EXAMPLES.id) };
const errors = ["not_found"] as const;

/** The reads of states, for the document alone. */
export const STATE_READS: readonly DescribedRead[] = [
  ...statesOf("/pay/i/:id", CHECKOUT_STATE, { tag: "Paying", from: "open", path: intentPath, errors }, "Checkout"),
  ...statesOf(
    "/pay/p/:payment",
    RECEIPT_STATE,
    { tag: "Payments", from: "link", path: paymentPath, errors },
    "Receipt",
  ),
  ...statesOf(
    "/pay/p/:payment/case",
    RECEIPT_STATE,
    { tag: "Dispute", from: "link", path: paymentPath, errors },
    "Case",
  ),
];
