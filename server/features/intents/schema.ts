import { type TObject, Type } from "typebox";
import { invalid } from "../../domain/errors.ts";
import { idKind } from "../../domain/ids.ts";
import { parseLocale } from "../../domain/locale.ts";
import { CURRENCY_CODES, PRICE_AMOUNT, type Price, parsePrice } from "../../domain/price.ts";
import { INTENT_STATUSES, PROTECTION_PERIODS } from "../../domain/terms.ts";
import { ADDRESS, checked, oneOf, TEXT, TIME, TOKENS, textKind, UNITS } from "../../domain/values.ts";
import { type Components, declarations, type Link } from "../../edge/http/declaration.ts";
import { type Field, field, optional, replaceable, requestBody } from "../../edge/http/fields.ts";
import { schemaOf, shownObject } from "../../edge/http/objects.ts";
import { pageParameters, parameter, pathPart, type QueryValues } from "../../edge/http/parameters.ts";
import {
  answer,
  component,
  listAnswer,
  listOf,
  scannedAnswer,
  scannedListOf,
  timestamp,
} from "../../edge/http/schemas.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { examplesOf } from "../../lib/columns.ts";
import { beginsWith, contains, equals, isAfter, isBefore } from "../../store/filters.ts";
import { parseIntentReturnUrl } from "../businesses/business.ts";
import { PAYMENT_EXAMPLE } from "../payments/schema.ts";
import { parseEmail } from "../staff/user.ts";
import {
  type AskedIntent,
  BUYER_EMAIL,
  DESCRIPTION_CODE_POINTS_MAX,
  INTENT_MEMBERS,
  isDescription,
  isReference,
  LISTED_MEMBERS,
  MERCHANT_COLUMNS,
  REFERENCE_CODE_POINTS_MAX,
} from "./intent.ts";

const schemaOfNew = (name: keyof typeof MERCHANT_COLUMNS) => schemaOf(name, MERCHANT_COLUMNS[name]);

/** A JSON object, stored as its source text; `{}` if left out. */
const metadataField: Field<string> = {
  schema: schemaOfNew("metadata"),
  expected: 'a JSON object, such as {"cart": "c_81"}; leave it out for none',
  fallback: "{}",
  parse: (member, name) => {
    if (!member.text.startsWith("{")) throw invalid(name, `Expected ${metadataField.expected}.`);
    if (member.unstorable)
      throw invalid(name, "A string in it holds an escaped NUL (\\u0000) or half of a surrogate pair. Leave it out.");
    return member.text;
  },
};

/** A text that may be left out, or null. */
const optionalMember = (
  name: "description" | "returnUrl" | "locale",
  expected: string,
  parse: (text: string) => string | null,
): Field<string | null> => ({ ...optional(field(textKind({}, expected, parse))), schema: schemaOfNew(name) });

/** A price in place of an amount (§4.21). */
const priceField: Field<Price | null> = {
  ...optional<Price>({
    schema: component("Price"),
    expected: '{"currency": "EUR", "amount": "48.50"}',
    parse: ({ value }, name) => {
      const { currency, amount, ...others } = Object(value) as Readonly<Record<string, unknown>>;
      if (typeof currency !== "string" || typeof amount !== "string" || Object.keys(others).length > 0)
        throw invalid(name, 'Expected {"currency": "EUR", "amount": "48.50"}, both as JSON strings.');
      const price = parsePrice(currency, amount);
      if ("reason" in price) throw invalid(name, price.reason);
      return price;
    },
  }),
  schema: schemaOfNew("price"),
};

export const NEW_INTENT_FIELDS = {
  recipient: {
    ...field(ADDRESS, { expected: "a Solana wallet address (base58 of 32 bytes)" }),
    schema: schemaOfNew("recipient"),
  },
  amount: replaceable(
    {
      ...field(UNITS, {
        expected:
          'digits in the asset\'s smallest unit, such as "1500000", from 1 to 18446744073709551615, or a price in its place',
      }),
      schema: schemaOfNew("amount"),
    },
    "price",
  ),
  asset: {
    ...field(ADDRESS, { expected: "the address of a token mint (base58 of 32 bytes)" }),
    schema: schemaOfNew("asset"),
  },
  protectionPeriod: field(oneOf(PROTECTION_PERIODS), { description: MERCHANT_COLUMNS.protectionPeriod.shown!.says! }),
  merchantReference: field(
    checked(
      schemaOfNew("merchantReference"),
      `1 to ${REFERENCE_CODE_POINTS_MAX} characters without control characters and without white space at either end`,
      isReference,
    ),
  ),
  metadata: metadataField,
  description: optionalMember(
    "description",
    `1 to ${DESCRIPTION_CODE_POINTS_MAX} characters of plain text without control characters`,
    (text) => (isDescription(text) ? text : null),
  ),
  returnUrl: optionalMember(
    "returnUrl",
    "https://…, without a user name, password or fragment, with no placeholders but {intentId} and {merchantReference} after the host",
    parseIntentReturnUrl,
  ),
  locale: optionalMember("locale", "a BCP 47 language tag, such as de or pt-BR", parseLocale),
  price: priceField,
  buyerEmail: {
    ...optional(
      field(textKind({}, "one email address of at most 254 characters", (text) => parseEmail(text)?.shown ?? null)),
    ),
    schema: schemaOf("buyerEmail", BUYER_EMAIL),
  },
} satisfies Record<keyof AskedIntent, Field<unknown>>;

