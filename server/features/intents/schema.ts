import { type TSchema, Type } from "typebox";
import { INTENT_ID } from "../../domain/ids.ts";
import { AMOUNT } from "../../domain/money.ts";
import { PROTECTION_PERIODS } from "../../domain/terms.ts";
import { type Components, type Documentation, type Link, pageParameters } from "../../edge/http/documentation.ts";
import {
  address,
  choice,
  component,
  environment,
  listOf,
  nullable,
  queryText,
  queryTime,
  timestamp,
} from "../../edge/http/schemas.ts";
import { PAYMENT_EXAMPLE } from "../payments/schema.ts";
import { INTENT_STATUSES, type NewIntent, REFERENCE, REFERENCE_CODE_POINTS_MAX } from "./intent.ts";

const reference = (): TSchema =>
  Type.String({
    minLength: 1,
    maxLength: REFERENCE_CODE_POINTS_MAX,
    pattern: REFERENCE.source,
    description:
      "Your own reference: unique among your open intents, compared exactly. No control characters, no white space at either end.",
  });
const amount = (): TSchema =>
  Type.String({
    pattern: AMOUNT.source,
    format: "uint64",
    description: "Digits, in the asset's smallest unit, from 1 to 18446744073709551615.",
  });
const period = (): TSchema =>
  choice(PROTECTION_PERIODS, { description: "How long the buyer may dispute once it is paid." });
const metadata = (): TSchema =>
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "Anything of yours, returned unchanged: order of members, nesting and the spelling of numbers. No NUL and no lone surrogate in its strings.",
    },
  );

/** §4.1: the fields that the reader of create knows, all of them and no other. */
const newIntent = {
  recipient: address("The wallet to be paid. Not a token account, a mint or a program.", { format: "solana-wallet" }),
  amount: amount(),
  asset: address("The mint of an SPL Token or Token-2022 token on this environment's chain.", {
    format: "solana-mint",
  }),
  protectionPeriod: period(),
  merchantReference: reference(),
  metadata: Type.Optional(metadata()),
} satisfies Record<keyof NewIntent, TSchema>;

/** §2.1. */
export const intentComponents: Components = {
  PaymentIntent: Type.Object(
    {
      object: Type.Literal("payment_intent"),
      id: Type.String({ pattern: INTENT_ID.source, description: "The intent's id." }),
      status: choice(INTENT_STATUSES, {
        description:
          "`requires_payment` at first. Past `expiresAt` it reads `expired` at once. An `expired` or `canceled` intent still becomes `paid` when a payment of it is found.",
      }),
      recipient: address("The wallet to be paid."),
      amount: amount(),
      asset: address("The token's mint."),
      protectionPeriod: period(),
      merchantReference: reference(),
      metadata: metadata(),
      paymentId: Type.String({
        pattern: "^[1-9][0-9]{0,18}$",
        description: "The number that the payment on chain must carry, 1 to 2^63−1. Keep it a string.",
      }),
      payment: nullable(component("Payment"), { description: "The primary payment; set exactly when `paid`." }),
      environment: environment(),
      createdAt: timestamp("When it was created."),
      expiresAt: timestamp("After this time it is expired. A whole second."),
      canceledAt: nullable(timestamp("When it was canceled."), { description: "Stays set if it is paid later." }),
      checkoutUrl: nullable(Type.String({ description: "The hosted checkout's address." }), {
        description: "Set only while `requires_payment`.",
      }),
    },
    { description: "What a buyer is asked to pay." },
  ),
  NewPaymentIntent: Type.Object(newIntent, {
    additionalProperties: false,
    description: "The first wrong field in this order is the one reported.",
  }),
  PaymentIntentList: listOf("PaymentIntent", "Payment intents"),
};

const NEW_EXAMPLE = {
  recipient: PAYMENT_EXAMPLE.recipient,
  amount: PAYMENT_EXAMPLE.amount,
  asset: PAYMENT_EXAMPLE.asset,
  protectionPeriod: PAYMENT_EXAMPLE.protectionPeriod,
  merchantReference: PAYMENT_EXAMPLE.merchantReference,
  metadata: { cart: "c_81" },
} as const;

