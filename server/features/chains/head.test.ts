import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chain } from "../../chain/chain.ts";
import { type ChainReader, ChainUnavailableError } from "../../chain/port.ts";
import { type ChainHead, pollHead, withProgress } from "./head.ts";

const BEFORE: ChainHead = { slot: 100, finalizedSlot: 68, nodes: { healthy: 2, total: 2 } };

/**
 * A chain of two nodes: the slots that each shows as confirmed, and the one that one of them shows as final. Null
 * stands for no answer.
 */
function aChain(confirmed: readonly (number | null)[], finalized: number | null): Chain {
  const fetchHead: ChainReader["fetchHead"] = async ({ commitment, onlyNode }) => {
    const slot = commitment === "finalized" ? finalized : confirmed[onlyNode!]!;
    if (slot === null) throw new ChainUnavailableError("away");
    return { slot, value: { blockTime: null }, node: onlyNode ?? 0 };
  };
  return { reader: { nodes: confirmed.length, fetchHead } } as unknown as Chain;
}

const poll = (chain: Chain) => pollHead(chain, BEFORE, new AbortController().signal);

test("§4.12 the newest answer counts, and a node that does not answer is not healthy", async () => {
  const head = await poll(aChain([null, 110], 78));
  assert.deepEqual(head, { slot: 110, finalizedSlot: 78, nodes: { healthy: 1, total: 2 } });
});

test("§4.12 what was seen stays seen, by nodes that are away or behind", async () => {
  assert.deepEqual(await poll(aChain([null, null], null)), { ...BEFORE, nodes: { healthy: 0, total: 2 } });
  assert.deepEqual(await poll(aChain([90, 91], 60)), BEFORE);
});

test("§4.12 the finalized slot is never above the slot, however late the answers to one poll come", async () => {
  assert.deepEqual(await poll(aChain([101, null], 130)), {
    slot: 130,
    finalizedSlot: 130,
    nodes: { healthy: 1, total: 2 },
  });
});

test("§4.12 what another process has worked through is known, if not from this one's poll", () => {
  assert.deepEqual(withProgress(BEFORE, null), BEFORE);
  assert.deepEqual(withProgress(BEFORE, 60), BEFORE);
  assert.deepEqual(withProgress(BEFORE, 80), { ...BEFORE, finalizedSlot: 80 });
  assert.deepEqual(withProgress(BEFORE, 120), { ...BEFORE, slot: 120, finalizedSlot: 120 });
  const unseen: ChainHead = { slot: null, finalizedSlot: null, nodes: { healthy: 0, total: 1 } };
  assert.deepEqual(withProgress(unseen, 5), { ...unseen, slot: 5, finalizedSlot: 5 });
});
