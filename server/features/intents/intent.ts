import { isWalletAddress } from "../../domain/addresses.ts";
import type { Tenant } from "../../domain/callers.ts";
import { invalid } from "../../domain/errors.ts";
import { newIntentId, newPaymentId } from "../../domain/ids.ts";
import type { JsonMember, JsonObject } from "../../domain/json.ts";
import { isAmount } from "../../domain/money.ts";
import { type Fields, showText, showTime } from "../../domain/show.ts";
import { type Environment, PROTECTION_PERIODS, type ProtectionPeriod, type Terms } from "../../domain/terms.ts";

/** §2.1 and the states of the contract. `expired` is stored once announced, and shown from the first millisecond past `expiresAt`. */
export const INTENT_STATUSES = ["requires_payment", "paid", "expired", "canceled"] as const;
export type IntentStatus = (typeof INTENT_STATUSES)[number];

export interface Intent extends Tenant, Terms {
  readonly id: string;
  readonly status: IntentStatus;
  readonly merchantReference: string;
  /** JSON source text of an object, as the merchant sent it. */
  readonly metadata: string;
  /** 1 … 2^63−1, as digits. */
  readonly paymentId: string;
  readonly createdAt: Date;
  /** A whole second: the program's `not_after`. */
  readonly expiresAt: Date;
  readonly canceledAt: Date | null;
}

export type NewIntent = Terms & Pick<Intent, "merchantReference" | "metadata">;

export const REFERENCE_CODE_POINTS_MAX = 255;
/** No control characters, no white space at either end. Spelled without \p{…}, which not every reader of the API's description knows. */
export const REFERENCE =
  /^[^\s\u0000-\u001F\u007F-\u009F](?:[^\u0000-\u001F\u007F-\u009F]*[^\s\u0000-\u001F\u007F-\u009F])?$/u;

/** Reads the body of create (§4.1): the first wrong field in the document's order is the one reported. */
export function readNewIntent(body: JsonObject): NewIntent {
  const intent: NewIntent = {
    recipient: readAddress(body, "recipient", "a Solana wallet address (base58 of 32 bytes)"),
    amount: readAmount(body),
    asset: readAddress(body, "asset", "the address of a token mint (base58 of 32 bytes)"),
    protectionPeriod: readPeriod(body),
    merchantReference: readReference(body),
    metadata: readMetadata(body.get("metadata")),
  };
  for (const name of body.keys())
    if (!FIELDS.has(name)) throw invalid(name, `Unknown field. Create takes ${[...FIELDS].join(", ")}.`);
  return intent;
}
const FIELDS = new Set(["recipient", "amount", "asset", "protectionPeriod", "merchantReference", "metadata"]);

function readString(body: JsonObject, name: string, expected: string): string {
  const member = body.get(name);
  if (member === undefined) throw invalid(name, `Required: ${expected}.`);
  if (typeof member.value !== "string") throw invalid(name, `Expected a JSON string: ${expected}.`);
  if (member.unstorable)
    throw invalid(name, "The string holds an escaped NUL (\\u0000) or half of a surrogate pair. Leave it out.");
  return member.value;
}

function readAddress(body: JsonObject, name: string, expected: string): string {
  const text = readString(body, name, expected);
  if (!isWalletAddress(text)) throw invalid(name, `Expected ${expected}.`);
  return text;
}

function readAmount(body: JsonObject): string {
  const expected = 'digits in the asset\'s smallest unit, such as "1500000", from 1 to 18446744073709551615';
  const text = readString(body, "amount", expected);
  if (!isAmount(text)) throw invalid("amount", `Expected ${expected}.`);
  return text;
}

function readPeriod(body: JsonObject): ProtectionPeriod {
  const expected = `one of ${PROTECTION_PERIODS.join(", ")}`;
  const text = readString(body, "protectionPeriod", expected);
  const period = PROTECTION_PERIODS.find((known) => known === text);
  if (period === undefined) throw invalid("protectionPeriod", `Expected ${expected}.`);
  return period;
}

function readReference(body: JsonObject): string {
  const expected = `1 to ${REFERENCE_CODE_POINTS_MAX} characters without control characters and without white space at either end`;
  const text = readString(body, "merchantReference", expected);
  if (!REFERENCE.test(text) || [...text].length > REFERENCE_CODE_POINTS_MAX)
    throw invalid("merchantReference", `Expected ${expected}.`);
  return text;
}

function readMetadata(member: JsonMember | undefined): string {
  if (member === undefined) return "{}";
  if (!member.text.startsWith("{"))
    throw invalid("metadata", 'Expected a JSON object, such as {"cart": "c_81"}; leave it out for none.');
  if (member.unstorable)
    throw invalid(
      "metadata",
      "A string in it holds an escaped NUL (\\u0000) or half of a surrogate pair. Leave it out.",
    );
  return member.text;
}

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

/** What a reader is told: unpaid past `expiresAt` is expired at once, without a job. */
export const statusAt = (intent: Pick<Intent, "status" | "expiresAt">, now: Date): IntentStatus =>
  intent.status === "requires_payment" && now.getTime() > intent.expiresAt.getTime() ? "expired" : intent.status;

export const canCancel = (intent: Intent, now: Date): boolean => statusAt(intent, now) === "requires_payment";

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
  };
}

/** An intent's row as PostgreSQL returns it. */
export interface IntentRow {
  business_id: string;
  id: string;
  environment: Environment;
  status: IntentStatus;
  recipient: string;
  amount: string;
  asset: string;
  protection_period: ProtectionPeriod;
  merchant_reference: string;
  metadata: string;
  payment_id: string;
  created_at: Date;
  expires_at: Date;
  canceled_at: Date | null;
}

export const readIntentRow = (row: IntentRow): Intent => ({
  businessId: row.business_id,
  id: row.id,
  environment: row.environment,
  status: row.status,
  recipient: row.recipient,
  amount: row.amount,
  asset: row.asset,
  protectionPeriod: row.protection_period,
  merchantReference: row.merchant_reference,
  metadata: row.metadata,
  paymentId: row.payment_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  canceledAt: row.canceled_at,
});
