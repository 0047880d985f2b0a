import { SLOTS_PER_EPOCH } from "../ledger/slots.ts";
import { RPC_CODES, RpcError } from "./errors.ts";
import { API_VERSION, type Methods } from "./view.ts";

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
  getGenesisHash: { params: 0, answer: (view) => view.ledger.genesisHash },
  getVersion: { params: 0, answer: () => ({ "feature-set": 0, "solana-core": `${API_VERSION}-local` }) },
  getHealth: { params: 0, answer: () => "ok" },
};
