import {
  type Base64EncodedWireTransaction,
  createKeyPairFromBytes,
  getAddressFromPublicKey,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  signTransaction,
} from "@solana/kit";
import { type ChainSender, ChainUnavailableError, type DuePart, type PayOutAnswer } from "../port.ts";
import { realClock } from "./clock.ts";
import { fetchBlockhash, type LatestBlockhash } from "./latestBlockhash.ts";
import { malformed, NodeError } from "./nodeError.ts";
import { createPool, type NodeSession } from "./pool.ts";
import { parseStop, type Stop } from "./refusal.ts";
import type { SolanaSettings } from "./settings.ts";
import {
  compileSettlement,
  draftInstructions,
  feeOf,
  fitsInOne,
  keepAccounts,
  PAY_OUT_MAX,
  type Settlement,
  unitsToAskFor,
} from "./settlement.ts";
import { parseInContext, parseInteger } from "./shapes.ts";
import { simulate } from "./simulation.ts";

/** How often a node forwards the transaction to the leaders before it gives up. */
const RESENDS_MAX = 5;
/** A blockhash serves the transactions of so long: it lives for 60 s and more, and each transaction should have most of that. */
const BLOCKHASH_KEPT_MS = 1_000;

export interface SenderSettings extends SolanaSettings {
  /** The 64 bytes of a Solana key file: private key, then public key. */
  readonly feePayerSecret: Uint8Array;
  /** Micro-lamports a compute unit, on top of the fee every transaction pays. */
  readonly unitPrice: bigint;
  /** Wallets, beside the fee payer, whose rents belong to the deployment. */
  readonly rentPayers: readonly string[];
  readonly concurrency: number;
  readonly balanceMin: bigint;
}

interface Trial {
  readonly stop: Stop | null;
  readonly units: number | null;
  /** Lamports of the fee payer before and after; null where the simulation stopped. */
  readonly balance: { readonly before: bigint; readonly after: bigint } | null;
}

/** Pays out due parts with a fee payer's key. Nothing waits for confirmation: the sweep reads the outcome from the accounts. */
export async function createSolanaSender(settings: SenderSettings): Promise<ChainSender> {
  const { programId, unitPrice, clock = realClock } = settings;
  const key = await createKeyPairFromBytes(settings.feePayerSecret);
  const feePayer = await getAddressFromPublicKey(key.publicKey);
  const rentPayers = new Set([feePayer, ...settings.rentPayers]);
  const pool = createPool(settings);
  const findAccount = keepAccounts();
  let lastBalance: bigint | null = null;
  let kept: { readonly latest: LatestBlockhash; untilMs: number } | null = null;

  async function fetchLatest(session: NodeSession): Promise<LatestBlockhash> {
    const latest = await fetchBlockhash(session);
    kept = { latest, untilMs: clock.now() + BLOCKHASH_KEPT_MS };
    return latest;
  }

  /** The kept blockhash, if it is young enough. The first caller after that fetches the next; until it is there, the others take the old one. */
  function takeKept(): LatestBlockhash | null {
    if (kept === null) return null;
    if (clock.now() < kept.untilMs) return kept.latest;
    kept.untilMs = clock.now() + BLOCKHASH_KEPT_MS;
    return null;
  }

  async function tryOut(session: NodeSession, instructions: Settlement["instructions"]) {
    const draftWith = (latest: LatestBlockhash) => ({ feePayer, instructions, unitPrice, units: null, ...latest });
    const young = takeKept();
    let draft = draftWith(young ?? (await fetchLatest(session)));
    let trial = await tryDraft(session, draft, programId);
    if (trial.stop?.kind === "blockhash" && young !== null) {
      draft = draftWith(await fetchLatest(session));
      trial = await tryDraft(session, draft, programId);
    }
    if (trial.stop?.kind === "blockhash") throw new NodeError("does not know the blockhash", { rests: false });
    return { draft, ...trial };
  }

  async function payOut(parts: readonly DuePart[], options: { signal: AbortSignal }): Promise<PayOutAnswer> {
    if (parts.length === 0 || !fitsInOne(parts)) throw new RangeError(`${parts.length} parts are not one transaction`);
    const instructions = await draftInstructions(parts, programId, findAccount);

    const { draft, stop, units, balance } = await pool.queue(options).ask((session) => tryOut(session, instructions));
    if (stop !== null) return answerTo(stop, parts);
    if (balance !== null) {
      lastBalance = balance.after;
      const beyond = balance.before - balance.after - feeOf(draft);
      if (beyond > 0n)
        return { kind: "refused", part: null, reason: `it would cost the fee payer ${beyond} lamports beyond the fee` };
    }

    const signed = await signTransaction(
      [key],
      compileSettlement({ ...draft, units: units === null ? null : unitsToAskFor(units) }),
    );
    const signature = getSignatureFromTransaction(signed);
    const wire = getBase64EncodedWireTransaction(signed);
    // The same bytes to another node can land only once, so a node that failed half-way is no reason to stop.
    return pool
      .queue(options)
      .ask((session) => send(session, wire, signature))
      .then(
        () => ({ kind: "sent", signature }),
        (error: unknown) => {
          if (error instanceof ChainUnavailableError) return { kind: "unknown", signature };
          throw error;
        },
      );
  }

  async function fetchBalance(options: { signal: AbortSignal }): Promise<bigint> {
    lastBalance = await pool.queue(options).ask(async (session) => {
      const result = await session.call("getBalance", [feePayer, { commitment: "confirmed" }]);
      const { slot, value } = parseInContext(result, (lamports) => BigInt(parseInteger(lamports, "balance")));
      session.acceptSlot(slot, "confirmed");
      session.acceptAbsence(slot, "confirmed");
      return value;
    });
    return lastBalance;
  }

  return {
    keepTo: pool.keepTo,
    payOut,
    payOutMax: PAY_OUT_MAX,
    fitsInOne,
    concurrency: settings.concurrency,
    feePayer,
    balanceMin: settings.balanceMin,
    rentPayers,
    fetchBalance,
    get lastBalance() {
      return lastBalance;
    },
  };
}

async function tryDraft(session: NodeSession, draft: Settlement, programId: string): Promise<Trial> {
  const wire = getBase64EncodedWireTransaction(compileSettlement(draft));
  const { err, logs, units, feePayer } = await simulate(session, wire, false);
  if (err !== null) return { stop: parseStop(err, logs, programId), units: null, balance: null };
  return { stop: null, units, balance: feePayer() };
}

function answerTo(stop: Stop, parts: readonly DuePart[]): PayOutAnswer {
  const { reason } = stop;
  if (stop.kind === "fee_payer") return { kind: "fee_payer", reason };
  const part = stop.kind === "instruction" || stop.kind === "overtaken" ? (parts[stop.index] ?? null) : null;
  return stop.kind === "overtaken" && part !== null ? { kind: "overtaken", part } : { kind: "refused", part, reason };
}

async function send(session: NodeSession, wire: Base64EncodedWireTransaction, signature: string): Promise<void> {
  const form = { encoding: "base64", skipPreflight: true, maxRetries: RESENDS_MAX };
  const answer = await session.call("sendTransaction", [wire, form]);
  if (answer !== signature) throw malformed("another signature");
}
