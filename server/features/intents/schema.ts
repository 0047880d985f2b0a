import { type TSchema, Type } from "typebox";
import { isAddress } from "../../domain/addresses.ts";
import { invalid } from "../../domain/errors.ts";
import { INTENT_ID } from "../../domain/ids.ts";
import { AMOUNT, isAmount } from "../../domain/money.ts";
import { INTENT_STATUSES, PROTECTION_PERIODS } from "../../domain/terms.ts";
import type { Components, Declaration, Link } from "../../edge/http/declaration.ts";
import { checkedText, choiceField, type Field, requestBody } from "../../edge/http/fields.ts";
import {
  choiceParameter,
  pageParameters,
  type QueryValues,
  textParameter,
  timeParameter,
} from "../../edge/http/parameters.ts";
import { address, choice, component, environment, listOf, nullable, timestamp } from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { isAfter, isBefore } from "../../store/filters.ts";
import { PAYMENT_EXAMPLE } from "../payments/schema.ts";
import { isReference, type NewIntent, REFERENCE, REFERENCE_CODE_POINTS_MAX } from "./intent.ts";

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
const PERIOD = { description: "How long the buyer may dispute once it is paid." } as const;
const metadata = (): TSchema =>
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "Anything of yours, returned unchanged: order of members, nesting and the spelling of numbers. No NUL and no lone surrogate in its strings.",
    },
  );

const NEW_EXAMPLE = {
  recipient: PAYMENT_EXAMPLE.recipient,
  amount: PAYMENT_EXAMPLE.amount,
  asset: PAYMENT_EXAMPLE.asset,
  protectionPeriod: PAYMENT_EXAMPLE.protectionPeriod,
  merchantReference: PAYMENT_EXAMPLE.merchantReference,
  metadata: { cart: "c_81" },
} as const;

/** A JSON object, kept as its source text; without it `{}`. */
const metadataField: Field<string> = {
  schema: metadata(),
  expected: 'a JSON object, such as {"cart": "c_81"}; leave it out for none',
  fallback: "{}",
  parse: (member, name) => {
    if (!member.text.startsWith("{")) throw invalid(name, `Expected ${metadataField.expected}.`);
    if (member.unstorable)
      throw invalid(name, "A string in it holds an escaped NUL (\\u0000) or half of a surrogate pair. Leave it out.");
    return member.text;
  },
};

/** §4.1. */
const NEW_INTENT = requestBody({
  component: "NewPaymentIntent",
  operation: "Create",
  description: "The first wrong field in this order is the one reported.",
  fields: {
    recipient: checkedText(
      address("The wallet to be paid. Not a token account, a mint or a program.", { format: "solana-wallet" }),
      "a Solana wallet address (base58 of 32 bytes)",
      isAddress,
    ),
    amount: checkedText(
      amount(),
      'digits in the asset\'s smallest unit, such as "1500000", from 1 to 18446744073709551615',
      isAmount,
    ),
    asset: checkedText(
      address("The mint of an SPL Token or Token-2022 token on this environment's chain.", { format: "solana-mint" }),
      "the address of a token mint (base58 of 32 bytes)",
      isAddress,
    ),
    protectionPeriod: choiceField(PROTECTION_PERIODS, PERIOD),
    merchantReference: checkedText(
      reference(),
      `1 to ${REFERENCE_CODE_POINTS_MAX} characters without control characters and without white space at either end`,
      isReference,
    ),
    metadata: metadataField,
  } satisfies Record<keyof NewIntent, Field<unknown>>,
  example: NEW_EXAMPLE,
});

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
      ...NEW_INTENT.members,
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
  [NEW_INTENT.component]: NEW_INTENT.schema,
  PaymentIntentList: listOf("PaymentIntent", "Payment intents"),
};

export const staffIntentComponents: Components = {
  PaymentIntent: intentComponents.PaymentIntent!,
  PaymentIntentDetails: Type.Object(
    {
      object: Type.Literal("payment_intent_details"),
      intent: component("PaymentIntent"),
      json: Type.String({ description: "The same as a text, in which no number is rounded." }),
    },
    { description: "An intent for staff." },
  ),
};

