import { createHash } from "node:crypto";
import { isMemo, type PlainInstruction } from "../../../chain/acts.ts";
import { readDeadline } from "../../../chain/port.ts";
import { isPlainKey, isSignature } from "../../../domain/addresses.ts";
import { newSessionId } from "../../../domain/ids.ts";
import { newNonce, readNonce } from "../../../domain/nonces.ts";
import { newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Environment } from "../../../domain/terms.ts";
import { BuyerError, type Refusals } from "../../../edge/buyer/error.ts";
import type { Db } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { noDispute } from "../refusals.ts";
import {
  type Challenge,
  challengeMsOf,
  type DisputeSession,
  factsOf,
  PROOF_WAYS,
  type ProofWay,
  SESSION_MS,
  USER_AGENT_CHARACTERS_MAX,
} from "./challenge.ts";
import { fetchLandedMemo } from "./landedMemo.ts";
import { findProvableByAddress, findSession, openSession, type ProvablePayment, useChallenge } from "./queries.ts";
import { isSignedBy, parseBase64 } from "./signature.ts";
import { type ProofAct, type ProofPlace, proofText } from "./texts.ts";

/** The payment at an address. Throws `not_found` for one that is bound to no order, too: it has no dispute. */
export async function requireProvable({ database }: Context, address: string) {
  const payment = await findProvableByAddress(database, address);
  if (payment === null) throw noDispute();
  return payment;
}

const hashOf = (secret: string): Buffer => createHash("sha256").update(secret, "utf8").digest();

/** What a wallet is asked to sign, by the way. */
export interface AskedProof {
  readonly nonce: string;
  readonly expiresAt: Date;
  readonly text: string;
  readonly transaction: string | null;
  readonly instructions: readonly PlainInstruction[] | null;
}

const placeOf = ({ checkoutUrl }: Context, { genesisHash, operator, payment }: ProvablePayment): ProofPlace => ({
  host: new URL(checkoutUrl).host,
  genesisHash,
  operator,
  payment,
});

interface AskOptions {
  readonly way: ProofWay;
  readonly act: ProofAct;
  readonly browserSecret: string;
}

/** Makes a challenge for the browser that holds the secret. Nothing of it is kept. */
export async function askProof(
  ctx: Context,
  payment: ProvablePayment,
  { way, act, browserSecret }: AskOptions,
): Promise<AskedProof> {
  const { environment, now, sender: wallet, nonceSecret } = payment;
  if (way !== "memo" && !isPlainKey(wallet))
    throw new BuyerError("invalid_request", (texts) => texts.dispute.smartWallet);
  const expiresAt = new Date(Math.floor((now.getTime() + challengeMsOf(way)) / 1_000) * 1_000);
  const nonce = newNonce(nonceSecret, factsOf(payment, way, act.kind, hashOf(browserSecret)), expiresAt);
  const text = proofText(placeOf(ctx, payment), act, { nonce, expiresAt });
  const command = { account: wallet, text };
  const built = way === "message" ? null : await ctx.chainOf(environment).builder.buildMemo(command, readDeadline());
  return {
    ...{ nonce, expiresAt, text },
    transaction: built?.transaction ?? null,
    instructions: built?.instructions ?? null,
  };
}

/** The proof of a request, not checked yet. */
interface GivenProof {
  readonly nonce: string | null;
  readonly signature: string | null;
  readonly transaction: string | null;
  /** The signature of the landed transaction with the memo. */
  readonly landed: string | null;
}

/** A challenge whose text the wallet signed, and its evidence. */
interface CheckedProof {
  readonly challenge: Challenge;
  readonly evidence: string;
}

const refused = (reason: keyof Refusals["proofs"]): BuyerError =>
  new BuyerError("proof_refused", (texts) => texts.proofs[reason]);

/**
 * Checks that the buyer's wallet signed a challenge of this browser for an act as it is now. Returns the challenge, to be
 * used up with what it is for, and the evidence. Throws `proof_refused`.
 */
