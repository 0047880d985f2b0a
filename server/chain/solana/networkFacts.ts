import { PAYMENT_ACCOUNT_SIZE } from "@holdfast/escrow-client";
import {
  address,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import type { ConsensusWord } from "../consensus.ts";
import { ChainUnavailableError } from "../port.ts";
import { fetchConsensus } from "./certificate.ts";
import { NodeError, RPC_ERRORS } from "./nodeError.ts";
import { createPool, type NodeSession } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseArray, parseInContext, parseInteger, parseObject, parseText } from "./shapes.ts";
import { TOKEN_ACCOUNT_SIZE } from "./tokenAccounts.ts";

/** A node's account of its network and of itself, for an operator's check; null where it gives none. */
export interface NetworkFacts {
  /** The versions that answer at its address, in the order of their names. */
  readonly versions: readonly string[];
  /** Null: it does not know the request, as nodes before Agave 4.3. */
  readonly consensus: ConsensusWord | null;
  readonly refusesVersion1: boolean | null;
  /** The mean of the last minutes. */
  readonly slotMs: number | null;
  /** The number of blocks in which a transaction can land. */
  readonly blockhashBlocks: number | null;
  readonly rent: { readonly lamportsPerByte: number; readonly paymentLamports: number } | null;
}

/** Providers mix versions behind one address. */
const VERSION_ASKS = 3;
const SAMPLES = 5;
/** The bytes of every account that rent counts beside its data. */
const ACCOUNT_HEAD_BYTES = 128;
const NO_KEY = "1".repeat(32);
const NO_SIGNATURE = "1".repeat(64);

/** Asks one node alone. */
export async function fetchNetworkFacts(
  settings: SolanaSettings,
  rpcUrl: string,
  signal: AbortSignal,
): Promise<NetworkFacts> {
  const pool = createPool({ ...settings, rpcUrls: [rpcUrl] });
  const ask = <T>(read: (session: NodeSession) => Promise<T>): Promise<T | null> =>
    pool
      .queue({ signal })
      .ask(read)
      .catch((error: unknown) => {
        if (error instanceof ChainUnavailableError) return null;
        throw error;
      });
  const versions = await Promise.all(Array.from({ length: VERSION_ASKS }, () => ask(fetchVersion)));
  const [consensus, refused, slotMs, blockhashBlocks, rent] = await Promise.all([
    ask(fetchConsensus),
    ask(refusesVersion1(settings.operator)),
    ask(fetchSlotMs),
    ask(fetchBlockhashBlocks),
    ask(fetchRent),
  ]);
  return {
    versions: [...new Set(versions.filter((version) => version !== null))].sort(),
    consensus,
    refusesVersion1: refused,
    slotMs,
    blockhashBlocks,
    rent,
  };
}

const fetchVersion = async (session: NodeSession): Promise<string> =>
  parseText(parseObject(await session.call("getVersion", []), "version")["solana-core"], "solana-core");

/** Asks for a transaction and a simulation in version 1. */
const refusesVersion1 = (operator: string) => async (session: NodeSession) => {
  const wire = pipe(
    createTransactionMessage({ version: 1 }),
    (empty) => setTransactionMessageFeePayer(address(operator), empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: NO_KEY as Blockhash, lastValidBlockHeight: 0n }, paid),
    (message) => getBase64EncodedWireTransaction(compileTransaction(message)),
  );
  try {
    await session.call("getTransaction", [NO_SIGNATURE, { maxSupportedTransactionVersion: 1 }]);
    // What it would do does not matter: the node has read it.
    await session.call("simulateTransaction", [wire, { encoding: "base64", replaceRecentBlockhash: true }]);
    return false;
  } catch (error) {
    if (error instanceof NodeError && error.code === RPC_ERRORS.invalidParams) return true;
    throw error;
  }
};

async function fetchSlotMs(session: NodeSession): Promise<number | null> {
  const samples = parseArray(await session.call("getRecentPerformanceSamples", [SAMPLES]), "samples");
  let [slots, seconds] = [0, 0];
  for (const sample of samples) {
    const { numSlots, samplePeriodSecs } = parseObject(sample, "sample");
    slots += parseInteger(numSlots, "numSlots");
    seconds += parseInteger(samplePeriodSecs, "samplePeriodSecs");
  }
  return slots === 0 ? null : Math.round((seconds * 1_000) / slots);
}

async function fetchBlockhashBlocks(session: NodeSession): Promise<number> {
  const latest = await session.call("getLatestBlockhash", []);
  const { slot, value } = parseInContext(latest, (one) => parseObject(one, "blockhash"));
  const info = parseObject(await session.call("getEpochInfo", []), "epoch info");
  // Few blocks pass between the two answers, hardly ever with a slot skipped among them.
  const passed = parseInteger(info.absoluteSlot, "absoluteSlot") - slot;
  const height = parseInteger(info.blockHeight, "blockHeight") - passed;
  return parseInteger(value.lastValidBlockHeight, "lastValidBlockHeight") - height;
}

async function fetchRent(session: NodeSession): Promise<NetworkFacts["rent"]> {
  const empty = parseInteger(await session.call("getMinimumBalanceForRentExemption", [0]), "rent");
  const lamportsPerByte = Math.round(empty / ACCOUNT_HEAD_BYTES);
  const bytes = PAYMENT_ACCOUNT_SIZE + TOKEN_ACCOUNT_SIZE + 2 * ACCOUNT_HEAD_BYTES;
  return { lamportsPerByte, paymentLamports: lamportsPerByte * bytes };
}
