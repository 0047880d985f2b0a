import type { Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { newIntentId, newPaymentId } from "../../domain/ids.ts";
import {
  type Fields,
  type JsonText,
  parseFields,
  previousAttributes,
  showFields,
  showText,
  showTime,
} from "../../domain/show.ts";
import type { Environment, IntentStatus, ProtectionPeriod } from "../../domain/terms.ts";
import { digits, type FieldsOf, nullable, rowReader, text, time, word } from "../../lib/columns.ts";
import { asMade, type Payment, showPayment } from "../payments/payment.ts";

/** What the merchant gives, and gets back under the same names. */
const MERCHANT_COLUMNS = {
  recipient: word(),
  amount: digits("numeric"),
  asset: word(),
  protectionPeriod: word<ProtectionPeriod>(),
  merchantReference: text(),
  /** JSON source text of an object, as the merchant sent it. */
  metadata: text(),
};
export type NewIntent = FieldsOf<typeof MERCHANT_COLUMNS>;

/** The columns of `intents` that readers see. Writers of its state know a few more (see `lockIntent`). */
export const INTENT_COLUMNS = {
  businessId: word(),
  environment: word<Environment>(),
  id: word(),
  status: word<IntentStatus>(),
  ...MERCHANT_COLUMNS,
  /** 1 … 2^63−1. */
  paymentId: digits("bigint"),
  createdAt: time(),
  /** A whole second: the program's `not_after`. */
  expiresAt: time(),
  canceledAt: nullable(time()),
};
export type Intent = FieldsOf<typeof INTENT_COLUMNS>;
export const readIntentRow = rowReader(INTENT_COLUMNS);

export const REFERENCE_CODE_POINTS_MAX = 255;
/** No control characters, no white space at either end. Spelled without \p{…}, which not every reader of the API's description knows. */
export const REFERENCE =
  /^[^\s\u0000-\u001F\u007F-\u009F](?:[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F])?$/u;

export const isReference = (text: string): boolean =>
  REFERENCE.test(text) && [...text].length <= REFERENCE_CODE_POINTS_MAX;

/** §2.3.5: the lifetime that a business sets for its intents; null: it sets none, and the deployment's holds. */
export const lifetimeOf = (minutes: number | null, deploymentMs: number): number =>
  minutes === null ? deploymentMs : minutes * 60_000;

/** A new intent. `now` is the database's clock; the intent expires on a whole second, as the program counts. */
export function draftIntent(tenant: Tenant, terms: NewIntent, now: Date, lifetimeMs: number): Intent {
  return {
    ...terms,
    businessId: tenant.businessId,
    environment: tenant.environment,
    id: newIntentId(tenant.environment, now),
    status: "requires_payment",
    paymentId: newPaymentId(),
    createdAt: now,
    expiresAt: new Date(Math.ceil((now.getTime() + lifetimeMs) / 1000) * 1000),
    canceledAt: null,
  };
}

/** The status as it is shown (§3.1.4): an unpaid intent past `expiresAt` is expired at once, without a job. */
export const statusAt = (intent: Pick<Intent, "status" | "expiresAt">, now: Date): IntentStatus =>
  intent.status === "requires_payment" && now.getTime() > intent.expiresAt.getTime() ? "expired" : intent.status;

export const canCancel = (intent: Intent, now: Date): boolean => statusAt(intent, now) === "requires_payment";

export const missingIntent = (): ApiError =>
  new ApiError(
    "not_found",
    "There is no such payment intent for this key's business and environment. An intent's id begins with pi_.",
  );

/** The hosted checkout's address (§2.1). `checkoutUrl` is the deployment's base, without a trailing slash. */
const checkoutUrlOf = (checkoutUrl: string, intentId: string): string => `${checkoutUrl}/pay/i/${intentId}`;

/** §2.1. `payment` is the JSON text of the primary payment, or null; it is set exactly when the status is `paid`. */
export function showIntent(intent: Intent, payment: string | null, now: Date, checkoutUrl: string): Fields {
  const status = statusAt(intent, now);
  return {
    object: '"payment_intent"',
    id: `"${intent.id}"`,
    status: `"${status}"`,
    recipient: `"${intent.recipient}"`,
    amount: `"${intent.amount}"`,
    asset: `"${intent.asset}"`,
    protectionPeriod: `"${intent.protectionPeriod}"`,
    merchantReference: showText(intent.merchantReference),
    metadata: intent.metadata,
    paymentId: `"${intent.paymentId}"`,
    payment: payment ?? "null",
    environment: `"${intent.environment}"`,
    createdAt: showTime(intent.createdAt),
    expiresAt: showTime(intent.expiresAt),
    canceledAt: showTime(intent.canceledAt),
    checkoutUrl: status === "requires_payment" ? showText(checkoutUrlOf(checkoutUrl, intent.id)) : "null",
  } satisfies Record<Exclude<keyof Intent, "businessId">, string> & Fields;
}

/** An intent as events show it where nothing else is known: by its stored status, with its payment as it was made. */
const showUsual = (intent: Intent, primary: Payment | null, checkoutUrl: string): Fields =>
  showIntent(
    intent,
    primary === null ? null : showFields(showPayment(asMade(primary), primary.createdAt)),
    intent.createdAt,
    checkoutUrl,
  );

/** §6.6: an intent as its last event showed it. `announced` is the text of those fields that it showed otherwise than usual; null: none. */
export const showAnnouncedIntent = (
  intent: Intent,
  primary: Payment | null,
  announced: string | null,
  checkoutUrl: string,
): Fields => ({
  ...showUsual(intent, primary, checkoutUrl),
  ...(announced === null ? {} : parseFields(announced)),
});

/** The text that {@link showAnnouncedIntent} needs for an intent whose last event showed this; null if it needs none. */
export const announcedOfIntent = (
  intent: Intent,
  primary: Payment | null,
  shown: Fields,
  checkoutUrl: string,
): string | null => previousAttributes(shown, showUsual(intent, primary, checkoutUrl));

/** An intent and, once it is paid, its primary payment. */
export interface IntentWithPayment {
  readonly intent: Intent;
  readonly payment: Payment | null;
}

/** §2.1, as it is sent. */
export const showIntentWithPayment = (
  { intent, payment }: IntentWithPayment,
  now: Date,
  checkoutUrl: string,
): JsonText =>
  showFields(showIntent(intent, payment === null ? null : showFields(showPayment(payment, now)), now, checkoutUrl));
