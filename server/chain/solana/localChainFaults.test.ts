import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Devnet } from "@holdfast/devnet/start.ts";
import type { ChainReader } from "../port.ts";
import { anyTime } from "./testing/chain.ts";
import { startLocalChain } from "./testing/localChain.ts";

let local: Awaited<ReturnType<typeof startLocalChain>>;
let net: Devnet;
let chain: ChainReader;

before(async () => {
  // Only a block that waits for votes can be dropped.
  local = await startLocalChain({ consensus: "tower" });
  net = local.net;
  chain = local.openChain("first", "second");
});
after(() => local.stop());

test("a transaction that was dropped is gone, and both nodes have to say so", async () => {
  const { address, signature } = await local.aPayment();
  net.controls.tick(2);
  assert.equal((await chain.fetchTransaction(signature, anyTime)).value.kind, "landed");
  net.controls.drop(signature);
  const { value, node } = await chain.fetchTransaction(signature, anyTime);
  assert.deepEqual([value.kind, node], ["not_found", 1]);
  assert.deepEqual((await chain.fetchSignatureStatuses([signature], anyTime)).value, [null]);
  assert.deepEqual((await chain.fetchPayments([address], anyTime)).value, [null]);
});

const nodeFaults = [
  { mode: "rate_limited" },
  { mode: "malformed" },
  { mode: "not_json" },
  { mode: "empty" },
  { mode: "server_error" },
  { mode: "reset" },
  { mode: "rpc_error" },
  { mode: "null_result" },
  { mode: "pruned", slots: 0 },
] as const;
for (const rule of nodeFaults) {
  test(`with one node of two at fault (${rule.mode}) the payment is found all the same`, async () => {
    const { address, signature } = await local.aPayment();
    net.controls.tick(2);
    net.controls.faults({ ...rule, node: "ill" });
    const reader = local.openChain("ill", "well");
    assert.equal((await reader.fetchTransaction(signature, anyTime)).value.kind, "landed");
    assert.ok((await reader.fetchPayments([address], anyTime)).value[0]);
    net.controls.faults({ mode: "none" });
  });
}

test("a node that lags 151 slots does not hide what the other has", async () => {
  net.controls.tick(200);
  const { address, signature } = await local.aPayment();
  net.controls.tick(2);
  net.controls.faults({ mode: "stale_slot", node: "old", slots: 151 });
  const reader = local.openChain("old", "new");
  const head = await reader.fetchHead({ ...anyTime, notNode: 0 });
  assert.equal(head.node, 1);
  assert.equal((await reader.fetchTransaction(signature, anyTime)).node, 1);
  assert.equal((await reader.fetchPayments([address], anyTime)).node, 1);
  assert.equal((await reader.fetchSignatures({ limit: 10 }, anyTime)).value[0]?.signature, signature);
  net.controls.faults({ mode: "none" });
});

test("no block time, an unknown cursor and a shuffled slot are answers like any other", async () => {
  const first = await local.aPayment();
  const second = await local.aPayment();
  net.controls.tick(2);
  for (const mode of ["no_block_time", "until_unknown", "reorder"] as const) net.controls.faults({ mode });
  const { value } = await chain.fetchSignatures({ until: first.signature, limit: 2 }, anyTime);
  assert.deepEqual(new Set(value.map(({ signature }) => signature)), new Set([first.signature, second.signature]));
  assert.ok(value.every(({ blockTime }) => blockTime === null));
  assert.equal((await chain.fetchHead(anyTime)).value.blockTime, null);
  net.controls.faults({ mode: "none" });
});
