import { EXAMPLE_SUFFIX } from "../../../domain/ids.ts";
import { type FieldsOf, named, nullable, other, table, text, time, word } from "../../../lib/columns.ts";
import type { ProofAct } from "./texts.ts";

export const PROOF_WAYS = ["message", "transaction", "memo"] as const;
/**
 * The ways in which a wallet proves itself (§16.2): a signed message, a transaction that is never sent, a memo on chain.
 */
export type ProofWay = (typeof PROOF_WAYS)[number];

/** The nonces of used challenges, until these end: each is used once. */
export const USED_CHALLENGES = table("dispute_challenges", {
  businessId: word(),
  nonce: word(),
  payment: named("payment_address", word()),
  expiresAt: time(),
});

/** A challenge that the wallet signed. */
export interface Challenge extends FieldsOf<typeof USED_CHALLENGES.columns> {
  readonly wallet: string;
  readonly way: ProofWay;
  /** The text to sign. */
  readonly text: string;
}

/** What a challenge is for, as its nonce says it: `browser` is the hash of that browser's secret. */
export const factsOf = (
  { payment, sender }: { readonly payment: string; readonly sender: string },
  way: ProofWay,
  act: ProofAct["kind"],
  browser: Buffer,
): string[] => ["dispute", payment, sender, browser.toString("hex"), way, act];

/** A session reads and writes the texts of one payment's dispute in one browser. It binds nothing. */
export const DISPUTE_SESSIONS = table("dispute_sessions", {
  businessId: word(),
  id: word({ says: "Its id.", example: `ses_${EXAMPLE_SUFFIX}` }),
  payment: named("payment_address", word()),
  tokenHash: other<Buffer>("bytea"),
  wallet: word(),
  way: word({ of: PROOF_WAYS, says: "The way in which the wallet proved itself.", example: "message" }),
  createdAt: time({ says: "The time of the proof.", example: "2026-11-21T03:12:44.018Z" }),
  expiresAt: time({ says: "The time at which it ends.", example: "2026-12-21T03:12:44.018Z" }),
  endedAt: nullable(time()),
  userAgent: text({ says: "The browser, as it names itself.", example: "Firefox" }),
});
export type DisputeSession = FieldsOf<typeof DISPUTE_SESSIONS.columns>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A memo on chain may need several signers of a smart wallet, who meet over days. */
export const challengeMsOf = (way: ProofWay): number => (way === "memo" ? 7 * DAY_MS : 10 * MINUTE_MS);
export const SESSION_MS = 30 * DAY_MS;
/** Sessions of a payment at a time: a further one ends the oldest. */
export const SESSIONS_MAX = 20;
export const USER_AGENT_CHARACTERS_MAX = 200;
