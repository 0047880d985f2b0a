import { type FieldsOf, named, nullable, other, table, text, time, word } from "../../../lib/columns.ts";
import type { ProofAct } from "./texts.ts";

export const PROOF_WAYS = ["message", "transaction", "memo"] as const;
/**
 * The ways in which a wallet proves itself (§16.2): a signed message, a transaction that is never sent, a memo on chain.
 */
export type ProofWay = (typeof PROOF_WAYS)[number];

/** A challenge belongs to the browser that asked for it, and is used once. */
export const CHALLENGES = table("dispute_challenges", {
  businessId: word(),
  nonce: word(),
  payment: named("payment_address", word()),
  wallet: word(),
  browser: other<Buffer>("bytea"),
  way: word<ProofWay>(),
  act: word<ProofAct["kind"]>(),
  /** The text to sign. */
  text: text(),
  createdAt: time(),
  expiresAt: time(),
  usedAt: nullable(time()),
});
export type Challenge = FieldsOf<typeof CHALLENGES.columns>;

/** A session reads and writes the texts of one payment's dispute in one browser. It binds nothing. */
export const DISPUTE_SESSIONS = table("dispute_sessions", {
  businessId: word(),
  id: word(),
  payment: named("payment_address", word()),
  tokenHash: other<Buffer>("bytea"),
  wallet: word(),
  way: word<ProofWay>(),
  createdAt: time(),
  expiresAt: time(),
  endedAt: nullable(time()),
  userAgent: text(),
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
