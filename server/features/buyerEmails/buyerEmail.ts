import { createHmac, timingSafeEqual } from "node:crypto";
import { isPaidOut } from "../../chain/acts.ts";
import type { BuyerNotice } from "../emails/email.ts";
import type { Intent } from "../intents/intent.ts";
import type { Payment } from "../payments/payment.ts";

/** Emails to buyers about their payments (§4.22). Pure. */

/** The days of an address: after the expiry of an unpaid intent, and after the end of a payment. */
const UNPAID_DAYS = 30;
const PAID_DAYS = 365;
const DAY_MS = 86_400_000;

/** The time at which the address of an intent is erased; null while its payment has not ended. */
export function eraseAtOf({ expiresAt }: Pick<Intent, "expiresAt">, payment: Payment | null): Date | null {
  if (payment === null) return new Date(expiresAt.getTime() + UNPAID_DAYS * DAY_MS);
  if (!isPaidOut(payment)) return null;
  const ends = [payment.settledAt, payment.refundedAt].map((end) => end?.getTime() ?? 0);
  return new Date(Math.max(...ends) + PAID_DAYS * DAY_MS);
}

/** The earliest day of erasure that an email can name. */
export const eraseFrom = (payment: Payment): Date =>
  new Date(Math.max(payment.protectionDeadline.getTime(), payment.settledAt?.getTime() ?? 0) + PAID_DAYS * DAY_MS);

/** True while the buyer can open a dispute. */
export const canObject = (payment: Payment, now: Date): boolean =>
  payment.status === "protected" && payment.outcome === null && payment.protectionDeadline > now;

/** True while a notice still tells what holds. */
export const holdsNotice = (kind: BuyerNotice, payment: Payment, now: Date): boolean =>
  kind !== "deadline" || canObject(payment, now);

const MAC_BYTES = 16;
const HASH_BYTES = 32;
const KEY = /^[A-Za-z0-9_-]{64}$/;

/** The hash that names a mailbox, whatever the case of its address. */
export const hashMailbox = (secret: Buffer, address: string): Buffer =>
  createHmac("sha256", secret).update(`mailbox ${address.toLowerCase()}`).digest();

/** The mailbox without what follows a plus in its address: providers deliver both to one person. */
export const hashPerson = (secret: Buffer, address: string): Buffer =>
  hashMailbox(secret, address.replace(/^([^+@]+)\+[^@]*@/, "$1@"));

const macOf = (secret: Buffer, hash: Buffer): Buffer =>
  createHmac("sha256", secret).update("page ").update(hash).digest().subarray(0, MAC_BYTES);

/** The key of a mailbox's page: only emails to it carry one. */
export const keyOfMailbox = (secret: Buffer, hash: Buffer): string =>
  Buffer.concat([hash, macOf(secret, hash)]).toString("base64url");

/** The hash of the mailbox whose page a key opens; null if it opens none. */
export function readMailboxKey(secret: Buffer, key: string): Buffer | null {
  if (!KEY.test(key)) return null;
  const bytes = Buffer.from(key, "base64url");
  const [hash, mac] = [bytes.subarray(0, HASH_BYTES), bytes.subarray(HASH_BYTES)];
  return timingSafeEqual(mac, macOf(secret, hash)) ? hash : null;
}

/** The consent of a mailbox, as its page shows it; null: neither was given. */
export type Consent = "confirmed" | "stopped" | null;

/** The languages that an order asks for: its own, and the business's. */
interface OrderLanguages {
  readonly locale: string | null;
  readonly business: string | null;
}

/** What the pages of buyers can do with mailboxes (§4.22). */
export interface Mailboxes {
  /** `undefined`: the key opens no page. */
  find(key: string): Promise<Consent | undefined>;
  /** Returns false if the key opens no page. */
  set(key: string, consent: "confirmed" | "stopped"): Promise<boolean>;
  /** Returns null if there is no such intent. */
  languagesOf(intentId: string): Promise<OrderLanguages | null>;
  /** Enters the address of a paid intent. Returns false if it has no payment, or an address that stays. */
  enter(intentId: string, address: string): Promise<boolean>;
}
