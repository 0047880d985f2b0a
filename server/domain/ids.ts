import { randomBytes, randomFillSync } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Column, type Shown, word } from "../lib/columns.ts";
import { ENVIRONMENTS, type Environment } from "./terms.ts";

/** The number of cells at most; cell 0 is always there. */
export const CELLS_MAX = 64;

/**
 * Makes an id's suffix: 48 bits of milliseconds, a 24-bit counter of this process, 50 random bits and 6 of the cell, as 32
 * hex digits. Fixed length and ASCII, so text order is creation order (§10.3).
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

/** Random digits, the last bits of which are the cell's. */
function randomHex(cell: number): string {
  const at = takeRandom(RANDOM_BYTES);
  const last = at + RANDOM_BYTES - 1;
  pool[last] = (pool[last]! & ~(CELLS_MAX - 1)) | cell;
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

function start(at: Date): string {
  counter = (counter + 1) & 0xffffff;
  return timeDigits(at.getTime()) + counter.toString(16).padStart(6, "0");
}

const suffix = (at: Date, cell = 0): string => start(at) + randomHex(cell);

const CHECK_LENGTH = 8;
const checkDigits = (text: string): string => crc32(text).toString(16).padStart(CHECK_LENGTH, "0");

/**
 * Makes a business's id. It names its cell beyond doubt, by a checksum: the id of a business made before there were cells
 * ends in random digits, and leads to cell 0.
 */
export function newBusinessId(at: Date, cell = 0): string {
  if (cell === 0) return `biz_${suffix(at)}`;
  const id = `biz_${start(at)}${randomHex(cell).slice(CHECK_LENGTH)}`;
  return id + checkDigits(id);
}

const BUSINESS_ID = /^(biz_[0-9a-f]{22}([0-9a-f]{2}))([0-9a-f]{8})$/;

/** Returns the cell of a business; every other text leads to cell 0. */
export function cellOfBusiness(id: string): number {
  const [, text, cell, check] = BUSINESS_ID.exec(id) ?? [];
  return text !== undefined && checkDigits(text) === check ? cellDigits(cell!) : 0;
}

const cellDigits = (text: string): number => Number.parseInt(text, 16) % CELLS_MAX;

/**
 * Returns the cell to which an id without a business leads, such as an intent's. Ids that are older than the cells have
 * random digits there and lie in cell 0: what a cell does not have is asked in cell 0.
 */
export const cellOf = (id: string): number => (ID.test(id) ? cellDigits(id.slice(-2)) : 0);
const ID = /^[a-z]+(?:_test|_live)?_[0-9a-f]{32}$/;

export const newIntentId = (environment: Environment, at: Date, cell = 0) =>
  `${intentIdStart(environment)}${suffix(at, cell)}`;
export const newEventId = (environment: Environment, at: Date) => `evt_${environment}_${suffix(at)}`;
export const newKeyId = (at: Date, cell = 0) => `key_${suffix(at, cell)}`;
export const newEndpointId = (at: Date, cell = 0) => `we_${suffix(at, cell)}`;
/** Makes the id of one manual resend, or of several that were requested together. */
export const newResendId = (at: Date) => `res_${suffix(at)}`;
export const newUserId = (at: Date) => `usr_${suffix(at)}`;
export const newSessionId = (at: Date) => `ses_${suffix(at)}`;
export const newPasskeyId = (at: Date) => `pk_${suffix(at)}`;
export const newInvitationId = (at: Date) => `inv_${suffix(at)}`;
export const newAuditId = (at: Date) => `aud_${suffix(at)}`;
export const newSponsorshipId = (at: Date) => `spo_${suffix(at)}`;
export const newDisputeId = (environment: Environment, at: Date, cell = 0) => `dp_${environment}_${suffix(at, cell)}`;
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

export const newLinkId = (environment: Environment, at: Date, cell = 0) => `pl_${environment}_${suffix(at, cell)}`;
export const LINK_ID = /^pl_(?:test|live)_[0-9a-f]{32}$/;
/** Returns true if the text could be a payment link's id. */
export const isLinkId = (text: string): boolean => LINK_ID.test(text);

const PAYMENT_ID_MASK = 0x7fff_ffff_ffff_ffffn;
/** Below the six upper bits of 63. */
const CELL_SHIFT = 57n;

/**
 * Makes a payment id for the chain: uniformly random in 1 … 2^63−1, as digits (never a JS number). In a cell other than 0
 * its upper bits are the cell's.
 */
export function newPaymentId(cell = 0): string {
  for (let tries = 0; tries < 8; tries++) {
    const id = pool.readBigUInt64LE(takeRandom(8)) & PAYMENT_ID_MASK;
    if (id !== 0n) return (cell === 0 ? id : (id % (1n << CELL_SHIFT)) | (BigInt(cell) << CELL_SHIFT)).toString();
  }
  throw new Error("The random source gave zero eight times.");
}

/** Returns the cell to which a payment id leads; cell 0 has such ids too, as all of its own are random. */
export const cellOfPaymentId = (paymentId: string): number => Number(BigInt(paymentId) >> CELL_SHIFT);

/** Makes 128 random bits for a terms text (§4.13.2). */
export const newTermsNonce = (): string => randomBytes(16).toString("base64url");
/** Makes the key of a payment's receipt (§2.2): 128 random bits in base64url. */
export const newReceiptKey = (): string => randomBytes(16).toString("base64url");
