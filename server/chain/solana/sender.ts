import {
  type Address,
  type Base64EncodedWireTransaction,
  createKeyPairFromBytes,
  getAddressFromPublicKey,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  signTransaction,
} from "@solana/kit";
import { isPaidOut } from "../acts.ts";
import { type ChainSender, ChainUnavailableError, type DuePart, type PayOutAnswer } from "../port.ts";
import { fetchRawAccounts } from "./account.ts";
import { type Clock, realClock } from "./clock.ts";
import { fetchBlockhash, type LatestBlockhash } from "./latestBlockhash.ts";
import { malformed, NodeError } from "./nodeError.ts";
import { createPool, type NodeSession } from "./pool.ts";
import type { Stop } from "./refusal.ts";
import type { SolanaSettings } from "./settings.ts";
import {
  compileSettlement,
  type DraftedPart,
  draftParts,
  feeOfSettlement,
  fitsInOne,
  keepAccounts,
  mayWithhold,
  PAY_OUT_MAX,
  type Settlement,
  unitsToAskFor,
  withHarvests,
} from "./settlement.ts";
import { parseInContext, parseInteger } from "./shapes.ts";
import { simulate } from "./simulation.ts";
import { withheldIn } from "./tokenAccounts.ts";

/** A node forwards the transaction to the leaders this many times before it stops. */
const RESENDS_MAX = 5;
/** Transactions of this period share a blockhash: each should have most of its life. */
const BLOCKHASH_KEPT_MS = 1_000;

/**
 * This many transactions in a row ask for different numbers of units. A payment whose next part is due at once, under the
 * same blockhash, would otherwise have the same bytes again, which the chain treats as a repeat.
 */
const UNITS_APART = 1_000;

export interface SenderSettings extends SolanaSettings {
  /** The 64 bytes of a Solana key file: private key, then public key. */
  readonly feePayerSecret: Uint8Array;
  /** Micro-lamports a compute unit, on top of the fee every transaction pays. */
  readonly unitPrice: bigint;
  /** Wallets of the deployment, which get their rents back. */
  readonly rentPayers: readonly string[];
  readonly concurrency: number;
  readonly balanceMin: bigint;
}

interface Trial {
  readonly stop: Stop | null;
  readonly units: number | null;
  /** Lamports of the fee payer before and after; null if the simulation failed. */
  readonly balance: { readonly before: bigint; readonly after: bigint } | null;
}

/**
 * Pays out due parts with a fee payer's key. It does not wait for confirmation: the sweep reads the outcome from the
 * accounts.
 */
