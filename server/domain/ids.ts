import { randomBytes, randomFillSync } from "node:crypto";
import { type Column, type Shown, word } from "../lib/columns.ts";
import type { Tenant } from "./callers.ts";
import { ENVIRONMENTS, type Environment } from "./terms.ts";
import { type Kind, matching } from "./values.ts";

/** Base32 by Crockford, in lower case: no letter reads as a digit or another letter. */
export const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";

/** The lowest bits of a number, in base32. */
export function base32(value: number, digits: number): string {
  let text = "";
  for (let shift = 5 * (digits - 1); shift >= 0; shift -= 5) text += BASE32[(value >>> shift) & 31];
  return text;
}

/**
 * A business's tag (§10.3): the last twenty bits of its id, which are random and unique in the deployment, as four digits
 * of base32. So whoever knows the business knows its tag.
 */
export const tagOf = (businessId: string): string => base32(Number.parseInt(businessId.slice(-5), 16), 4);

/**
 * Makes an id's suffix: 48 bits of milliseconds, a 24-bit counter of this process, 56 random bits, as 32 hex digits.
 * Fixed length and ASCII, so within a business text order is creation order (§10.3).
 */
let counter = randomBytes(3).readUIntBE(0, 3) >>> 1;

/** Random bytes for about a thousand ids: a call is dearer than its bytes. */
const pool = Buffer.alloc(8_192);
let used = pool.length;