export async function checkProof(
  ctx: Context,
  payment: ProvablePayment,
  given: GivenProof,
  { act, browserSecret }: { readonly act: ProofAct; readonly browserSecret: string | null },
): Promise<CheckedProof> {
  const { sender: wallet, businessId, nonceSecret, now } = payment;
  const nonce = given.nonce ?? "";
  if (browserSecret === null) throw refused("outdated");
  for (const way of PROOF_WAYS) {
    const expiresAt = readNonce(nonceSecret, factsOf(payment, way, act.kind, hashOf(browserSecret)), nonce);
    if (expiresAt === null) continue;
    if (expiresAt <= now) break;
    const text = proofText(placeOf(ctx, payment), act, { nonce, expiresAt });
    const challenge = { businessId, nonce, payment: payment.payment, expiresAt, wallet, way, text };
    return { challenge, evidence: await checkEvidence(ctx, payment, challenge, given) };
  }
  throw refused("outdated");
}

/** Checks the proof of the challenge's own way; no other is looked at. */
async function checkEvidence(
  ctx: Context,
  { environment }: ProvablePayment,
  { way, text, wallet }: Challenge,
  given: GivenProof,
): Promise<string> {
  switch (way) {
    case "message": {
      const signature = parseBase64(given.signature);
      if (signature === null || !isSignedBy(wallet, Buffer.from(text, "utf8"), signature)) throw refused("wrong");
      return Buffer.from(signature).toString("base64");
    }
    case "transaction": {
      const signed = given.transaction;
      const read = signed === null ? null : await ctx.chainOf(environment).builder.readSigned(signed);
      if (signed === null || read?.kind !== "signed" || !isMemo(read, { signer: wallet, text })) throw refused("wrong");
      return signed;
    }
    case "memo":
      return checkLanded(ctx, environment, { wallet, text }, given.landed);
  }
}

async function checkLanded(
  { chainOf }: Context,
  environment: Environment,
  { wallet, text }: { readonly wallet: string; readonly text: string },
  landed: string | null,
): Promise<string> {
  if (landed === null || !isSignature(landed)) throw new BuyerError("invalid_request", (texts) => texts.notASignature);
  const found = await fetchLandedMemo(chainOf(environment).reader, landed);
  if (found.kind === "absent") throw refused("notLanded");
  const { memo } = found;
  if (memo === null || memo.text !== text || !memo.signers.includes(wallet)) throw refused("noMemo");
  return landed;
}

/** Opens a session by a proof. Returns the token for the browser's cookie. */
export async function startSession(
  ctx: Context,
  payment: ProvablePayment,
  given: GivenProof,
  { browserSecret, userAgent }: { readonly browserSecret: string | null; readonly userAgent: string },
): Promise<string> {
  const { challenge } = await checkProof(ctx, payment, given, { act: { kind: "open_session" }, browserSecret });
  const token = newStaffSecret();
  const { businessId, wallet, way } = challenge;
  const session: DisputeSession = {
    ...{ businessId, id: newSessionId(payment.now), payment: payment.payment, tokenHash: hashOf(token), wallet, way },
    ...{ createdAt: payment.now, expiresAt: new Date(payment.now.getTime() + SESSION_MS), endedAt: null },
    userAgent: userAgent.replaceAll("\0", "").slice(0, USER_AGENT_CHARACTERS_MAX),
  };
  if (!(await openSession(ctx.database, challenge, session))) throw refused("outdated");
  return token;
}

/**
 * What was signed is what holds now: a refund may have been bound meanwhile, or the offer is another. Throws
 * `proof_refused`.
 */
export function requireSameText(ctx: Context, payment: ProvablePayment, challenge: Challenge, act: ProofAct): void {
  if (proofText(placeOf(ctx, payment), act, challenge) !== challenge.text) throw refused("changed");
}

/** Uses up the challenge of a proof in the transaction of what it is for. Throws `proof_refused` if it was used meanwhile. */
export async function useProof(db: Db, challenge: Challenge, { now }: Pick<ProvablePayment, "now">): Promise<void> {
  if (!(await db.has(useChallenge(challenge, now)))) throw refused("outdated");
}

/** The session of a browser; null if it has none for this payment. */
export const sessionOf = (
  { database }: Context,
  payment: ProvablePayment,
  token: string | null,
): Promise<DisputeSession | null> =>
  token === null ? Promise.resolve(null) : findSession(database, payment, hashOf(token));