export async function createSolanaSender(settings: SenderSettings): Promise<ChainSender> {
  const { programId, unitPrice, clock = realClock } = settings;
  const key = await createKeyPairFromBytes(settings.feePayerSecret);
  const feePayer = await getAddressFromPublicKey(key.publicKey);
  const rentPayers = new Set(settings.rentPayers);
  // Every transaction has its signature, so it would close a record over an open vault, and after a rise of rent return
  // nothing.
  if (rentPayers.has(feePayer))
    throw new Error(
      `The keeper's key (${feePayer}) also pays rents, as a sponsor's key or in keeper.rentPayers. Give the keeper a key of its own.`,
    );
  const pool = createPool(settings);
  const findAccount = keepAccounts();
  let lastBalance: bigint | null = null;
  let signed = 0;
  const trialDeps = { programId, unitPrice, feePayer, blockhashes: keepBlockhash(clock) };

  async function payOut(parts: readonly DuePart[], options: { signal: AbortSignal }): Promise<PayOutAnswer> {
    if (parts.length === 0 || !fitsInOne(parts)) throw new RangeError(`${parts.length} parts are not one transaction`);
    const drafted = await draftParts(parts, programId, findAccount);

    const trial = await pool.queue(options).ask((session) => tryOut(session, drafted, trialDeps));
    const { draft, stop, units, balance } = trial;
    if (stop !== null) return answerTo(stop, trial.partAt);
    if (balance !== null) {
      lastBalance = balance.after;
      const beyond = balance.before - balance.after - feeOfSettlement(draft);
      if (beyond > 0n)
        return { kind: "refused", part: null, reason: `it would cost the fee payer ${beyond} lamports beyond the fee` };
    }

    const transaction = await signTransaction(
      [key],
      compileSettlement({ ...draft, units: units === null ? null : unitsToAskFor(units) + (signed++ % UNITS_APART) }),
    );
    const signature = getSignatureFromTransaction(transaction);
    const wire = getBase64EncodedWireTransaction(transaction);
    // The same bytes on another node can land only once, so a node that failed half-way is no reason to stop.
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

  return {
    keepTo: pool.keepTo,
    payOut,
    payOutMax: PAY_OUT_MAX,
    fitsInOne,
    concurrency: settings.concurrency,
    feePayer,
    balanceMin: settings.balanceMin,
    rentPayers,
    fetchBalance: async (options) => {
      lastBalance = await pool.queue(options).ask((session) => fetchLamports(session, feePayer));
      return lastBalance;
    },
    get lastBalance() {
      return lastBalance;
    },
  };
}

/** Caches a blockhash for a moment, so that transactions of one moment share it. */
function keepBlockhash(clock: Clock) {
  let kept: { readonly latest: LatestBlockhash; untilMs: number } | null = null;
  return {
    async fetch(session: NodeSession): Promise<LatestBlockhash> {
      const latest = await fetchBlockhash(session);
      kept = { latest, untilMs: clock.now() + BLOCKHASH_KEPT_MS };
      return latest;
    },
    /**
     * Returns the cached blockhash if it is young enough. The first caller after that fetches the next; meanwhile the others
     * get the old one.
     */
    take(): LatestBlockhash | null {
      if (kept === null) return null;
      if (clock.now() < kept.untilMs) return kept.latest;
      kept.untilMs = clock.now() + BLOCKHASH_KEPT_MS;
      return null;
    },
  };
}

async function fetchLamports(session: NodeSession, address: string): Promise<bigint> {
  const result = await session.call("getBalance", [address, session.form]);
  const { slot, value } = parseInContext(result, (lamports) => BigInt(parseInteger(lamports, "balance")));
  session.acceptSlot(slot);
  session.acceptAbsence(slot);
  return value;
}

interface TrialDeps {
  readonly programId: string;
  readonly unitPrice: bigint;
  readonly feePayer: Address;
  readonly blockhashes: ReturnType<typeof keepBlockhash>;
}

async function tryOut(session: NodeSession, drafted: readonly DraftedPart[], deps: TrialDeps) {
  const { programId, unitPrice, feePayer, blockhashes } = deps;
  const withheld = await fetchWithheld(session, drafted);
  const steps = withHarvests(drafted, (vault) => withheld.has(vault));
  const instructions = steps.map(({ instruction }) => instruction);
  const draftWith = (latest: LatestBlockhash) => ({ feePayer, instructions, unitPrice, units: null, ...latest });
  const young = blockhashes.take();
  let draft = draftWith(young ?? (await blockhashes.fetch(session)));
  let trial = await tryDraft(session, draft, programId);
  if (trial.stop?.kind === "blockhash" && young !== null) {
    draft = draftWith(await blockhashes.fetch(session));
    trial = await tryDraft(session, draft, programId);
  }
  if (trial.stop?.kind === "blockhash") throw new NodeError("does not know the blockhash", { rests: false });
  return { draft, partAt: (index: number) => steps[index]?.part ?? null, ...trial };
}

async function tryDraft(session: NodeSession, draft: Settlement, programId: string): Promise<Trial> {
  const wire = getBase64EncodedWireTransaction(compileSettlement(draft));
  const { stop, units, feePayer } = await simulate(session, wire, programId);
  return stop === null ? { stop, units, balance: feePayer() } : { stop, units: null, balance: null };
}

/** Finds vaults with withheld fees. Only Token-2022 withholds, so other tokens need no read. */
async function fetchWithheld(session: NodeSession, drafted: readonly DraftedPart[]): Promise<ReadonlySet<Address>> {
  const vaults = drafted.filter(({ part }) => mayWithhold(part)).map(({ vault }) => vault!);
  if (vaults.length === 0) return new Set();
  const { value } = await fetchRawAccounts(session, vaults);
  return new Set(vaults.filter((_, index) => withheldIn(value[index]!) > 0n));
}

function answerTo(stop: Stop, partAt: (index: number) => DuePart | null): PayOutAnswer {
  const { reason } = stop;
  if (stop.kind === "fee_payer") return { kind: "fee_payer", reason };
  const part = stop.kind === "instruction" || stop.kind === "overtaken" ? partAt(stop.index) : null;
  if (stop.kind !== "overtaken" || part === null) return { kind: "refused", part, reason };
  // Nothing was due, and the vault still exists: its record must not be closed over it.
  const isOpen = stop.name === "nothing_due" && isPaidOut(part.payment);
  return isOpen ? { kind: "refused", part, reason } : { kind: "overtaken", part };
}

async function send(session: NodeSession, wire: Base64EncodedWireTransaction, signature: string): Promise<void> {
  const form = { encoding: "base64", skipPreflight: true, maxRetries: RESENDS_MAX };
  const answer = await session.call("sendTransaction", [wire, form]);
  if (answer !== signature) throw malformed("another signature");
}