/** An example of an intent as keys see it. */
export const forKeys = <Example extends object>(example: Example) => ({
  ...example,
  buyerEmail: BUYER_EMAIL.shown!.example,
});

/** §4.1. */
const NEW_INTENT = requestBody({
  component: "NewPaymentIntent",
  operation: "Create",
  description: "The first wrong field in this order is the one reported.",
  fields: NEW_INTENT_FIELDS,
  example: forKeys(examplesOf(MERCHANT_COLUMNS)),
});

const SHOWN = shownObject("payment_intent", INTENT_MEMBERS, "A request to a buyer to pay an amount of a token.");
/** With the member that events leave out. */
const INTENT = Type.Object(
  { ...(SHOWN.schema as TObject).properties, buyerEmail: Type.Optional(schemaOf("buyerEmail", BUYER_EMAIL)) },
  { description: (SHOWN.schema as TObject & { readonly description: string }).description },
);
export const LISTED_INTENT = shownObject("payment_intent", LISTED_MEMBERS, "A payment intent in a list for staff.");

const PRICE = Type.Object(
  {
    currency: Type.Enum([...CURRENCY_CODES], { type: "string", description: "ISO 4217." }),
    amount: Type.String({
      pattern: PRICE_AMOUNT.source,
      description: "A decimal number above 0, with no more places than the currency has.",
    }),
  },
  { additionalProperties: false, description: "A price in a currency." },
);
const decimal = (description: string) => Type.String({ pattern: "^[0-9]+([.][0-9]+)?$", description });
const QUOTE = Type.Object(
  {
    rate: decimal("The number of whole tokens for one unit of the currency, with the spread in it."),
    source: Type.Enum(["par", "ecb", "file"], {
      type: "string",
      description:
        "`par`: the token stands for the currency. `ecb`: reference rates of the European Central Bank. `file`: rates of the operator.",
    }),
    at: timestamp("The time to which the rate belongs; for a par the operator's date."),
    until: timestamp("The intent never expires later."),
    spread: decimal("The part that was added to the rate."),
  },
  { description: "The rate at which a price became an amount: price times rate, rounded up to the token's unit." },
);
/** The members of prices, for every document with intents or links. */
const priceComponents: Components = { Price: PRICE, Quote: QUOTE };

/** §2.1. */
export const intentComponents: Components = {
  ...priceComponents,
  PaymentIntent: INTENT,
  [NEW_INTENT.component]: NEW_INTENT.schema,
  PaymentIntentList: listOf("PaymentIntent", "Payment intents"),
};

export const staffIntentComponents: Components = {
  ...priceComponents,
  PaymentIntent: intentComponents.PaymentIntent!,
  PaymentIntentDetails: Type.Object(
    {
      object: Type.Literal("payment_intent_details"),
      intent: component("PaymentIntent"),
      json: Type.String({ description: "The same as a text, in which no number is rounded." }),
    },
    { description: "An intent for staff." },
  ),
  ListedPaymentIntent: LISTED_INTENT.schema,
  ListedPaymentIntentList: scannedListOf("ListedPaymentIntent", "Payment intents"),
};

/** The same intent before and after {@link PAYMENT_EXAMPLE}. */
export const INTENT_EXAMPLE = SHOWN.example;
/** The addresses of an intent that takes no payment. */
export const NO_ADDRESSES = { checkoutUrl: null, x402Url: null } as const;
export const PAID_EXAMPLE = { ...INTENT_EXAMPLE, status: "paid", payment: PAYMENT_EXAMPLE, ...NO_ADDRESSES } as const;
export const INTENT_EXAMPLES = examplesOf(INTENT_MEMBERS);

const ID = {
  id: pathPart(idKind("pi"), "The intent's id.", INTENT_EXAMPLES.id),
} as const;
const intentAnswer = (status: 200 | 201, description: string, example: object) =>
  answer(status, description, "PaymentIntent", forKeys(example));

const link = (operationId: string, id: string, description: string): Link => ({
  operationId,
  parameters: { id },
  description,
});

const declare = declarations({ tag: "Payment intents", errors: ["not_found"] });

export const CREATE_INTENT = declare({
  operationId: "createPaymentIntent",
  summary: "Create a payment intent",
  description:
    "Asks a buyer for an amount of a token, with a period in which the buyer may dispute. Send the buyer to `checkoutUrl`, or build the payment yourself with `paymentId` and confirm it.\n\nIn place of `amount` you may give a `price` in a currency: the amount is then made at the rate of this moment, and refunds are in tokens. Without a fresh rate this is 503 `unavailable`.\n\nSend an `Idempotency-Key`: a retry after a lost answer then creates nothing twice. A `merchantReference` is free again once its intent is not open any more (paid, expired or canceled).",
  body: NEW_INTENT,
  success: intentAnswer(201, "Created.", INTENT_EXAMPLE),
  links: {
    get: link("getPaymentIntent", "$response.body#/id", "Read it again."),
    cancel: link("cancelPaymentIntent", "$response.body#/id", "Cancel it."),
    confirm: link("confirmPayment", "$response.body#/id", "Confirm its payment."),
    verify: link("verifySignature", "$response.body#/id", "Check a signature without changing anything."),
  },
  errors: ["forbidden", "reference_in_use"],
});

