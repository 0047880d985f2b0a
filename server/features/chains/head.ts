import { ChainUnavailableError } from "../../chain/port.ts";
import type { Environment } from "../../domain/terms.ts";
import type { Chain } from "./chain.ts";

/** How far this process has seen an environment's chain, and how many of its nodes answered at the last poll. */
export interface ChainHead {
  /** The newest slot that is confirmed, and the newest that is final, which is never above the first; null: none was seen yet. */
  readonly slot: number | null;
  readonly finalizedSlot: number | null;
  readonly nodes: { readonly healthy: number; readonly total: number };
}

/** By environment. */
export type ChainHeads = Map<Environment, ChainHead>;

const UNSEEN: ChainHead = { slot: null, finalizedSlot: null, nodes: { healthy: 0, total: 0 } };
/** Of an environment without a chain: nothing was seen. */
export const headOf = (heads: ChainHeads, environment: Environment): ChainHead => heads.get(environment) ?? UNSEEN;

/** Until the first poll. */
export const unseenHead = (total: number): ChainHead => ({ ...UNSEEN, nodes: { healthy: 0, total } });

const POLL_MS_MAX = 5_000;

/** Asks every node for its newest slot. Nodes that do not answer are not healthy; what was seen before stays seen. */
export async function pollHead({ reader }: Chain, before: ChainHead, stopping: AbortSignal): Promise<ChainHead> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(POLL_MS_MAX)]);
  const fetchSlot = async (options: { onlyNode?: number; commitment: "confirmed" | "finalized" }) => {
    try {
      return (await reader.fetchHead({ signal, ...options })).slot;
    } catch (error) {
      if (error instanceof ChainUnavailableError) return null;
      throw error;
    }
  };
  const asked = Array.from({ length: reader.nodes }, (_, onlyNode) => fetchSlot({ onlyNode, commitment: "confirmed" }));
  const [finalizedSlot, ...slots] = await Promise.all([fetchSlot({ commitment: "finalized" }), ...asked]);
  const answers = slots.filter((slot) => slot !== null);
  return {
    // The two are asked at once and may be answered apart: what is final is confirmed too.
    slot: newest(before.slot, finalizedSlot!, ...answers),
    finalizedSlot: newest(before.finalizedSlot, finalizedSlot!),
    nodes: { healthy: answers.length, total: reader.nodes },
  };
}

/** The head, where other processes have worked through everything up to a slot: they saw that one. */
export const withProgress = (head: ChainHead, watermarkSlot: number | null): ChainHead => ({
  ...head,
  slot: newest(head.slot, watermarkSlot),
  finalizedSlot: newest(head.finalizedSlot, watermarkSlot),
});

function newest(...slots: readonly (number | null)[]): number | null {
  const known = slots.filter((slot) => slot !== null);
  return known.length === 0 ? null : Math.max(...known);
}
