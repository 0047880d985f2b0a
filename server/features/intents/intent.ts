import type { AddressSealing } from "../../domain/buyerAddress.ts";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { INTENT_ID, newIntentId, newPaymentId } from "../../domain/ids.ts";
import { LOCALE_CHARACTERS_MAX } from "../../domain/locale.ts";
import { AMOUNT } from "../../domain/money.ts";
import type { Price, Quote } from "../../domain/price.ts";
import {
  type Fields,
  type JsonText,
  parseFields,
  previousAttributes,
  shower,
  showText,
  withMembers,
} from "../../domain/show.ts";
import { INTENT_STATUSES, type IntentStatus, PROTECTION_PERIODS } from "../../domain/terms.ts";
import { ADDRESS, column, environmentWord } from "../../domain/values.ts";
import {
  type Column,
  computed,
  digits,
  type FieldsOf,
  flag,
  json,
  named,
  nullable,
  pick,
  rowReader,
  stored,
  table,
  text,
  time,
  word,
} from "../../lib/columns.ts";
import { asMade, PAYMENT_EXAMPLES, type Payment, showPaymentText } from "../payments/payment.ts";

export const REFERENCE_CODE_POINTS_MAX = 255;
export const DESCRIPTION_CODE_POINTS_MAX = 500;
/**
 * No control characters, no white space at either end. Written without \p{…}: some readers of the API's description do
 * not support it.
 */
const REFERENCE =
  /^[^\s\u0000-\u001F\u007F-\u009F](?:[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F])?$/u;

/** The members that a merchant sets and reads under the same names. */
export const MERCHANT_COLUMNS = {
  recipient: column(ADDRESS, {
    says: "The wallet to be paid. Not a token account, a mint or a program.",
    example: PAYMENT_EXAMPLES.recipient,
    schema: { format: "solana-wallet" },
  }),
  amount: digits("numeric", {
    says: "Digits, in the asset's smallest unit, from 1 to 18446744073709551615.",
    example: PAYMENT_EXAMPLES.amount,
    schema: { pattern: AMOUNT.source, format: "uint64" },
  }),
  asset: column(ADDRESS, {
    says: "The mint of an SPL Token or Token-2022 token on this environment's chain.",
    example: PAYMENT_EXAMPLES.asset,
    schema: { format: "solana-mint" },
  }),
  protectionPeriod: word({
    of: PROTECTION_PERIODS,
    says: "The time within which the buyer may dispute once it is paid.",
    example: PAYMENT_EXAMPLES.protectionPeriod,
  }),
  merchantReference: text({
    says: "Your own reference: unique among your open intents, compared exactly. No control characters, no white space at either end.",
    example: PAYMENT_EXAMPLES.merchantReference,
    schema: { minLength: 1, maxLength: REFERENCE_CODE_POINTS_MAX, pattern: REFERENCE.source },
  }),
  metadata: json({
    says: "Anything of yours, returned unchanged: order of members, nesting and the spelling of numbers. No NUL and no lone surrogate in its strings.",
    example: { cart: "c_81" },
    schema: { type: "object", properties: {}, additionalProperties: true },
  }),
  description: nullable(
    text({
      says: "A line for the buyer, shown on the checkout page; null if there is none. Plain text without control characters.",
      example: "Two bags of Yirgacheffe, whole beans",
      schema: { minLength: 1, maxLength: DESCRIPTION_CODE_POINTS_MAX },
    }),
  ),
  // A URL in its normal form holds no blank, and nothing that JSON escapes.
  returnUrl: nullable(
    word({
      says: "The address to which the checkout page's button leads, in its normal form, in place of the business's own; null if there is none. It may have the placeholders `{intentId}` and `{merchantReference}` after the host, which is your proven domain, a name below it, or the host of your return address.",
      example: "https://shop.example/orders/{merchantReference}",
      schema: { minLength: 1, maxLength: 2_048 },
    }),
  ),
  locale: nullable(
    word({
      says: "The language of the buyer's pages, as a BCP 47 tag in its canonical form; null: the buyer's own. Of a language that this service does not have, too, the buyer's own.",
      example: "de",
      schema: { minLength: 2, maxLength: LOCALE_CHARACTERS_MAX },
    }),
  ),
  price: nullable(
    json({
      says: "The price in a currency, from which `amount` was made; null if you gave the amount.",
      schema: { $ref: "#/components/schemas/Price" },
    }),
  ),
};
const QUOTE = nullable(
  json({
    says: "The rate at which the price became `amount`; null without a price. It never changes.",
    schema: { $ref: "#/components/schemas/Quote" },
  }),
);
/** The buyer's address as `AddressSealing` sealed it, which is never shown; null without one. */
const SEALED_EMAIL = named("buyer_email", nullable(word()));
/** The buyer's address as the business's keys see it. */
export const BUYER_EMAIL = nullable(
  text({
    says: "The buyer's email address, to which news of this payment go once the buyer has confirmed it; null if you gave none, and once it was erased. Only your keys see it: events and staff see `hasBuyerEmail`.",
    example: "kim@buyer.example",
    schema: { maxLength: 254 },
  }),
);
const HAS_BUYER_EMAIL = flag({ says: "True if a `buyerEmail` was given.", example: true });
/** Terms with their amount: those of a price have the quote that made it. */
export type NewIntent = FieldsOf<
  typeof MERCHANT_COLUMNS & { readonly quote: typeof QUOTE; readonly sealedEmail: typeof SEALED_EMAIL }