export const LIST_INTENTS = declare({
  operationId: "listPaymentIntents",
  summary: "List payment intents",
  description:
    "Your intents, newest first; every filter can be combined with every other. A walk with `starting_after` shows every intent that existed when it began, once.",
  query: {
    merchant_reference: parameter(
      TEXT,
      "Only intents with exactly this `merchantReference`. One that matches nothing gives an empty list.",
      { example: INTENT_EXAMPLES.merchantReference },
    ),
    status: parameter(oneOf(INTENT_STATUSES), "Only intents that show this status.", { example: "paid" }),
    created_after: parameter(TIME, "Only intents created after this time.", { filter: isAfter("i.created_at") }),
    created_before: parameter(TIME, "Only intents created before this time.", { filter: isBefore("i.created_at") }),
    ...pageParameters(idKind("pi"), INTENT_EXAMPLES.id, "intent"),
  },
  success: listAnswer("A page of intents.", "PaymentIntent", forKeys(INTENT_EXAMPLE)),
  links: {
    get: link("getPaymentIntent", "$response.body#/data/0/id", "Read the first of them."),
  },
});

/** The filters of the list, and its page. */
export type IntentQuery = QueryValues<typeof LIST_INTENTS.query>;

/** Filters of the staff's list without an index of their own: they are applied to the rows that the others select. */
export const SCAN_FILTERS = {
  reference_prefix: parameter(TEXT, "Only intents whose merchantReference begins with this text.", {
    example: "order-10",
    filter: beginsWith("i.merchant_reference"),
  }),
  reference_part: parameter(
    TEXT,
    "Only intents whose merchantReference contains this text, in whatever case. Each page looks through the next 101 intents.",
    { example: "1043", filter: contains("i.merchant_reference") },
  ),
  asset: parameter(ADDRESS, "Only intents in the token of this mint.", {
    example: INTENT_EXAMPLES.asset,
    filter: equals("i.asset"),
  }),
  amount_min: parameter(TOKENS, "Only intents of at least this amount, in whole tokens.", { example: "48.5" }),
  amount_max: parameter(TOKENS, "Only intents of at most this amount, in whole tokens.", { example: "48.5" }),
  protection_period: parameter(oneOf(PROTECTION_PERIODS), "Only intents with this period.", {
    filter: equals("i.protection_period"),
  }),
};

const { ending_before: _, ...LISTED_BY } = LIST_INTENTS.query;

/** §13.10.8. */
export const LIST_STAFF_INTENTS = declare({
  operationId: "listPaymentIntents",
  path: tenantPath,
  summary: "List payment intents",
  description:
    "The intents of an environment, newest first. A page reads a limited number of rows: it may hold fewer intents than `limit`, or none, and the next one goes on.",
  query: { ...SCAN_FILTERS, ...LISTED_BY },
  success: scannedAnswer("A page of intents.", "ListedPaymentIntent", LISTED_INTENT.example),
});
export type StaffIntentQuery = QueryValues<typeof LIST_STAFF_INTENTS.query>;

export const GET_INTENT = declare({
  operationId: "getPaymentIntent",
  summary: "Get a payment intent",
  description: "The intent as it stands now, with its payment once it is paid.",
  path: ID,
  success: intentAnswer(200, "The intent.", PAID_EXAMPLE),
});

/** An intent for staff. */
export const detailsAnswer = (status: 200 | 201, description: string, intent: object) =>
  answer(status, description, "PaymentIntentDetails", {
    object: "payment_intent_details",
    intent,
    json: JSON.stringify(intent),
  });

export const GET_STAFF_INTENT = declare({
  operationId: "getPaymentIntent",
  tag: "Events",
  summary: "Get a payment intent",
  description: "The intent as it stands now, as the merchant API shows it.",
  path: {
    ...tenantPath,
    intent: { schema: Type.String(), description: "The intent's id.", example: INTENT_EXAMPLES.id },
  },
  success: detailsAnswer(200, "The intent.", PAID_EXAMPLE),
});

export const CANCEL_INTENT = declare({
  operationId: "cancelPaymentIntent",
  summary: "Cancel a payment intent",
  description:
    "Cancels an unpaid intent. It takes no body: none, an empty one or `{}`.\n\nA buyer may have paid at the same moment: a payment found afterwards is bound all the same, is `late`, and announced by `payment_intent.paid_late`.",
  path: ID,
  success: intentAnswer(200, "Canceled.", {
    ...INTENT_EXAMPLE,
    status: "canceled",
    canceledAt: "2026-11-21T03:10:00.000Z",
    ...NO_ADDRESSES,
  }),
  errors: ["forbidden", "not_found", "intent_not_cancelable"],
});