/** The same intent before and after {@link PAYMENT_EXAMPLE}. */
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
const intentAnswer = (status: 200 | 201, description: string, example: object): Declaration["success"] => ({
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

export const CREATE_INTENT = {
  operationId: "createPaymentIntent",
  tag: "Payment intents",
  summary: "Create a payment intent",
  description:
    "Asks a buyer for an amount of a token, with a period in which the buyer may dispute. Send the buyer to `checkoutUrl`, or build the payment yourself with `paymentId` and confirm it.\n\nSend an `Idempotency-Key`: a retry after a lost answer then creates nothing twice. A `merchantReference` is free again once its intent is not open any more (paid, expired or canceled).",
  body: NEW_INTENT,
  success: intentAnswer(201, "Created.", INTENT_EXAMPLE),
  links: {
    get: link("getPaymentIntent", "$response.body#/id", "Read it again."),
    cancel: link("cancelPaymentIntent", "$response.body#/id", "Cancel it."),
    confirm: link("confirmPayment", "$response.body#/id", "Confirm its payment."),
    verify: link("verifySignature", "$response.body#/id", "Check a signature without changing anything."),
  },
  errors: ["forbidden", "reference_in_use"],
} as const satisfies Declaration;

export const LIST_INTENTS = {
  operationId: "listPaymentIntents",
  tag: "Payment intents",
  summary: "List payment intents",
  description:
    "Your intents, newest first; every filter can be combined with every other. A walk with `starting_after` shows every intent that existed when it began, once.",
  query: {
    merchant_reference: textParameter(
      "Only intents with exactly this `merchantReference`. One that matches nothing gives an empty list.",
      { example: INTENT_EXAMPLE.merchantReference },
    ),
    status: choiceParameter(INTENT_STATUSES, "Only intents that show this status.", { example: "paid" }),
    created_after: timeParameter("Only intents created after this time.", { filter: isAfter("i.created_at") }),
    created_before: timeParameter("Only intents created before this time.", { filter: isBefore("i.created_at") }),
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
} as const satisfies Declaration;

/** The filters of the list, and its page. */
export type IntentQuery = QueryValues<typeof LIST_INTENTS.query>;

export const GET_INTENT = {
  operationId: "getPaymentIntent",
  tag: "Payment intents",
  summary: "Get a payment intent",
  description: "One intent as it stands now, with its payment once it is paid.",
  path: ID,
  success: intentAnswer(200, "The intent.", PAID_EXAMPLE),
  errors: ["not_found"],
} as const satisfies Declaration;

export const GET_STAFF_INTENT = {
  operationId: "getPaymentIntent",
  tag: "Events",
  summary: "Get a payment intent",
  description: "One intent as it stands now, as the merchant API shows it.",
  path: {
    ...tenantPath,
    intent: { schema: Type.String(), description: "The intent's id.", example: INTENT_EXAMPLE.id },
  },
  success: {
    status: 200,
    description: "The intent.",
    schema: component("PaymentIntentDetails"),
    example: { object: "payment_intent_details", intent: PAID_EXAMPLE, json: JSON.stringify(PAID_EXAMPLE) },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

export const CANCEL_INTENT = {
  operationId: "cancelPaymentIntent",
  tag: "Payment intents",
  summary: "Cancel a payment intent",
  description:
    "Cancels an unpaid intent. It takes no body: none, an empty one or `{}`.\n\nA buyer may have paid at the same moment: a payment found afterwards is bound all the same, is `late`, and announced by `payment_intent.paid_late`.",
  path: ID,
  success: intentAnswer(200, "Canceled.", {
    ...INTENT_EXAMPLE,
    status: "canceled",
    canceledAt: "2026-11-21T03:10:00.000Z",
    checkoutUrl: null,
  }),
  errors: ["forbidden", "not_found", "intent_not_cancelable"],
} as const satisfies Declaration;
