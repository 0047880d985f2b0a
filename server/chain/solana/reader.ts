import { type ConsensusSeen, commitmentOf, sumUp } from "../consensus.ts";
import { type ChainReader, unlessAway } from "../port.ts";
import { subscribe } from "./activity.ts";
import { fetchConsensus } from "./certificate.ts";
import { fetchDeploymentFrom, fetchProgramHashFrom } from "./deployment.ts";
import { createHoldingReads } from "./holdings.ts";
import { NO_BLOCK_TIME, NodeError } from "./nodeError.ts";
import { createPaymentReads } from "./paymentReads.ts";
import { createPool, type NodeSession } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseBlockTime, parseInteger } from "./shapes.ts";
import { createTermsReads } from "./termsReads.ts";
import { createTransactionReads } from "./transactionReads.ts";

/** Reads the operator's payments through one or more JSON-RPC nodes. */
export function createSolanaChain(settings: SolanaSettings): ChainReader {
  const pool = createPool(settings);
  let seenKind: ConsensusSeen["kind"] | undefined;
  return {
    nodes: pool.nodes,
    get bindCommitment() {
      return commitmentOf(pool.consensus, "bind");
    },
    requestCounts: pool.requestCounts,
    keepTo: pool.keepTo,
    slotsIn: pool.slotsIn,
    ...createTransactionReads(pool, settings),
    ...createPaymentReads(pool, settings),
    ...createHoldingReads(pool, settings),
    ...createTermsReads(pool, settings),

    fetchGenesisHash: (options) => pool.queue(options).ask((session) => session.identify()),

    async detectConsensus(options) {
      if (pool.consensus.kind === "alpenglow") return null;
      // An older node does not know the request, which leaves the consensus unknown.
      const words = await Promise.all(
        Array.from({ length: pool.nodes }, (_, onlyNode) =>
          unlessAway(pool.queue({ ...options, onlyNode }).ask(fetchConsensus)),
        ),
      );
      const seen = sumUp(words);
      if (seen.kind === seenKind || (seen.kind === null && seenKind !== undefined)) return null;
      seenKind = seen.kind;
      if (seen.kind === "alpenglow") {
        pool.consensus.kind = "alpenglow";
        for (const change of pool.consensus.changes) change();
      }
      return seen;
    },

    onDoubt(wake) {
      pool.consensus.doubts.add(wake);
      return () => pool.consensus.doubts.delete(wake);
    },

    fetchDeployment: (options) =>
      pool
        .queue(options)
        .ask(async (session) => ({ ...(await fetchDeploymentFrom(session, settings)), node: session.node })),

    fetchProgramHash: (options) =>
      pool.queue(options).ask(async (session) => ({
        ...(await fetchProgramHashFrom(session, settings.programId)),
        node: session.node,
      })),

    fetchHead: (options) =>
      pool.queue(options).ask(async (session) => {
        const slot = parseInteger(await session.call("getSlot", [session.form]), "slot");
        await session.acceptReached(slot);
        session.acceptSlot(slot);
        return { value: { blockTime: await fetchBlockTime(session, slot) }, slot, node: session.node };
      }),

    onActivity: (wake) => subscribe({ ...settings, consensus: pool.consensus }, wake),
  };
}

/** Fetches the time of a slot; null while the node has none for it, which it says by null or by an error. */
async function fetchBlockTime(session: NodeSession, slot: number): Promise<Date | null> {
  const result = await session.call("getBlockTime", [slot]).catch((error: unknown) => {
    if (error instanceof NodeError && error.code !== null && NO_BLOCK_TIME.has(error.code)) return null;
    throw error;
  });
  return parseBlockTime(result, "block time");
}