/** Returns the offset of unused bytes in the pool. */
function takeRandom(bytes: number): number {
  if (used + bytes > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytes;
  return used - bytes;
}

const RANDOM_BYTES = 7;

function randomHex(): string {
  const at = takeRandom(RANDOM_BYTES);
  return pool.toString("hex", at, at + RANDOM_BYTES);
}

/** The latest time and its digits: a busy process makes dozens of ids in one millisecond. */
let latestMs = 0;
let latestDigits = "000000000000";

function timeDigits(ms: number): string {
  if (ms !== latestMs) {
    latestMs = ms;
    latestDigits = ms.toString(16).padStart(12, "0");
  }
  return latestDigits;
}

function suffix(at: Date): string {
  counter = (counter + 1) & 0xffffff;
  return timeDigits(at.getTime()) + counter.toString(16).padStart(6, "0") + randomHex();
}

/** Objects of a business in one environment. Their ids name both. */
const OF_TENANTS = ["pi", "evt", "key", "we", "spo", "dp", "of", "dd", "df", "ff", "pl"] as const;
type TenantPrefix = (typeof OF_TENANTS)[number];

/** The start of the ids of a tenant's objects of one kind. */
const startOf = (prefix: TenantPrefix, { businessId, environment }: Tenant): string =>
  `${prefix}_${environment}_${tagOf(businessId)}`;

const maker = (prefix: TenantPrefix) => (tenant: Tenant, at: Date) => startOf(prefix, tenant) + suffix(at);
export const newIntentId = maker("pi");
export const newEventId = maker("evt");
export const newKeyId = maker("key");
export const newEndpointId = maker("we");
export const newSponsorshipId = maker("spo");
export const newDisputeId = maker("dp");
export const newOfferId = maker("of");
export const newDecisionId = maker("dd");
export const newFileId = maker("df");
export const newFulfillmentId = maker("ff");
export const newLinkId = maker("pl");

export const newBusinessId = (at: Date) => `biz_${suffix(at)}`;
/** Makes the id of one manual resend, or of several that were requested together. */
export const newResendId = (at: Date) => `res_${suffix(at)}`;
export const newUserId = (at: Date) => `usr_${suffix(at)}`;
export const newSessionId = (at: Date) => `ses_${suffix(at)}`;
export const newPasskeyId = (at: Date) => `pk_${suffix(at)}`;
export const newInvitationId = (at: Date) => `inv_${suffix(at)}`;
export const newAuditId = (at: Date) => `aud_${suffix(at)}`;
export const newRequestId = (at: Date) => `req_${suffix(at)}`;

const SUFFIX = "[0-9a-f]{32}";
const START = "(?:test|live)_[0-9a-hjkmnp-tv-z]{4}";

/** The pattern of the ids with a prefix such as `biz`. */
export const idPattern = (prefix: string): string =>
  `^${prefix}_${(OF_TENANTS as readonly string[]).includes(prefix) ? START : ""}${SUFFIX}$`;

/** The ids with a prefix such as `biz`. */
export const idKind = (prefix: string): Kind<string> => matching(new RegExp(idPattern(prefix)), "an id");

/** The end of the ids in examples. */
export const EXAMPLE_SUFFIX = "01a1fc06b1cd6aa165e96a8ab2d2e7fc";

/** A column of ids with a prefix such as `biz`. */
export const idColumn = (prefix: string, shown: Shown<string> = {}): Column<string> =>
  word({ example: `${prefix}_${EXAMPLE_SUFFIX}`, schema: { pattern: idPattern(prefix) }, ...shown });

const firstId =
  (prefix: TenantPrefix) =>
  (tenant: Tenant, at: Date): string =>
    startOf(prefix, tenant) + Math.max(0, at.getTime()).toString(16).padStart(12, "0");
/**
 * Returns a bound in text order: below the ids of all of the tenant's intents created at this time or later, above those of
 * all earlier ones.
 */
export const firstIntentId = firstId("pi");
/** A bound above the ids of all of the tenant's intents. */
export const endOfIntentIds = (tenant: Tenant): string => `${startOf("pi", tenant)}~`;
/** The time in the id of a tenant's intent; null if it is not the tenant's. */
export function timeOfIntentId(tenant: Tenant, id: string): Date | null {
  const start = startOf("pi", tenant);
  return id.startsWith(start) ? new Date(Number.parseInt(id.slice(start.length).slice(0, 12), 16)) : null;
}
/** Returns a bound in text order, like {@link firstIntentId}. */
export const firstEventId = firstId("evt");

const SUFFIX_LENGTH = 32;
/** Makes the id of a delivery from its event and endpoint: one event to one endpoint is one delivery, so it needs no table. */
export const deliveryId = (eventId: string, endpointId: string): string =>
  `del${eventId.slice(eventId.indexOf("_"))}${endpointId.slice(-SUFFIX_LENGTH)}`;

export const DELIVERY_ID = new RegExp(`^del_(${START})(${SUFFIX})(${SUFFIX})$`);
/** Returns the event and the endpoint of a delivery; null if the text is not a delivery's id. */
export function readDeliveryId(id: string): { eventId: string; endpointId: string } | null {
  const [, start, event, endpoint] = DELIVERY_ID.exec(id) ?? [];
  return event === undefined ? null : { eventId: `evt_${start}${event}`, endpointId: `we_${start}${endpoint}` };
}

export const INTENT_ID = new RegExp(idPattern("pi"));
/** Returns true if the text could be an intent's id; any other text is `not_found` without a look-up. */
export const isIntentId = (text: string): boolean => INTENT_ID.test(text);
export const EVENT_ID = new RegExp(idPattern("evt"));
export const isEventId = (text: string): boolean => EVENT_ID.test(text);
export const LINK_ID = new RegExp(idPattern("pl"));
/** Returns true if the text could be a payment link's id. */
export const isLinkId = (text: string): boolean => LINK_ID.test(text);

/** Returns the environment of an id such as `pi_test_…`. */
export function environmentOf(id: string): Environment {
  const marker = id.split("_")[1];
  const environment = ENVIRONMENTS.find((known) => known === marker);
  if (environment === undefined) throw new Error(`The id ${id} carries no environment.`);
  return environment;
}

/** Makes a payment id for the chain: uniformly random in 1 … 2^63−1, as digits (never a JS number). */
export function newPaymentId(): string {
  for (let tries = 0; tries < 8; tries++) {
    const id = pool.readBigUInt64LE(takeRandom(8)) & 0x7fff_ffff_ffff_ffffn;
    if (id !== 0n) return id.toString();
  }
  throw new Error("The random source gave zero eight times.");
}

/** The spelling of 128 bits in base64url. */
export const TERMS_NONCE = /^[A-Za-z0-9_-]{21}[AQgw]$/;
/** Makes 128 random bits for a terms text (§4.13.2). */
export const newTermsNonce = (): string => randomBytes(16).toString("base64url");
/** Makes the key of a payment's receipt (§2.2): 128 random bits in base64url. */
export const newReceiptKey = (): string => randomBytes(16).toString("base64url");