>;
/** The terms that a merchant asks for: an amount, or a price. */
export type AskedIntent = Omit<NewIntent, "amount" | "price" | "quote" | "sealedEmail"> & {
  readonly amount: string | null;
  readonly price: Price | null;
  readonly buyerEmail: string | null;
};

/** A price as it is stored and sent. */
export const showPrice = ({ currency, amount }: Price): string => JSON.stringify({ currency, amount });
export const readPrice = (text: string | null): Price | null => (text === null ? null : (JSON.parse(text) as Price));
export const readQuote = (text: string | null): Quote | null => (text === null ? null : (JSON.parse(text) as Quote));
/** A member of JSON for an object that is not sent as its source text. */
const parsedMember = <Value>(one: Column<Value>, example: object): Column<Value> => ({
  ...one,
  shown: { ...one.shown, example, show: (value) => JSON.parse(value as string) as unknown } as Column<Value>["shown"],
});
export const PARSED_PRICE = parsedMember(MERCHANT_COLUMNS.price, { currency: "USD", amount: "5.00" });
const PARSED_QUOTE = parsedMember(QUOTE, {
  rate: "1",
  source: "par",
  at: "2026-11-01T00:00:00.000Z",
  until: "2027-11-01T00:00:00.000Z",
  spread: "0",
});

/**
 * The members of an intent as the API shows them (§2.1), and their columns. Writers of its state know a few more (see
 * `lockIntent`).
 */
