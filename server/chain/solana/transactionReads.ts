import { type ChainReader, ChainUnavailableError, unlessAway } from "../port.ts";
import { fetchInChunks } from "./chunks.ts";
import { fetchTransactionFrom } from "./fetchTransaction.ts";
import { SIGNATURES_PER_REQUEST, STATUSES_PER_REQUEST } from "./limits.ts";
import type { NodeSession, Pool } from "./pool.ts";
import type { SolanaSettings } from "./settings.ts";
import { getSignatureStatuses, getSignaturesForAddress, refusesMinContextSlot } from "./signatures.ts";

type TransactionReads = Pick<ChainReader, "fetchTransaction" | "fetchSignatures" | "fetchSignatureStatuses">;

/** Reads transactions, and the lists that name them. */
export function createTransactionReads(pool: Pool, settings: SolanaSettings): TransactionReads {
  const { programId, operator } = settings;
  const keepsToMinSlot = minSlotKeepers(settings);

  const fetchTransaction: TransactionReads["fetchTransaction"] = async (signature, options) => {
    const wanted = { signature, programId, operator };
    const queue = pool.queue(options);
    let known = false;
    const lookUp = (session: NodeSession) => fetchTransactionFrom(session, wanted, () => (known = true));
    const first = await queue.ask(lookUp);
    if (first.value.kind !== "not_found" || queue.left === 0) return first;

    // A merchant is told that a transaction does not exist only if a second node agrees.
    const second = await queue
      .ask(lookUp)
      .catch((error: unknown) => (error instanceof ChainUnavailableError ? error : Promise.reject(error)));
    if (!(second instanceof ChainUnavailableError)) return second;
    if (known || first.slot < pool.trustedSlot("processed")) throw second;
    return first;
  };

  const fetchStatuses: TransactionReads["fetchSignatureStatuses"] = (signatures, options) =>
    fetchInChunks(pool, signatures, STATUSES_PER_REQUEST, options, async (session, chunk) => {
      const answer = await getSignatureStatuses(session, chunk);
      session.acceptSlot(answer.slot, "processed");
      if (answer.value.includes(null)) session.acceptAbsence(answer.slot, "processed");
      return answer;
    });

  return {
    fetchTransaction,

    fetchSignatures: ({ limit, ...cursors }, options) =>
      pool.queue(options).ask(async (session) => {
        const { commitment } = session;
        const query = { ...cursors, limit: Math.min(limit, SIGNATURES_PER_REQUEST) };
        const minContextSlot = Math.max(options.minSlot ?? 0, pool.trustedSlot(commitment));
        const keepsToSlot = await keepsToMinSlot(session);
        const value = await getSignaturesForAddress(session, operator, query, minContextSlot, commitment);
        await session.acceptReached(value[0]?.slot ?? 0);
        // The answer does not name its slot. It is true at the newest slot it names, and at the one it had to reach.
        const reached = keepsToSlot ? minContextSlot : 0;
        return { value, slot: Math.max(reached, value[0]?.slot ?? 0), node: session.node };
      }),

    // That a transaction failed is no single node's word: where a second one denies it, at most a fork says so.
    async fetchSignatureStatuses(signatures, options) {
      const first = await fetchStatuses(signatures, options);
      const failed = signatures.filter((_, at) => first.value[at]?.failed === true);
      if (failed.length === 0 || pool.nodes === 1) return first;
      const second = await unlessAway(fetchStatuses(failed, { ...options, notNode: first.node }));
      // A caller that stops says nothing of the node.
      if (second === null && options.signal.aborted) throw new ChainUnavailableError("The caller stopped.", "no node");
      if (second === null) return first;
      const known = new Map(failed.map((signature, at) => [signature, second.value[at] ?? null]));
      const value = first.value.map((status, at) => {
        const other = known.get(signatures[at]!);
        if (status === null || other === undefined || other?.failed === true) return status;
        return other ?? ({ ...status, commitment: "processed" } as const);
      });
      return { ...first, value };
    },
  };
}

/**
 * Returns true if a node refuses a `minContextSlot` that it has not reached. A node that ignores it may lag, and a list
 * does not show that.
 */
function minSlotKeepers({ operator, log }: SolanaSettings): (session: NodeSession) => Promise<boolean> {
  const keepsTo = new Map<number, boolean>();
  return async (session) => {
    const known = keepsTo.get(session.node);
    if (known !== undefined) return known;
    const keeps = await refusesMinContextSlot(session, operator);
    keepsTo.set(session.node, keeps);
    if (!keeps)
      log(
        `Node ${session.node} ignores minContextSlot: its lists are read, and intents expire by another node's alone.`,
      );
    return keeps;
  };
}
