import assert from "node:assert/strict";
import { test } from "node:test";
import type { Chain } from "../../chain/chain.ts";
import type { ConsensusSeen } from "../../chain/consensus.ts";
import { lookAtConsensus } from "./consensus.ts";

test("§4.5.10 the log says which consensus was seen, and that nodes contradict each other", async () => {
  const said = async (seen: ConsensusSeen | null) => {
    const lines: string[] = [];
    const chain = { environment: "live", reader: { detectConsensus: async () => seen } } as unknown as Chain;
    await lookAtConsensus(chain, (text) => lines.push(text), new AbortController().signal);
    return lines.join(" ");
  };
  assert.equal(await said(null), "");
  assert.match(await said({ kind: null, sinceSlot: null, isContradicted: false }), /No node says/);
  assert.equal(await said({ kind: "tower", sinceSlot: null, isContradicted: false }), "live chain: It runs TowerBFT.");
  const alpenglow = { kind: "alpenglow", sinceSlot: 7, isContradicted: false } as const;
  assert.match(await said(alpenglow), /Alpenglow since slot 7\. .*`finalized`\.$/);
  assert.match(await said({ ...alpenglow, isContradicted: true }), /contradict each other/);
});
