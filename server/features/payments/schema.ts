import { Type } from "typebox";
import { PAYMENT_STATUSES, PROTECTION_PERIODS } from "../../domain/terms.ts";
import { ADDRESS, FLAG, oneOf, TEXT, TIME, TOKENS } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { pageParameters, parameter, pathPart, type QueryValues } from "../../edge/http/parameters.ts";
import {
  answer,
  choice,
  component,
  listAnswer,
  listOf,
  nullable,
  scannedAnswer,
  scannedListOf,
  timestamp,
} from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { json, nullable as nullableColumn, text } from "../../lib/columns.ts";
import { beginsWith, contains, equals, isAfter, isBefore, isPresent } from "../../store/filters.ts";
import { ASSET } from "../chains/schema.ts";
import { PAYMENT_VALUE } from "../rates/schema.ts";
import { ACTORS, LISTED_MEMBERS, NEXT_ACTIONS, PAYMENT_EXAMPLES, PAYMENT_MEMBERS, PAYMENT_ROLES } from "./payment.ts";
import { HOLD_REASONS } from "./payoutHold.ts";

const WITH_ACTIONS = {
  ...PAYMENT_MEMBERS,
  nextActions: json({
    says: "The actions that the escrow program allows now, as of `checkedAt`; empty once everything has left.",
    example: [
      { action: "dispute", by: "sender", until: PAYMENT_EXAMPLES.protectionDeadline, blockedBy: null },
      { action: "release", by: "sender", until: null, blockedBy: null },
      { action: "refund", by: "recipient", until: null, blockedBy: null },
    ],
    schema: { type: "array", items: component("NextAction") },
  }),
};
/** A listed payment, a single one with `nextActions`, and that for staff. */
const [PAYMENT, PAYMENT_WITH_ACTIONS, STAFF_PAYMENT] = [
  shownObject(
    "payment",
    PAYMENT_MEMBERS,
    "A payment on chain, bound to an intent. Times from the chain are whole seconds.",
  ),
  shownObject("payment", WITH_ACTIONS, "A payment asked for by itself, with the actions that it allows."),
  shownObject(
    "payment",
    {
      ...WITH_ACTIONS,
      arbiterName: nullableColumn(
        text({
          says: "The name of the arbiter, as buyers read it; null if the deployment names none.",
          example: "Schlichtung Nord",
        }),
      ),
    },
    "A payment asked for by itself, with the actions that it allows.",
  ),
];

export const PAYMENT_EXAMPLE = PAYMENT.example;
export const LISTED_PAYMENT = shownObject("payment", LISTED_MEMBERS, "A payment in a list for staff.");

/** §2.2. */
export const paymentComponents: Components = {
  Payment: PAYMENT.schema,
  PaymentWithActions: PAYMENT_WITH_ACTIONS.schema,
  NextAction: Type.Object(
    {
      action: choice(NEXT_ACTIONS, {
        description:
          "`dispute`, `release` and `resolve` decide, so does `refund` of the whole amount; `settle`, `refund_unresolved`, `pay_out_sender` and `pay_out_recipient` move funds, as far as the token accounts allow it.",
      }),
      by: choice(ACTORS, { description: "The party that has to sign it." }),
      until: nullable(timestamp("The time from which it is refused."), {
        description: "The time at which it ends; null if no time ends it.",
      }),
      blockedBy: nullable(choice(HOLD_REASONS), {
        description:
          "Why the last try to pay this part out sent nothing. `memo_required`: the token account of who is paid asks for a memo with each transfer; its owner turns that off, then anyone settles. `account_frozen`: the token's issuer froze it. `account_missing`: the wallet has no account for the token; anyone can open one. `other`: the operator's log says why. Null if nothing is known to block it.",
      }),
    },
    { description: "Something the escrow program allows with a payment's funds." },
  ),
  PaymentList: listOf("Payment", "Payments"),
};

export const staffPaymentComponents: Components = {
  Payment: paymentComponents.Payment!,
  PaymentWithActions: STAFF_PAYMENT.schema,
  NextAction: paymentComponents.NextAction!,
  ListedPayment: LISTED_PAYMENT.schema,
  ListedPaymentList: scannedListOf("ListedPayment", "Payments"),
};

const declare = declarations({ tag: "Payments", errors: ["not_found"] });

/** §4.6. */
export const LIST_PAYMENTS = declare({
  operationId: "listPayments",
  summary: "List payments",
  description:
    "The payments bound to your intents, newest first; every filter can be combined with every other. A walk with `starting_after` shows every payment that existed when it began, once.",
  query: {
    status: parameter(oneOf(PAYMENT_STATUSES), "Only payments with this status.", {
      example: "protected",
      filter: equals("p.status"),
    }),
    intent: parameter(TEXT, "Only payments of this intent. An id that matches nothing gives an empty list.", {
      example: PAYMENT_EXAMPLES.intentId,
      filter: equals("p.intent_id"),
    }),
    role: parameter(oneOf(PAYMENT_ROLES), "Only payments with this role.", {
      example: "duplicate",
      filter: equals("p.role"),
    }),
    late: parameter(FLAG, "Only payments that are late, or only those that are not.", {
      filter: isPresent("p.late_reason"),
    }),
    settleable: parameter(FLAG, "Only payments that can be settled now, or only the others."),
    ...pageParameters(ADDRESS, PAYMENT_EXAMPLES.id, "payment"),
  },
  success: listAnswer("A page of payments.", "Payment", PAYMENT_EXAMPLE),
  links: {
    get: {
      operationId: "getPayment",
      parameters: { id: "$response.body#/data/0/id" },
      description: "Read the first of them.",
    },
  },
});

