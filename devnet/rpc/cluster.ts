import { createHash } from "node:crypto";
import { SAMPLES_MAX } from "../ledger/samples.ts";
import { SLOTS_PER_EPOCH } from "../ledger/slots.ts";
import { invalidParams, RPC_CODES, RpcError } from "./errors.ts";
import { API_VERSION, type Methods } from "./view.ts";

/** The form of Alpenglow's certificate; nobody signed this one. */
function draftCertificate(genesisHash: string, slot: number) {
  const draw = (outputLength: number) => [
    ...createHash("shake256", { outputLength }).update(`${genesisHash} ${slot}`).digest(),
  ];
  return { block: { slot, blockId: draw(32) }, signature: { signature: draw(192), bitmap: [1] } };
}

export const clusterMethods: Methods = {
  getSlot: { params: 1, answer: (view, params) => view.slotFor(params.config(0)) },
  getBlockHeight: {
    params: 1,
    answer: (view, params) => view.ledger.slots.heightOf(view.slotFor(params.config(0))),
  },
  getFirstAvailableBlock: { params: 0, answer: () => 0 },
  minimumLedgerSlot: { params: 0, answer: () => 0 },
  getBlockTime: {
    params: 1,
    answer(view, params) {
      const slot = params.integer(0);
      if (slot > view.slotAt("confirmed"))
        throw new RpcError(RPC_CODES.blockNotAvailable, `Block not available for slot ${slot}`);
      if (view.ledger.slots.isSkipped(slot))
        throw new RpcError(
          RPC_CODES.slotSkipped,
          `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
        );
      return view.blockTime(slot, view.ledger.slots.timeOf(slot));
    },
  },
  getEpochInfo: {
    params: 1,
    answer(view, params) {
      const slot = view.slotFor(params.config(0));
      return {
        absoluteSlot: slot,
        blockHeight: view.ledger.slots.heightOf(slot),
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: view.ledger.history.size,
      };
    },
  },
  getRecentPerformanceSamples: {
    params: 1,
    answer(view, params) {
      const limit = params.raw(0) === undefined ? SAMPLES_MAX : params.integer(0);
      if (limit > SAMPLES_MAX) throw invalidParams(`Invalid limit; max ${SAMPLES_MAX}`);
      return view.ledger.samples.newest(limit);
    },
  },
  getAgGenesisCert: {
    params: 0,
    answer({ ledger: { genesisHash, slots }, distortion }) {
      if (distortion.lacks.has("no_certificate")) throw new RpcError(RPC_CODES.methodNotFound, "Method not found");
      return slots.alpenglowSlot === null ? null : draftCertificate(genesisHash, slots.alpenglowSlot);
    },
  },
  getGenesisHash: { params: 0, answer: (view) => view.ledger.genesisHash },
  getVersion: { params: 0, answer: () => ({ "feature-set": 0, "solana-core": `${API_VERSION}-local` }) },
  getHealth: { params: 0, answer: () => "ok" },
};
