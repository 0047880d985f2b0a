import { fromBase58 } from "../ledger/base58.ts";
import { describeFailure, type Failure } from "../ledger/failures.ts";
import type { Refusal } from "../ledger/machine.ts";
import { feeOf, showInner, showReturnData } from "../ledger/meta.ts";
import { u64 } from "../ledger/numbers.ts";
import { BLOCKHASH_SLOTS } from "../ledger/slots.ts";
import type { Image, Outcome } from "../ledger/vm.ts";
import { readWireMessage, readWireTransaction, WireError, type WireTransaction, wireBytesMax } from "../ledger/wire.ts";
import { readShape, showAccount } from "./accounts.ts";
import { invalidParams, RPC_CODES, RpcError } from "./errors.ts";
import { type Config, type Params, readAddress, readChoice, readCommitment } from "./params.ts";
import type { Methods, View } from "./view.ts";

const TYPE_NAME = "solana_transaction::versioned::VersionedTransaction";

function readWire(view: View, params: Params, config: Config): WireTransaction {
  const text = params.string(0);
  const encoding = readChoice(config, "encoding", ["base58", "base64"], "base58");
  const bytes = decode(text, encoding);
  const bytesMax = wireBytesMax(bytes);
  if (bytes.length > bytesMax)
    throw invalidParams(`decoded ${TYPE_NAME} too large: ${bytes.length} bytes (max: ${bytesMax} bytes)`);
  const wire = parse(() => readWireTransaction(bytes), TYPE_NAME);
  if (wire.version === 1 && view.distortion.lacks.has("version_one_refused"))
    throw invalidParams(`failed to deserialize ${TYPE_NAME}: unsupported transaction version`);
  return wire;
}

function parse<T>(read: () => T, what: string): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError) throw invalidParams(`failed to deserialize ${what}: ${error.message}`);
    throw error;
  }
}

function decode(text: string, encoding: "base58" | "base64"): Uint8Array {
  // Decoding base58 takes time that grows with the square of the length, so texts longer than a transaction are refused first.
  if (encoding === "base58") {
    const bytes = text.length <= 1683 ? fromBase58(text) : null;
    if (!bytes) throw invalidParams("invalid base58 encoding");
    return bytes;
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw invalidParams("invalid base64 encoding");
  return Buffer.from(text, "base64");
}

const showOutcome = (meta: Outcome["meta"] | null, failure: Failure | null) => ({
  err: failure,
  logs: meta?.logs() ?? [],
  accounts: null,
  unitsConsumed: u64(meta?.computeUnitsConsumed() ?? 0n),
  returnData: meta && showReturnData(meta),
});

function refuse({ failure, meta }: Refusal): RpcError {
  const message = `Transaction simulation failed: ${describeFailure(failure)}`;
  return new RpcError(RPC_CODES.preflightFailed, message, { ...showOutcome(meta, failure), innerInstructions: null });
}

/** Preflight runs in the bank of its commitment, which has not heard of younger blockhashes. */
function knowsBlockhash(view: View, blockhash: string, newestSlot: number): boolean {
  const slot = view.ledger.slots.slotOfBlockhash(blockhash);
  return slot !== null && slot <= newestSlot;
}

function sendTransaction(view: View, params: Params): string {
  const config = params.config(1);
  const wire = readWire(view, params, config);
  const preflight = config.skipPreflight !== true;
  const slot = view.slotFor({ ...config, commitment: config.preflightCommitment });
  if (preflight && !knowsBlockhash(view, wire.blockhash, slot))
    throw refuse({ failure: "BlockhashNotFound", meta: null });
  const done = view.ledger.submit(wire, preflight);
  // Without preflight a validator answers before it knows: what cannot land is lost without a word.
  if ("failure" in done && preflight) throw refuse(done);
  return wire.signature;
}

function simulateTransaction(view: View, params: Params) {
  const config = params.config(1);
  const sent = readWire(view, params, config);
  const slot = view.slotFor(config);
  const { slots } = view.ledger;
  const replace = config.replaceRecentBlockhash === true;
  if (replace && config.sigVerify === true)
    throw invalidParams("sigVerify may not be used with replaceRecentBlockhash");
  const failure = (kind: string) => view.withContext(slot, showOutcome(null, kind));
  if (!replace && !knowsBlockhash(view, sent.blockhash, slot)) return failure("BlockhashNotFound");
  if (!replace && view.entry(sent.signature)) return failure("AlreadyProcessed");
  const keys = view.ledger.resolve(sent);
  if ("failure" in keys) return view.withContext(slot, showOutcome(null, keys.failure));
  const done = view.ledger.simulate(sent, config.sigVerify === true, keys.all);
  const newest = slots.at("processed");
  return view.withContext(slot, {
    ...showOutcome(done.meta, done.failure),
    accounts: showSimulated(view, config, done.after, slot),
    fee: u64(feeOf(sent)),
    preBalances: done.balances.before.map(u64),
    postBalances: done.balances.after.map(u64),
    ...(config.innerInstructions === true && { innerInstructions: showInner(done.meta) }),
    ...(replace && {
      replacementBlockhash: {
        blockhash: slots.blockhash(newest),
        lastValidBlockHeight: slots.heightOf(newest) + BLOCKHASH_SLOTS,
      },
    }),
  });
}

function showSimulated(view: View, config: Config, after: ReadonlyMap<string, Image | null>, slot: number) {
  if (!config.accounts) return null;
  const wanted = config.accounts as Config;
  if (!Array.isArray(wanted.addresses))
    throw invalidParams("Invalid params: invalid type, expected a list of addresses.");
  return wanted.addresses.map(readAddress).map((address) => {
    const image = after.has(address) ? after.get(address)! : view.account(address, slot);
    return image && image.lamports > 0n ? showAccount(view, image, readShape(wanted, "base64"), slot) : null;
  });
}

export const transactionMethods: Methods = {
  sendTransaction: { params: 2, answer: sendTransaction },
  simulateTransaction: { params: 2, answer: simulateTransaction },
  getLatestBlockhash: {
    params: 1,
    answer(view, params) {
      const slot = view.slotFor(params.config(0));
      const { slots } = view.ledger;
      const lastValidBlockHeight = slots.heightOf(slot) + BLOCKHASH_SLOTS;
      return view.withContext(slot, { blockhash: slots.blockhash(slot), lastValidBlockHeight });
    },
  },
  isBlockhashValid: {
    params: 2,
    answer(view, params) {
      const slot = view.slotFor(params.config(1));
      return view.withContext(slot, knowsBlockhash(view, params.address(0), slot));
    },
  },
  getFeeForMessage: {
    params: 2,
    answer(view, params) {
      const slot = view.slotFor(params.config(1));
      const bytes = decode(params.string(0), "base64");
      const message = parse(() => readWireMessage(bytes), "solana_message::versioned::VersionedMessage");
      return view.withContext(slot, knowsBlockhash(view, message.blockhash, slot) ? u64(feeOf(message)) : null);
    },
  },
  getRecentPrioritizationFees: {
    params: 1,
    answer: (view) => [{ slot: view.slotAt(readCommitment({}, "processed")), prioritizationFee: 0 }],
  },
  requestAirdrop: {
    params: 3,
    answer: (view, params) => view.chain.give(params.address(0) as never, "SOL", BigInt(params.integer(1))),
  },
};
