import {
  type Base64EncodedWireTransaction,
  type Blockhash,
  createKeyPairFromBytes,
  getAddressFromPublicKey,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  isBlockhash,
  signTransaction,
} from "@solana/kit";
import { type ChainSender, ChainUnavailableError, type DuePart } from "../port.ts";
import { malformed, NodeError } from "./nodeError.ts";
import { createPool, type NodeSession } from "./pool.ts";
import { parseStop, type Stop } from "./refusal.ts";
import type { SolanaSettings } from "./settings.ts";
import { compileSettlement, draftInstructions, PAY_OUT_MAX, type Settlement, unitsToAskFor } from "./settlement.ts";
import { parseInContext, parseInteger, parseObject, parseText, wrong } from "./shapes.ts";

/** How often a node forwards the transaction to the leaders before it gives up. */
const RESENDS_MAX = 5;

export interface SenderSettings extends SolanaSettings {
  /** The 64 bytes of a Solana key file: private key, then public key. */
  readonly feePayerSecret: Uint8Array;
  /** Micro-lamports a compute unit, on top of the fee every transaction pays. */
  readonly unitPrice: bigint;
}

/** Pays out due parts with a fee payer's key. Nothing waits for confirmation: the sweep reads the outcome from the accounts. */
export async function createSolanaSender(settings: SenderSettings): Promise<ChainSender> {
  const { programId, unitPrice } = settings;
  const key = await createKeyPairFromBytes(settings.feePayerSecret);
  const feePayer = await getAddressFromPublicKey(key.publicKey);
  const pool = createPool(settings);

  async function payOut(parts: readonly DuePart[], options: { signal: AbortSignal }) {
    if (parts.length === 0 || parts.length > PAY_OUT_MAX) throw new RangeError(`1 to ${PAY_OUT_MAX} parts`);
    const instructions = await draftInstructions(parts, programId);

    const trial = await pool.queue(options).ask(async (session) => {
      const draft = { feePayer, instructions, unitPrice, units: null, ...(await fetchBlockhash(session)) };
      return { draft, ...(await simulate(session, draft, programId)) };
    });
    if (trial.stop !== null) return refusalOf(trial.stop, parts);

    const units = trial.units === null ? null : unitsToAskFor(trial.units);
    const signed = await signTransaction([key], compileSettlement({ ...trial.draft, units }));
    const signature = getSignatureFromTransaction(signed);
    const wire = getBase64EncodedWireTransaction(signed);
    // The same bytes to another node can land only once, so a node that failed half-way is no reason to stop.
    await pool.queue(options).ask((session) => send(session, wire, signature));
    return { kind: "sent" as const, signature };
  }

  return { keepTo: pool.keepTo, payOut, payOutMax: PAY_OUT_MAX };
}

async function fetchBlockhash(session: NodeSession): Promise<{ blockhash: Blockhash; lastValidBlockHeight: bigint }> {
  const result = await session.call("getLatestBlockhash", [{ commitment: "confirmed" }]);
  const { slot, value } = parseInContext(result, (latest) => parseObject(latest, "blockhash"));
  session.acceptSlot(slot, "confirmed");
  // An old node would hand out a blockhash that the chain no longer takes.
  session.acceptAbsence(slot, "confirmed");
  const blockhash = parseText(value.blockhash, "blockhash");
  if (!isBlockhash(blockhash)) throw wrong("blockhash");
  return { blockhash, lastValidBlockHeight: BigInt(parseInteger(value.lastValidBlockHeight, "lastValidBlockHeight")) };
}

async function simulate(
  session: NodeSession,
  draft: Settlement,
  programId: string,
): Promise<{ stop: Stop | null; units: number | null }> {
  const wire = getBase64EncodedWireTransaction(compileSettlement(draft));
  const form = { commitment: "confirmed", encoding: "base64", sigVerify: false };
  const { value } = parseInContext(await session.call("simulateTransaction", [wire, form]), (simulated) =>
    parseObject(simulated, "simulation"),
  );
  if (value.err === undefined) throw wrong("simulation.err");
  const stop = value.err === null ? null : parseStop(value.err, value.logs, programId);
  if (stop?.kind === "transaction") throw new NodeError(`simulation stopped: ${stop.reason}`, { rests: false });
  const units = value.unitsConsumed ?? null;
  return { stop, units: units === null ? null : parseInteger(units, "unitsConsumed") };
}

function refusalOf(stop: Stop, parts: readonly DuePart[]) {
  const part = stop.kind === "instruction" || stop.kind === "overtaken" ? parts[stop.index] : undefined;
  if (part === undefined) throw new ChainUnavailableError(`The fee payer cannot settle: ${stop.reason}.`);
  return stop.kind === "overtaken"
    ? { kind: "overtaken" as const, part }
    : { kind: "refused" as const, part, reason: stop.reason };
}

async function send(session: NodeSession, wire: Base64EncodedWireTransaction, signature: string): Promise<void> {
  const form = { encoding: "base64", skipPreflight: true, maxRetries: RESENDS_MAX };
  const answer = await session.call("sendTransaction", [wire, form]);
  if (answer !== signature) throw malformed("another signature");
}
