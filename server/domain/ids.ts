import { randomBytes, randomFillSync } from "node:crypto";
import { type Column, type Shown, word } from "../lib/columns.ts";
import { ENVIRONMENTS, type Environment } from "./terms.ts";

/**
 * Makes an id's suffix: 48 bits of milliseconds, a 24-bit counter of this process, 56 random bits, as 32 hex digits.
 * Fixed length and ASCII, so text order is creation order (§10.3).
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

export const newIntentId = (environment: Environment, at: Date) => `${intentIdStart(environment)}${suffix(at)}`;
export const newEventId = (environment: Environment, at: Date) => `evt_${environment}_${suffix(at)}`;
export const newBusinessId = (at: Date) => `biz_${suffix(at)}`;
export const newKeyId = (at: Date) => `key_${suffix(at)}`;
export const newEndpointId = (at: Date) => `we_${suffix(at)}`;
/** Makes the id of one manual resend, or of several that were requested together. */
export const newResendId = (at: Date) => `res_${suffix(at)}`;
export const newUserId = (at: Date) => `usr_${suffix(at)}`;
export const newSessionId = (at: Date) => `ses_${suffix(at)}`;
export const newPasskeyId = (at: Date) => `pk_${suffix(at)}`;
export const newInvitationId = (at: Date) => `inv_${suffix(at)}`;
export const newAuditId = (at: Date) => `aud_${suffix(at)}`;
export const newSponsorshipId = (at: Date) => `spo_${suffix(at)}`;
export const newDisputeId = (environment: Environment, at: Date) => `dp_${environment}_${suffix(at)}`;
export const newOfferId = (at: Date) => `of_${suffix(at)}`;
export const newDecisionId = (at: Date) => `dd_${suffix(at)}`;
export const newFileId = (at: Date) => `df_${suffix(at)}`;
export const newFulfillmentId = (at: Date) => `ff_${suffix(at)}`;
export const newRequestId = (at: Date) => `req_${suffix(at)}`;

/** The end of the ids in examples. */
export const EXAMPLE_SUFFIX = "01a1fc06b1cd6aa165e96a8ab2d2e7fc";

/** A column of ids with a prefix such as `biz`. */
export const idColumn = (prefix: string, shown: Shown<string> = {}): Column<string> =>
  word({ example: `${prefix}_${EXAMPLE_SUFFIX}`, schema: { pattern: `^${prefix}_[0-9a-f]{32}$` }, ...shown });

/** The start of the ids of an environment's intents. */
export const intentIdStart = (environment: Environment): string => `pi_${environment}_`;

/**
 * Returns a bound in text order: below the ids of all intents created at this time or later, above those of all earlier
 * ones.
 */
export const firstIntentId = (environment: Environment, at: Date): string =>
  `${intentIdStart(environment)}${Math.max(0, at.getTime()).toString(16).padStart(12, "0")}`;

const SUFFIX_LENGTH = 32;
/** Makes the id of a delivery from its event and endpoint: one event to one endpoint is one delivery, so it needs no table. */
export const deliveryId = (eventId: string, endpointId: string): string =>
  `del_${eventId.slice(-SUFFIX_LENGTH)}${endpointId.slice(-SUFFIX_LENGTH)}`;

const DELIVERY_ID = /^del_([0-9a-f]{32})([0-9a-f]{32})$/;
/** Returns the event and the endpoint of a delivery; null if the text is not a delivery's id. */
export function readDeliveryId(id: string, environment: Environment): { eventId: string; endpointId: string } | null {
  const [, event, endpoint] = DELIVERY_ID.exec(id) ?? [];
  return event === undefined ? null : { eventId: `evt_${environment}_${event}`, endpointId: `we_${endpoint}` };
}

/** Returns a bound in text order, like {@link firstIntentId}. */
export const firstEventId = (environment: Environment, at: Date): string =>
  `evt_${environment}_${Math.max(0, at.getTime()).toString(16).padStart(12, "0")}`;

export const INTENT_ID = /^pi_(?:test|live)_[0-9a-f]{32}$/;
/** Returns true if the text could be an intent's id; any other text is `not_found` without a look-up. */
export const isIntentId = (text: string): boolean => INTENT_ID.test(text);
export const EVENT_ID = /^evt_(?:test|live)_[0-9a-f]{32}$/;
export const isEventId = (text: string): boolean => EVENT_ID.test(text);

/** Returns the environment of an id such as `pi_test_…`. */
export function environmentOf(id: string): Environment {
  const marker = id.split("_")[1];
  const environment = ENVIRONMENTS.find((known) => known === marker);
  if (environment === undefined) throw new Error(`The id ${id} carries no environment.`);
  return environment;
}

export const newLinkId = (environment: Environment, at: Date) => `pl_${environment}_${suffix(at)}`;
export const LINK_ID = /^pl_(?:test|live)_[0-9a-f]{32}$/;
/** Returns true if the text could be a payment link's id. */
export const isLinkId = (text: string): boolean => LINK_ID.test(text);

/** Makes a payment id for the chain: uniformly random in 1 … 2^63−1, as digits (never a JS number). */
export function newPaymentId(): string {
  for (let tries = 0; tries < 8; tries++) {
    const id = pool.readBigUInt64LE(takeRandom(8)) & 0x7fff_ffff_ffff_ffffn;
    if (id !== 0n) return id.toString();
  }
  throw new Error("The random source gave zero eight times.");
}

/** Makes 128 random bits for a terms text (§4.13.2). */
export const newTermsNonce = (): string => randomBytes(16).toString("base64url");
/** Makes the key of a payment's receipt (§2.2): 128 random bits in base64url. */
export const newReceiptKey = (): string => randomBytes(16).toString("base64url");
