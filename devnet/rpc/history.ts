import { toBase58 } from "../ledger/base58.ts";
import type { Entry } from "../ledger/history.ts";
import { u64 } from "../ledger/numbers.ts";
import { BLOCKHASH_SLOTS } from "../ledger/slots.ts";
import type { WireTransaction } from "../ledger/wire.ts";
import { invalidParams, RPC_CODES, RpcError } from "./errors.ts";
import { type Params, readChoice, readHistoryCommitment, readInteger, readSignature } from "./params.ts";
import type { Methods, View } from "./view.ts";

const SIGNATURES_MAX = 1000;
const STATUSES_MAX = 256;
/** Without searchTransactionHistory a node searches only its recent slots. */
const RECENT_SLOTS = 2 * BLOCKHASH_SLOTS;

function getTransaction(view: View, params: Params) {
  const signature = params.signature(0);
  // A bare string in second place is the encoding, as it was in the first version of this method.
  const second = params.raw(1);
  const config = typeof second === "string" ? { encoding: second } : params.config(1);
  const newest = view.slotAt(readHistoryCommitment(config));
  const encoding = readChoice(config, "encoding", ["json", "base58", "base64", "jsonParsed"], "json");
  if (encoding === "jsonParsed")
    throw invalidParams("The local chain does not write transactions as jsonParsed; ask for json or base64.");
  const most = config.maxSupportedTransactionVersion;
  const asked = most === undefined || most === null ? -1 : readInteger(most, "u8");
  if (asked > 0 && view.distortion.lacks.has("version_one_refused"))
    throw invalidParams("Invalid params: maxSupportedTransactionVersion is at most 0.");
  const entry = view.entry(signature);
  if (!entry || entry.slot > newest) return null;
  const { wire, meta } = view.ledger.readTransaction(entry);
  if (wire.version !== "legacy" && wire.version > asked) throw unsupportedVersion(wire.version);
  return {
    slot: entry.slot,
    blockTime: view.blockTime(entry.slot, entry.time),
    transaction: encoding === "json" ? showTransaction(wire) : [encodeBytes(wire.bytes, encoding), encoding],
    meta,
    ...(asked >= 0 && { version: wire.version }),
  };
}

const unsupportedVersion = (version: number) =>
  new RpcError(
    RPC_CODES.unsupportedVersion,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  );

const encodeBytes = (bytes: Uint8Array, encoding: "base58" | "base64") =>
  encoding === "base58" ? toBase58(bytes) : Buffer.from(bytes).toString("base64");

function showTransaction(wire: WireTransaction) {
  return {
    signatures: wire.signatures,
    message: {
      header: {
        numRequiredSignatures: wire.signerCount,
        numReadonlySignedAccounts: wire.readonlySignerCount,
        numReadonlyUnsignedAccounts: wire.readonlyOtherCount,
      },
      accountKeys: wire.staticKeys,
      recentBlockhash: wire.blockhash,
      instructions: wire.instructions.map(({ programIdIndex, accounts, data }) => ({
        programIdIndex,
        accounts,
        data: toBase58(data),
        stackHeight: 1,
      })),
      ...(wire.version === 0 && { addressTableLookups: wire.lookups }),
      ...(wire.config && { transactionConfig: { ...wire.config, priorityFee: showFee(wire.config.priorityFee) } }),
    },
  };
}

const showFee = (lamports: bigint | null) => (lamports === null ? null : u64(lamports));

function getSignaturesForAddress(view: View, params: Params) {
  const address = params.address(0);
  const config = params.config(1);
  const commitment = readHistoryCommitment(config);
  view.slotFor(config);
  const limit =
    config.limit === undefined || config.limit === null ? SIGNATURES_MAX : readInteger(config.limit, "usize");
  if (limit < 1 || limit > SIGNATURES_MAX) throw invalidParams(`Invalid limit; max ${SIGNATURES_MAX}`);
  const bound = (name: "before" | "until") => {
    if (config[name] === undefined || config[name] === null) return {};
    const signature = readSignature(config[name]);
    if (view.entry(signature) === null) throw unknownCursor(signature);
    return { [name]: signature };
  };
  const until = view.distortion.unknownUntil ? {} : bound("until");
  const page = view.ledger.history.page(address, {
    ...bound("before"),
    ...until,
    limit,
    newestSlot: view.slotAt(commitment),
  });
  const shown = page.filter((entry) => view.shows(entry));
  return (view.distortion.reorder ? reorderSlots(shown) : shown).map((entry) => ({
    signature: entry.signature,
    slot: entry.slot,
    err: entry.failure,
    memo: entry.memo,
    blockTime: view.blockTime(entry.slot, entry.time),
    confirmationStatus: view.commitmentOf(entry.slot),
  }));
}

const unknownCursor = (signature: string) =>
  new RpcError(RPC_CODES.cursorNotFound, `Transaction ${signature} not found`);

const reorderSlots = (entries: readonly Entry[]) =>
  entries.toSorted((one, other) => other.slot - one.slot || one.order - other.order);

function showStatus(view: View, signature: string, searched: boolean) {
  const entry = view.entry(signature);
  const tip = view.slotAt("processed");
  if (!entry || (!searched && tip - entry.slot > RECENT_SLOTS)) return null;
  const confirmationStatus = view.commitmentOf(entry.slot);
  const votes = view.ledger.slots.consensus === "tower" ? tip - entry.slot : 0;
  return {
    slot: entry.slot,
    confirmations: confirmationStatus === "finalized" ? null : votes,
    err: entry.failure,
    status: entry.failure === null ? { Ok: null } : { Err: entry.failure },
    confirmationStatus,
  };
}

export const historyMethods: Methods = {
  getTransaction: { params: 2, answer: getTransaction },
  getSignaturesForAddress: { params: 2, answer: getSignaturesForAddress },
  getSignatureStatuses: {
    params: 2,
    answer(view, params) {
      const signatures = params.strings(0, STATUSES_MAX).map(readSignature);
      const searched = params.config(1).searchTransactionHistory === true;
      return view.withContext(
        view.slotAt("processed"),
        signatures.map((signature) => showStatus(view, signature, searched)),
      );
    },
  },
  getTransactionCount: { params: 1, answer: (view) => view.ledger.history.size },
};