export const INTENT_MEMBERS = {
  businessId: word(),
  id: word({ says: "The intent's id.", example: PAYMENT_EXAMPLES.intentId, schema: { pattern: INTENT_ID.source } }),
  status: word({
    of: INTENT_STATUSES,
    says: "`requires_payment` at first. Past `expiresAt` it reads `expired` at once. An `expired` or `canceled` intent still becomes `paid` when a payment of it is found.",
    example: "requires_payment",
  }),
  ...MERCHANT_COLUMNS,
  quote: QUOTE,
  paymentId: digits("bigint", {
    says: "The number that the payment on chain must carry, 1 to 2^63−1. Keep it a string.",
    example: "8639887721275585902",
    schema: { pattern: "^[1-9][0-9]{0,18}$" },
  }),
  payment: computed(
    nullable(
      json({ says: "The primary payment; set exactly when `paid`.", schema: { $ref: "#/components/schemas/Payment" } }),
    ),
  ),
  environment: environmentWord,
  createdAt: time({ says: "The time of its creation.", example: "2026-11-21T02:58:21.258Z" }),
  // The program's `not_after`.
  expiresAt: time({ says: "After this time it is expired. A whole second.", example: "2026-11-22T02:58:22.000Z" }),
  canceledAt: nullable(
    time({ says: "The time of its cancellation; null if it was not canceled. Stays set if it is paid later." }),
  ),
  checkoutUrl: computed(
    nullable(
      text({
        says: "The hosted checkout's address; set only while `requires_payment`.",
        example: `https://pay.shop-demo.com/pay/i/${PAYMENT_EXAMPLES.intentId}`,
      }),
    ),
  ),
  x402Url: computed(
    nullable(
      text({
        says: "The address at which an agent pays by x402; set only while `requires_payment`.",
        example: `https://pay.shop-demo.com/pay/i/${PAYMENT_EXAMPLES.intentId}/x402`,
      }),
    ),
  ),
  sealedEmail: SEALED_EMAIL,
  hasBuyerEmail: computed(HAS_BUYER_EMAIL),
};
/** The members that the staff's list of intents shows. */
export const LISTED_MEMBERS = {
  ...pick(INTENT_MEMBERS, "id", "status", "recipient", "amount", "asset"),
  price: PARSED_PRICE,
  quote: PARSED_QUOTE,
  ...pick(INTENT_MEMBERS, "protectionPeriod", "merchantReference", "createdAt", "expiresAt", "canceledAt"),
  // An expression in place of a column's name: lists and exports have no address.
  hasBuyerEmail: named("buyer_email is not null", HAS_BUYER_EMAIL),
};
export const INTENTS = table("intents", stored(INTENT_MEMBERS));
export type Intent = FieldsOf<typeof INTENTS.columns>;
export const readIntentRow = rowReader(INTENTS.columns);

export const isReference = (text: string): boolean =>
  REFERENCE.test(text) && [...text].length <= REFERENCE_CODE_POINTS_MAX;

/** A character that is neither white space nor a sign of formatting, such as a zero width space. */
const VISIBLE = /[^\p{Z}\p{Cc}\p{Cf}]/u;

/** A line for the buyer (§2.1): at least one visible character, no control characters, no lone surrogates. */
export const isDescription = (text: string): boolean =>
  VISIBLE.test(text) &&
  text.length <= 2 * DESCRIPTION_CODE_POINTS_MAX &&
  text.isWellFormed() &&
  !/\p{Cc}/u.test(text) &&
  [...text].length <= DESCRIPTION_CODE_POINTS_MAX;

/**
 * §2.3.5: the lifetime of a business's intents. If `minutes` is null, the business sets none, and the deployment's
 * lifetime holds.
 */
export const lifetimeOf = (minutes: number | null, deploymentMs: number): number =>
  minutes === null ? deploymentMs : minutes * 60_000;

/**
 * A new intent. `now` is the database's clock; the intent expires on a whole second, as the program counts, and never after
 * its quote. Throws `unavailable` if the quote has ended.
 */
export function draftIntent(
  tenant: Tenant,
  terms: NewIntent,
  now: Date,
  lifetimeMs: number,
  offered: Offered | null = null,
): Intent {
  const quote = readQuote(terms.quote);
  const until = quote === null ? Number.POSITIVE_INFINITY : Date.parse(quote.until);
  if (until <= now.getTime())
    throw new ApiError("unavailable", "The quote has ended. Retry.", {}, { retryAfterSeconds: 1 });
  if (offered !== null && offered.expiresAt <= now) throw new OfferEndedError("The offer has ended.");
  return {
    ...terms,
    businessId: tenant.businessId,
    environment: tenant.environment,
    id: newIntentId(tenant, now),
    status: "requires_payment",
    paymentId: newPaymentId(),
    createdAt: now,
    expiresAt: new Date(Math.min(Math.ceil((now.getTime() + lifetimeMs) / 1000) * 1000, until)),
    canceledAt: null,
    ...offered,
  };
}

/** An offer has ended before its intent was made. */
export class OfferEndedError extends Error {
  override readonly name = "OfferEndedError";
}

/** What a merchant's server fixed in an offer before the intent of its payment was made (§4.23). */
export type Offered = Pick<Intent, "paymentId" | "expiresAt">;

