import { Lru } from "../../lib/lru.ts";
import type { Commitment } from "../consensus.ts";
import type { Lifetimes, TransactionLife } from "../lifetime.ts";
import type { Clock } from "./clock.ts";
import { fetchBlockhash } from "./latestBlockhash.ts";
import { LAG_SLOTS_MAX } from "./limits.ts";
import { measureTime } from "./measureTime.ts";
import { behind } from "./nodeError.ts";
import type { NodeSession } from "./pool.ts";
import { parseInteger, parseObject, wrong } from "./shapes.ts";
import { getSignatureStatuses } from "./signatures.ts";
import type { Named } from "./signedTransaction.ts";

const KEPT_MAX = 5_000;
/** A node this far behind another does not know the newest blocks yet. */
const LAG_BLOCKS = BigInt(LAG_SLOTS_MAX);

interface Height {
  readonly slot: number;
  readonly height: bigint;
}

/** Judges what can still land, for the transactions that this service built and for those of strangers. */
export function createLifeReads(lifetimes: Lifetimes, clock: Clock) {
  const known = new Lru<string, bigint>(KEPT_MAX);
  const blocks = measureTime(clock);
  const reached = new Map<number, Height>();

  /**
   * The last height of a transaction by its blockhash, or of one of which only the signature is known. What no build
   * names exists by now, so it ends no later than the newest blockhash does, and that is remembered. Null: it has no end.
   */
  async function findLast(session: NodeSession, name: string | null): Promise<bigint | null> {
    if (name === null) return null;
    const kept = known.get(name) ?? (await lifetimes.find(name));
    const last = kept ?? (await fetchBlockhash(session)).lastValidBlockHeight + LAG_BLOCKS;
    known.set(name, last);
    return last;
  }

  async function fetchHeight(session: NodeSession, commitment: Commitment): Promise<Height> {
    const info = parseObject(await session.call("getEpochInfo", [{ commitment }]), "epoch info");
    const slot = parseInteger(info.absoluteSlot, "absoluteSlot");
    const height = BigInt(parseInteger(info.blockHeight, "blockHeight"));
    // A slot has at most one block: such a height would end what can still land.
    if (height > BigInt(slot)) throw wrong("epoch info: more blocks than slots");
    await session.acceptReached(slot);
    acceptHeight(session.node, { slot, height });
    session.acceptSlot(slot, commitment);
    session.acceptAbsence(slot, commitment);
    if (commitment === session.commitment) blocks.record(Number(height));
    return { slot, height };
  }

  /** Refuses a height that passed more blocks than slots since the node's last answer. A refused answer is the last no more. */
  function acceptHeight(node: number, now: Height): void {
    const last = reached.get(node);
    reached.delete(node);
    if (last !== undefined && now.height - last.height > BigInt(now.slot - last.slot) + LAG_BLOCKS)
      throw wrong("epoch info: more blocks than slots since the last");
    reached.set(node, now);
  }

  return {
    /** Saves the lifetime of a build. */
    async save(blockhash: string, last: bigint): Promise<void> {
      if (known.get(blockhash) === last) return;
      await lifetimes.save(blockhash, last);
      known.set(blockhash, last);
    },

    /**
     * Judges by the blocks at a commitment. The node that shows a height above the last one has to say as well that it
     * does not know the signature: another may be behind.
     */
    async judge(session: NodeSession, { name, signature }: Named, commitment: Commitment): Promise<TransactionLife> {
      const last = await findLast(session, name);
      const { slot, height } = await fetchHeight(session, commitment);
      const statuses = await getSignatureStatuses(session, [signature]);
      if (statuses.slot < slot) throw behind("an answer from before the slot it has reached");
      const [status] = statuses.value;
      if (status !== null && status !== undefined) return { kind: status.failed ? "failed" : "landed" };
      if (last === null) return { kind: "live", msLeft: 0 };
      if (height > last) return { kind: "ended", slot };
      // A block may carry a transaction until the head is past it, however long it takes to become final.
      const head = commitment === session.commitment ? height : (await fetchHeight(session, session.commitment)).height;
      return { kind: "live", msLeft: head > last ? 0 : Number(last - head) * blocks.ms() };
    },
  };
}
