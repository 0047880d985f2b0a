import type { Chain } from "../../chain/chain.ts";
import { ChainUnavailableError, type ReadOptions } from "../../chain/port.ts";
import type { Environment } from "../../domain/terms.ts";

/** The newest slots that this process has seen of an environment's chain, and the number of nodes that answered its last poll. */
export interface ChainHead {
  /** The newest confirmed slot, and the newest final one, which is never above it; null before the first was seen. */
  readonly slot: number | null;
  readonly finalizedSlot: number | null;
  readonly nodes: { readonly healthy: number; readonly total: number };
}

/** By environment. */
export type ChainHeads = Map<Environment, ChainHead>;

const UNSEEN: ChainHead = { slot: null, finalizedSlot: null, nodes: { healthy: 0, total: 0 } };
/** For an environment without a chain, nothing was seen. */
export const headOf = (heads: ChainHeads, environment: Environment): ChainHead => heads.get(environment) ?? UNSEEN;

/** The head before the first poll. */
export const unseenHead = (total: number): ChainHead => ({ ...UNSEEN, nodes: { healthy: 0, total } });

const POLL_MS_MAX = 5_000;

/** Asks every node for its newest slot. A node that does not answer is not healthy; slots seen before stay. */
export async function pollHead({ reader }: Chain, before: ChainHead, stopping: AbortSignal): Promise<ChainHead> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(POLL_MS_MAX)]);
  const fetchSlot = async (options: Pick<ReadOptions, "onlyNode" | "commitment">) => {
    try {
      return (await reader.fetchHead({ signal, ...options })).slot;
    } catch (error) {
      if (error instanceof ChainUnavailableError) return null;
      throw error;
    }
  };
  const asked = Array.from({ length: reader.nodes }, (_, onlyNode) => fetchSlot({ onlyNode }));
  const [finalizedSlot, ...slots] = await Promise.all([fetchSlot({ commitment: "finalized" }), ...asked]);
  const answers = slots.filter((slot) => slot !== null);
  return {
    // Both are asked in parallel, and the answers may be from different moments: a final slot is confirmed, too.
    slot: newest(before.slot, finalizedSlot!, ...answers),
    finalizedSlot: newest(before.finalizedSlot, finalizedSlot!),
    nodes: { healthy: answers.length, total: reader.nodes },
  };
}

/** The head, raised to a slot that other processes have worked through: they have seen it. */
export const withProgress = (head: ChainHead, watermarkSlot: number | null): ChainHead => ({
  ...head,
  slot: newest(head.slot, watermarkSlot),
  finalizedSlot: newest(head.finalizedSlot, watermarkSlot),
});

function newest(...slots: readonly (number | null)[]): number | null {
  const known = slots.filter((slot) => slot !== null);
  return known.length === 0 ? null : Math.max(...known);
}
