import type { ChainReader } from "../port.ts";
import { subscribe } from "./activity.ts";
import { fetchDeploymentFrom, fetchProgramHashFrom } from "./deployment.ts";
import { createHoldingReads } from "./holdings.ts";
import { NO_BLOCK_TIME, NodeError } from "./nodeError.ts";
import { createPaymentReads } from "./paymentReads.ts";
import { createPool, type NodeSession } from "./pool.ts";
import { commitmentOf, formOf } from "./readForm.ts";
import type { SolanaSettings } from "./settings.ts";
import { parseBlockTime, parseInteger } from "./shapes.ts";
import { createTermsReads } from "./termsReads.ts";
import { createTransactionReads } from "./transactionReads.ts";

/** Reads the operator's payments through one or more JSON-RPC nodes. */
export function createSolanaChain(settings: SolanaSettings): ChainReader {
  const pool = createPool(settings);
  return {
    nodes: pool.nodes,
    requestCounts: pool.requestCounts,
    keepTo: pool.keepTo,
    ...createTransactionReads(pool, settings),
    ...createPaymentReads(pool, settings),
    ...createHoldingReads(pool, settings),
    ...createTermsReads(pool, settings),

    fetchGenesisHash: (options) => pool.queue(options).ask((session) => session.identify()),

    fetchDeployment: (options) =>
      pool.queue(options).ask(async (session) => {
        const form = formOf(options);
        return { ...(await fetchDeploymentFrom(session, settings, form)), node: session.node };
      }),

    fetchProgramHash: (options) =>
      pool.queue(options).ask(async (session) => {
        const form = formOf(options);
        return { ...(await fetchProgramHashFrom(session, settings.programId, form)), node: session.node };
      }),

    fetchHead: (options) =>
      pool.queue(options).ask(async (session) => {
        const slot = parseInteger(await session.call("getSlot", [formOf(options)]), "slot");
        await session.acceptReached(slot);
        session.acceptSlot(slot, commitmentOf(options));
        return { value: { blockTime: await fetchBlockTime(session, slot) }, slot, node: session.node };
      }),

    onActivity: (wake) => subscribe(settings, wake),
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
