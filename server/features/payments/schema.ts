import { Type } from "typebox";
import { INTENT_ID } from "../../domain/ids.ts";
import { AMOUNT } from "../../domain/money.ts";
import { PAYMENT_STATUSES, PROTECTION_PERIODS } from "../../domain/terms.ts";
import type { Components, Declaration } from "../../edge/http/declaration.ts";
import {
  choiceParameter,
  flagParameter,
  pageParameters,
  type QueryValues,
  textParameter,
} from "../../edge/http/parameters.ts";
import {
  ADDRESS_PATTERN,
  address,
  choice,
  component,
  listOf,
  nullable,
  signature,
  timestamp,
} from "../../edge/http/schemas.ts";
import { LATE_REASONS, PAYMENT_ROLES } from "./payment.ts";

/** §2.2 with the additions `lateReason`, `refundedAt`, `settleable`, `resolveBy`. */
export const paymentComponents: Components = {
  Payment: Type.Object(
    {
      object: Type.Literal("payment"),
      id: address("The payment's address on chain."),
      intent: Type.String({ pattern: INTENT_ID.source, description: "Id of the intent it is bound to." }),
      role: choice(PAYMENT_ROLES, {
        description: "`primary`, or `duplicate` for a further payment of an intent that is already paid.",
      }),
      status: choice(PAYMENT_STATUSES, { description: "What the chain said of it at `checkedAt`." }),
      sender: address("The buyer's wallet."),
      recipient: address("The wallet that is paid."),
      amount: Type.String({ pattern: AMOUNT.source, description: "Digits, in the asset's smallest unit." }),
      asset: address("The token's mint."),
      protectionPeriod: choice(PROTECTION_PERIODS, { description: "How long the buyer may dispute." }),
      merchantReference: Type.String({ description: "Your reference, copied from the intent." }),
      late: Type.Boolean({ description: "Paid or found after the intent had expired or been canceled." }),
      lateReason: nullable(choice(LATE_REASONS), { description: "Why it counts as late; null when it does not." }),
      signature: nullable(signature("The transaction that created it."), { description: "Null only while unknown." }),
      createdAt: timestamp("When it was made, by the chain's clock."),
      protectionDeadline: timestamp(
        "Disputes can be opened until this time; after it the payment can be settled to the recipient.",
      ),
      disputedAt: nullable(timestamp("When it was disputed."), { description: "Null when never disputed." }),
      settledAt: nullable(timestamp("When the funds went to the recipient."), { description: "Null until then." }),
      refundedAt: nullable(timestamp("When the funds went back to the buyer."), { description: "Null until then." }),
      settleable: Type.Boolean({
        description: "The deadline has passed and nothing is in the way: anyone may settle it to the recipient.",
      }),
      resolveBy: nullable(timestamp("When an unresolved dispute can be refunded by anyone."), {
        description: "Set while disputed.",
      }),
      checkedAt: timestamp("When the chain was last asked."),
    },
    { description: "A payment on chain, bound to an intent. Times from the chain are whole seconds." },
  ),
  PaymentList: listOf("Payment", "Payments"),
};

/** One payment in every example, so that they fit together. */
export const PAYMENT_EXAMPLE = {
  object: "payment",
  id: "9XU3yrm2RT3c7z77ufyHwYaj2o74LMvDjC2QXjFtainL",
  intent: "pi_test_01a1fc0a61ca6aa1dc5681f996bdf948",
  role: "primary",
  status: "protected",
  sender: "CGB7q4KjYiHb8TcZVJ1wwJbZyQequ95VYBcWRDkPmv2X",
  recipient: "DFScJcCVGUqL6VfvXntAZyrhLszXTqDryfrqM6Gdw6Cx",
  amount: "5000000",
  asset: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  protectionPeriod: "sevenDays",
  merchantReference: "order-1001",
  late: false,
  lateReason: null,
  signature: "3v56iH8YwnwdXY9Y9hi613R2uyW4oggS51yubyaNDagA7eB9xb5yJ4Ybgex2Y9BmeTAgL6yoBTYsJ4k7fbKLr49u",
  createdAt: "2026-11-21T02:58:22.000Z",
  protectionDeadline: "2026-11-28T02:58:22.000Z",
  disputedAt: null,
  settledAt: null,
  refundedAt: null,
  settleable: false,
  resolveBy: null,
  checkedAt: "2026-11-21T02:58:23.646Z",
} as const;

/** §4.6. */
export const LIST_PAYMENTS = {
  operationId: "listPayments",
  tag: "Payments",
  summary: "List payments",
  description:
    "The payments bound to your intents, newest first; every filter can be combined with every other. A walk with `starting_after` shows every payment that existed when it began, once.",
  query: {
    status: choiceParameter(PAYMENT_STATUSES, {
      description: "Only payments with this status.",
      example: "protected",
    }),
    intent: textParameter({
      description: "Only payments of this intent. An id that matches nothing gives an empty list.",
      example: PAYMENT_EXAMPLE.intent,
    }),
    role: choiceParameter(PAYMENT_ROLES, { description: "Only payments with this role.", example: "duplicate" }),
    late: flagParameter({ description: "Only payments that are late, or only those that are not." }),
    settleable: flagParameter({ description: "Only payments that can be settled now, or only the others." }),
    ...pageParameters({ pattern: ADDRESS_PATTERN, example: PAYMENT_EXAMPLE.id, noun: "payment" }),
  },
  success: {
    status: 200,
    description: "A page of payments.",
    schema: component("PaymentList"),
    example: { object: "list", data: [PAYMENT_EXAMPLE], hasMore: false },
  },
  links: {
    get: {
      operationId: "getPayment",
      parameters: { id: "$response.body#/data/0/id" },
      description: "Read the first of them.",
    },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

/** The filters of the list, and its page. */
export type PaymentQuery = QueryValues<typeof LIST_PAYMENTS.query>;

export const GET_PAYMENT = {
  operationId: "getPayment",
  tag: "Payments",
  summary: "Get a payment",
  description: "One payment. Its id is its address on chain.",
  path: {
    id: {
      schema: Type.String({ pattern: ADDRESS_PATTERN }),
      description: "The payment's address on chain.",
      example: PAYMENT_EXAMPLE.id,
    },
  },
  success: { status: 200, description: "The payment.", schema: component("Payment"), example: PAYMENT_EXAMPLE },
  errors: ["not_found"],
} as const satisfies Declaration;
