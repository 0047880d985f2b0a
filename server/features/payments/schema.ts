import { Type } from "typebox";
import { INTENT_ID } from "../../domain/ids.ts";
import { AMOUNT, PART_AMOUNT } from "../../domain/money.ts";
import { PAYMENT_OUTCOMES, PAYMENT_STATUSES, PROTECTION_PERIODS } from "../../domain/terms.ts";
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
import { tenantPath } from "../../edge/staff/paths.ts";
import { equals, isPresent } from "../../store/filters.ts";
import { ACTORS, LATE_REASONS, NEXT_ACTIONS, PAYMENT_ROLES } from "./payment.ts";

const part = (description: string) => Type.String({ pattern: PART_AMOUNT.source, description });

const PAYMENT_FIELDS = {
  object: Type.Literal("payment"),
  id: address("The payment's address on chain."),
  intent: Type.String({ pattern: INTENT_ID.source, description: "Id of the intent it is bound to." }),
  role: choice(PAYMENT_ROLES, {
    description: "`primary`, or `duplicate` for a further payment of an intent that is already paid.",
  }),
  status: choice(PAYMENT_STATUSES, {
    description:
      "What the chain said of it at `checkedAt`. It stays as it was between a decision, which sets `outcome`, and the leaving of the last part.",
  }),
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
  settledAt: nullable(timestamp("When the funds, or the recipient's part of them, went to the recipient."), {
    description: "Null until then.",
  }),
  refundedAt: nullable(timestamp("When the funds, or the latest part that went back, went back to the buyer."), {
    description: "Null until then.",
  }),
  settleable: Type.Boolean({
    description:
      "The deadline has passed, no dispute is open and nothing is decided: anyone may settle it to the recipient.",
  }),
  resolveBy: nullable(timestamp("When an unresolved dispute can be refunded by anyone."), {
    description: "Set while a dispute is open.",
  }),
  checkedAt: timestamp("When the chain was last asked."),
  amountReleased: part('What has left to the recipient; "0" until then.'),
  amountRefunded: part('What has gone back to the buyer; "0" until then.'),
  refundTotal: part(
    "What the buyer is bound to get back in all, as decided so far. The part above `amountRefunded` is on its way.",
  ),
  outcome: nullable(choice(PAYMENT_OUTCOMES), {
    description: "Who decided who gets what; null until that is bound. The parts may leave later.",
  }),
  arbiter: address("Decides a dispute of this payment; fixed when it was made."),
  termsHash: nullable(Type.String({ pattern: "^[0-9a-f]{64}$" }), {
    description: "SHA-256 of the terms the buyer's transaction names; null where it names none.",
  }),
  termsKnown: Type.Boolean({
    description: "Whether the text behind `termsHash` is one that this service showed for the intent.",
  }),
};

/** §2.2. */
export const paymentComponents: Components = {
  Payment: Type.Object(PAYMENT_FIELDS, {
    description: "A payment on chain, bound to an intent. Times from the chain are whole seconds.",
  }),
  PaymentWithActions: Type.Object(
    {
      ...PAYMENT_FIELDS,
      nextActions: Type.Array(component("NextAction"), {
        description: "What the escrow program allows now, as of `checkedAt`; empty once everything has left.",
      }),
    },
    { description: "A payment asked for by itself, with what can be done with it." },
  ),
  NextAction: Type.Object(
    {
      action: choice(NEXT_ACTIONS, {
        description:
          "`dispute`, `release` and `resolve` decide, so does `refund` of the whole amount; `settle`, `refund_unresolved`, `pay_out_sender` and `pay_out_recipient` move funds, as far as the token accounts allow it.",
      }),
      by: choice(ACTORS, { description: "Who has to sign it." }),
      until: nullable(timestamp("The time from which it is refused."), { description: "Null: no time ends it." }),
    },
    { description: "Something the escrow program allows with a payment's funds." },
  ),
  PaymentList: listOf("Payment", "Payments"),
};

export const staffPaymentComponents: Components = {
  Payment: paymentComponents.Payment!,
  PaymentWithActions: paymentComponents.PaymentWithActions!,
  NextAction: paymentComponents.NextAction!,
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
  amountReleased: "0",
  amountRefunded: "0",
  refundTotal: "0",
  outcome: null,
  arbiter: "6dNVxkyfuyCqe5xCiLGPUpNaCNTsV7wJ3wTJkHFUZ6Uu",
  termsHash: null,
  termsKnown: false,
} as const;

/** §4.6. */
export const LIST_PAYMENTS = {
  operationId: "listPayments",
  tag: "Payments",
  summary: "List payments",
  description:
    "The payments bound to your intents, newest first; every filter can be combined with every other. A walk with `starting_after` shows every payment that existed when it began, once.",
  query: {
    status: choiceParameter(PAYMENT_STATUSES, "Only payments with this status.", {
      example: "protected",
      filter: equals("p.status"),
    }),
    intent: textParameter("Only payments of this intent. An id that matches nothing gives an empty list.", {
      example: PAYMENT_EXAMPLE.intent,
      filter: equals("p.intent_id"),
    }),
    role: choiceParameter(PAYMENT_ROLES, "Only payments with this role.", {
      example: "duplicate",
      filter: equals("p.role"),
    }),
    late: flagParameter("Only payments that are late, or only those that are not.", {
      filter: isPresent("p.late_reason"),
    }),
    settleable: flagParameter("Only payments that can be settled now, or only the others."),
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
  description: "One payment, with what can be done with it now. Its id is its address on chain.",
  path: {
    id: {
      schema: Type.String({ pattern: ADDRESS_PATTERN }),
      description: "The payment's address on chain.",
      example: PAYMENT_EXAMPLE.id,
    },
  },
  success: {
    status: 200,
    description: "The payment.",
    schema: component("PaymentWithActions"),
    example: {
      ...PAYMENT_EXAMPLE,
      nextActions: [
        { action: "dispute", by: "sender", until: PAYMENT_EXAMPLE.protectionDeadline },
        { action: "release", by: "sender", until: null },
        { action: "refund", by: "recipient", until: null },
      ],
    },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const GET_STAFF_PAYMENT = {
  operationId: "getPayment",
  tag: "Events",
  summary: "Get a payment",
  description: "One payment, as the merchant API shows it by itself.",
  path: {
    ...tenantPath,
    payment: { schema: Type.String(), description: "Its address on chain.", example: PAYMENT_EXAMPLE.id },
  },
  success: { ...GET_PAYMENT.success, description: "The payment." },
  errors: ["not_found"],
} as const satisfies Declaration;
