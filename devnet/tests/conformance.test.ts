import assert from "node:assert/strict";
import test from "node:test";
import { CONSENSUSES } from "../ledger/slots.ts";
import { runConformance } from "../testing/conformance.ts";
import { aChain, aTransfer, PROCESSED } from "../testing/harness.ts";

/** Owns the feature accounts: few, and on every cluster. */
const FEATURE_PROGRAM = "Feature111111111111111111111111111111111111";

for (const consensus of CONSENSUSES)
  test(`the local chain answers every request of the table as a validator does, with ${consensus}`, async (t) => {
    const net = await aChain(t, { consensus });
    await net.rpc("sendTransaction", aTransfer(net).base64, PROCESSED);
    net.tick(9);
    assert.deepEqual(await runConformance(net.rpcUrl, net.programId, { consensus }), new Map());
  });

test("the table sees a node that answers wrongly", async (t) => {
  const net = await aChain(t);
  await net.rpc("sendTransaction", aTransfer(net).base64, PROCESSED);
  net.tick(9);
  net.controls.faults({ mode: "null_result", methods: ["getBalance"] });
  net.controls.faults({ mode: "rpc_error", methods: ["getTokenSupply"] });
  const failures = await runConformance(net.rpcUrl, net.programId, { consensus: "alpenglow" });
  assert.deepEqual([...failures.keys()], ["a balance", "a supply", "the certificate"]);
});

// Only where a node is named: RPC_URL=… npm test -- devnet/tests/conformance
const node = process.env.RPC_URL;
if (node !== undefined)
  test("the node at RPC_URL answers every request of the table", async () => {
    assert.deepEqual(await runConformance(node, FEATURE_PROGRAM, { consensus: null }), new Map());
  });