/** Open, and paid: the same intent before and after {@link PAYMENT_EXAMPLE}. */
const INTENT_EXAMPLE = {
  object: "payment_intent",
  id: PAYMENT_EXAMPLE.intent,
  status: "requires_payment",
  ...NEW_EXAMPLE,
  paymentId: "8639887721275585902",
  payment: null,
  environment: "test",
  createdAt: "2026-11-21T02:58:21.258Z",
  expiresAt: "2026-11-22T02:58:22.000Z",
  canceledAt: null,
  checkoutUrl: `https://pay.shop-demo.com/pay/i/${PAYMENT_EXAMPLE.intent}`,
} as const;
export const PAID_EXAMPLE = { ...INTENT_EXAMPLE, status: "paid", payment: PAYMENT_EXAMPLE, checkoutUrl: null } as const;

const ID = {
  id: {
    schema: Type.String({ pattern: INTENT_ID.source }),
    description: "The intent's id.",
    example: INTENT_EXAMPLE.id,
  },
} as const;
const intentAnswer = (status: 200 | 201, description: string, example: object): Documentation["success"] => ({
  status,
  description,
  schema: component("PaymentIntent"),
  example,
});

const link = (operationId: string, id: string, description: string): Link => ({
  operationId,
  parameters: { id },
  description,
});

export const CREATE_INTENT: Documentation = {
  operationId: "createPaymentIntent",
  tag: "Payment intents",
  summary: "Create a payment intent",
  description:
    "Asks a buyer for an amount of a token, with a period in which the buyer may dispute. Send the buyer to `checkoutUrl`, or build the payment yourself with `paymentId` and confirm it.\n\nSend an `Idempotency-Key`: a retry after a lost answer then creates nothing twice. A `merchantReference` is free again once its intent is not open any more (paid, expired or canceled).",
  body: { schema: component("NewPaymentIntent"), example: NEW_EXAMPLE },
  success: intentAnswer(201, "Created.", INTENT_EXAMPLE),
  links: {
    get: link("getPaymentIntent", "$response.body#/id", "Read it again."),
    cancel: link("cancelPaymentIntent", "$response.body#/id", "Cancel it."),
    confirm: link("confirmPayment", "$response.body#/id", "Confirm its payment."),
  },
  errors: ["reference_in_use"],
};

export const LIST_INTENTS = {
  operationId: "listPaymentIntents",
  tag: "Payment intents",
  summary: "List payment intents",
  description:
    "Your intents, newest first; every filter can be combined with every other. A walk with `starting_after` shows every intent that existed when it began, once.",
  query: {
    merchant_reference: {
      schema: queryText(),
      description: "Only intents with exactly this `merchantReference`. One that matches nothing gives an empty list.",
      example: INTENT_EXAMPLE.merchantReference,
    },
    status: { schema: choice(INTENT_STATUSES), description: "Only intents that show this status.", example: "paid" },
    created_after: { schema: queryTime(), description: "Only intents created after this time." },
    created_before: { schema: queryTime(), description: "Only intents created before this time." },
    ...pageParameters({ pattern: INTENT_ID.source, example: INTENT_EXAMPLE.id, noun: "intent" }),
  },
  success: {
    status: 200,
    description: "A page of intents.",
    schema: component("PaymentIntentList"),
    example: { object: "list", data: [INTENT_EXAMPLE], hasMore: false },
  },
  links: {
    get: link("getPaymentIntent", "$response.body#/data/0/id", "Read the first of them."),
  },
  errors: ["not_found"],
} as const satisfies Documentation;

export const GET_INTENT: Documentation = {
  operationId: "getPaymentIntent",
  tag: "Payment intents",
  summary: "Get a payment intent",
  description: "One intent as it stands now, with its payment once it is paid.",
  path: ID,
  success: intentAnswer(200, "The intent.", PAID_EXAMPLE),
  errors: ["not_found"],
};

export const CANCEL_INTENT: Documentation = {
  operationId: "cancelPaymentIntent",
  tag: "Payment intents",
  summary: "Cancel a payment intent",
  description:
    "Cancels an unpaid intent. It takes no body: none, an empty one or `{}`.\n\nA buyer may have paid at the same moment: a payment found afterwards is bound all the same, is `late`, and you are told by `payment_intent.paid_late`.",
  path: ID,
  success: intentAnswer(200, "Canceled.", {
    ...INTENT_EXAMPLE,
    status: "canceled",
    canceledAt: "2026-11-21T03:10:00.000Z",
    checkoutUrl: null,
  }),
  errors: ["not_found", "intent_not_cancelable"],
};