/** The filters of the list, and its page. */
export type PaymentQuery = QueryValues<typeof LIST_PAYMENTS.query>;

const { status, intent, role, late, limit, starting_after } = LIST_PAYMENTS.query;

/** §13.10.8. */
export const LIST_STAFF_PAYMENTS = declare({
  operationId: "listPayments",
  path: tenantPath,
  summary: "List payments",
  description:
    "The payments of an environment, newest first. A page reads a limited number of rows: it may hold fewer payments than `limit`, or none, and the next one goes on.",
  query: {
    status,
    asset: parameter(ADDRESS, "Only payments in the token of this mint.", {
      example: PAYMENT_EXAMPLES.asset,
      filter: equals("p.asset"),
    }),
    amount_min: parameter(TOKENS, "Only payments of at least this amount, in whole tokens.", { example: "48.5" }),
    amount_max: parameter(TOKENS, "Only payments of at most this amount, in whole tokens.", { example: "48.5" }),
    protection_period: parameter(oneOf(PROTECTION_PERIODS), "Only payments with this period.", {
      filter: equals("p.protection_period"),
    }),
    reference_prefix: parameter(
      TEXT,
      "Only payments whose merchantReference begins with this text. They are in the order of their references, the last one first.",
      { example: "order-10", filter: beginsWith("p.merchant_reference") },
    ),
    reference_part: parameter(
      TEXT,
      "Only payments whose merchantReference contains this text, in whatever case. Without a filter that selects fewer, each page looks through the next 101 payments.",
      { example: "1043", filter: contains("p.merchant_reference") },
    ),
    sender: parameter(ADDRESS, "Only payments by this wallet.", {
      example: PAYMENT_EXAMPLES.sender,
      filter: equals("p.sender"),
    }),
    late,
    role,
    disputed: parameter(FLAG, "Only payments that were ever disputed, or only the others.", {
      filter: isPresent("p.disputed_at"),
    }),
    over_limit: parameter(FLAG, "Only payments over the limit of their payment link, or only the others.", {
      filter: isPresent("nullif(p.over_limit, false)"),
    }),
    created_after: parameter(TIME, "Only payments made after this time, in the order of these times.", {
      filter: isAfter("p.created_at"),
    }),
    created_before: parameter(TIME, "Only payments made before this time, in the order of these times.", {
      filter: isBefore("p.created_at"),
    }),
    intent,
    limit,
    starting_after,
  },
  success: scannedAnswer("A page of payments.", "ListedPayment", LISTED_PAYMENT.example),
});
export type StaffPaymentQuery = QueryValues<typeof LIST_STAFF_PAYMENTS.query>;

export const LIST_PAID_ASSETS = declare({
  operationId: "listPaidAssets",
  path: tenantPath,
  summary: "List the tokens of payments",
  description:
    "The tokens in which the business was paid in this environment, as far as the chain has shown them; 20 at most.",
  success: listAnswer("The tokens.", "Asset", ASSET.example),
});

export const GET_PAYMENT = declare({
  operationId: "getPayment",
  summary: "Get a payment",
  description: "The payment, with the actions that it allows now. Its id is its address on chain.",
  path: {
    id: pathPart(ADDRESS, "The payment's address on chain.", PAYMENT_EXAMPLES.id),
  },
  success: answer(200, "The payment.", "PaymentWithActions", PAYMENT_WITH_ACTIONS.example),
});

const paymentPath = {
  ...tenantPath,
  payment: { schema: Type.String(), description: "Its address on chain.", example: PAYMENT_EXAMPLES.id },
};

export const GET_STAFF_PAYMENT = declare({
  operationId: "getPayment",
  tag: "Events",
  summary: "Get a payment",
  description: "The payment, as the merchant API shows it by itself, with the name of its arbiter.",
  path: paymentPath,
  success: answer(200, "The payment.", "PaymentWithActions", STAFF_PAYMENT.example),
});

export const LIST_PAYMENT_VALUES = declare({
  operationId: "listPaymentValues",
  tag: "Events",
  summary: "List the values of a payment",
  description:
    "Lists the amounts paid, released and refunded of a payment, each with its value in the reporting currency that the business had then. Empty if it had none.",
  path: paymentPath,
  success: listAnswer("The values.", "PaymentValue", PAYMENT_VALUE.example),
});