/** The status that the API shows (§3.1.4): an unpaid intent past `expiresAt` is expired at once, without a job. */
export const statusAt = (intent: Pick<Intent, "status" | "expiresAt">, now: Date): IntentStatus =>
  intent.status === "requires_payment" && now.getTime() > intent.expiresAt.getTime() ? "expired" : intent.status;

export const canCancel = (intent: Intent, now: Date): boolean => statusAt(intent, now) === "requires_payment";

export const missingIntent = (): ApiError =>
  new ApiError(
    "not_found",
    "There is no such payment intent for this key's business and environment. An intent's id begins with pi_.",
  );

/** The hosted checkout's address (§2.1). `checkoutUrl` is the deployment's base, without a trailing slash. */
export const checkoutUrlOf = (checkoutUrl: string, intentId: string): string => `${checkoutUrl}/pay/i/${intentId}`;

/** The address at which an agent pays by x402 (§2.1). */
export const x402UrlOf = (checkoutUrl: string, intentId: string): string =>
  `${checkoutUrlOf(checkoutUrl, intentId)}/x402`;

const show = shower("payment_intent", INTENT_MEMBERS);
/** The intent with its status at `now`, and the members that no column holds. */
function shownAt(intent: Intent, payment: string | null, now: Date, checkoutUrl: string) {
  const status = statusAt(intent, now);
  const isOpen = status === "requires_payment";
  const computed = {
    payment,
    checkoutUrl: isOpen ? checkoutUrlOf(checkoutUrl, intent.id) : null,
    x402Url: isOpen ? x402UrlOf(checkoutUrl, intent.id) : null,
    hasBuyerEmail: intent.sealedEmail !== null,
  };
  return [status === intent.status ? intent : { ...intent, status }, computed] as const;
}

/** §2.1. `payment` is the JSON text of the primary payment, or null; it is set exactly when the status is `paid`. */
export const showIntent = (...shown: Parameters<typeof shownAt>): Fields => show.fields(...shownAt(...shown));
/** {@link showIntent} as JSON text. */
export const showIntentText = (...shown: Parameters<typeof shownAt>): JsonText => show.text(...shownAt(...shown));

/** The intent as events usually show it: its stored status, and its payment as it was made. */
const showUsual = (intent: Intent, primary: Payment | null, checkoutUrl: string): Fields =>
  showIntent(
    intent,
    primary === null ? null : showPaymentText(asMade(primary), primary.createdAt, checkoutUrl),
    intent.createdAt,
    checkoutUrl,
  );

/**
 * §6.6: an intent as its last event showed it. `announced` is the JSON text of the fields that differ from {@link
 * showUsual}; null if none do.
 */
export const showAnnouncedIntent = (
  intent: Intent,
  primary: Payment | null,
  announced: string | null,
  checkoutUrl: string,
): Fields => ({
  ...showUsual(intent, primary, checkoutUrl),
  ...(announced === null ? {} : parseFields(announced)),
});

/** The `announced` of {@link showAnnouncedIntent} for an intent whose last event showed `shown`; null if none is needed. */
export const announcedOfIntent = (
  intent: Intent,
  primary: Payment | null,
  shown: Fields,
  checkoutUrl: string,
): string | null => previousAttributes(shown, showUsual(intent, primary, checkoutUrl));

/** §4.22.1: an intent for its business's keys, with the buyer's address. */
export const showForKeys = (shown: JsonText, intent: Intent, { open }: Pick<AddressSealing, "open">): JsonText =>
  withMembers(shown, { buyerEmail: showText(open(intent.businessId, intent.sealedEmail)) });

/** An intent, with its primary payment once it is paid. */
export interface IntentWithPayment {
  readonly intent: Intent;
  readonly payment: Payment | null;
}

/** §2.1, as JSON text. */
export const showIntentWithPayment = (
  { intent, payment }: IntentWithPayment,
  now: Date,
  checkoutUrl: string,
): JsonText =>
  showIntentText(intent, payment === null ? null : showPaymentText(payment, now, checkoutUrl), now, checkoutUrl);
