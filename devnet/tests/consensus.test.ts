import assert from "node:assert/strict";
import test from "node:test";
import { aChain, aFolder, aTransfer, PROCESSED, type TestNet } from "../testing/harness.ts";

interface Certificate {
  readonly block: { readonly slot: number; readonly blockId: readonly number[] };
  readonly signature: { readonly signature: readonly number[] };
}

const LEVELS = ["processed", "confirmed", "finalized"] as const;
const certificateOf = (net: TestNet) => net.rpc<Certificate | null>("getAgGenesisCert");
const slotsOf = (net: TestNet) => Promise.all(LEVELS.map((commitment) => net.rpc<number>("getSlot", { commitment })));

async function statusOf(net: TestNet, signature: string) {
  type Status = { confirmationStatus: string; confirmations: number | null };
  const { value } = await net.rpc<{ value: [Status] }>("getSignatureStatuses", [signature]);
  return [value[0].confirmationStatus, value[0].confirmations];
}

test("under alpenglow a transaction is final in the next slot, and the certificate outlasts a restart", async (t) => {
  const dataDir = aFolder(t);
  const net = await aChain(t, { dataDir, consensus: "alpenglow", skipEvery: 3 });
  const certificate = await certificateOf(net);
  const { block, signature } = certificate!;
  assert.deepEqual([block.blockId.length, signature.signature.length], [32, 192]);
  const { base64 } = aTransfer(net);
  const sent = await net.rpc<string>("sendTransaction", base64, PROCESSED);
  for (const status of [
    ["processed", 0],
    ["finalized", null],
  ]) {
    assert.deepEqual(await statusOf(net, sent), status);
    const [processed, confirmed, finalized] = await slotsOf(net);
    assert.equal(confirmed, finalized);
    assert.equal(processed! - finalized!, processed! % 3 === 1 ? 2 : 1);
    net.tick();
  }
  await net.stop();
  assert.deepEqual(await certificateOf(await aChain(t, { dataDir, consensus: "tower" })), certificate);
});

test("a chain with votes goes over to alpenglow while it runs, and nothing that was confirmed is lost", async (t) => {
  const net = await aChain(t);
  assert.equal(await certificateOf(net), null);
  const sent = await net.rpc<string>("sendTransaction", aTransfer(net).base64, PROCESSED);
  net.tick(2);
  assert.deepEqual(await statusOf(net, sent), ["confirmed", 2]);
  const { slot } = net.controls.clock();
  const changed = await net.rpc("devnet_pace", { consensus: "alpenglow", slotMs: 300 });
  assert.deepEqual(changed, { consensus: "alpenglow", slotMs: 300 });
  assert.equal((await certificateOf(net))?.block.slot, slot);
  assert.deepEqual(await statusOf(net, sent), ["finalized", null]);
  await assert.rejects(net.rpc("devnet_pace", { consensus: "tower" }), { code: -32602 });
});

test("samples count the slots of each minute, those without a block too, and its transactions", async (t) => {
  let nowMs = Date.parse("2026-11-28T00:00:00Z");
  const net = await aChain(t, { now: () => nowMs, skipEvery: 4 });
  const samples = (...limit: number[]) => net.rpc<Record<string, number>[]>("getRecentPerformanceSamples", ...limit);
  assert.deepEqual(await samples(), []);
  for (let minute = 0; minute < 2; minute++) {
    await net.rpc("sendTransaction", aTransfer(net, { amount: 2_000_000n + BigInt(minute) }).base64, PROCESSED);
    net.tick(100);
    nowMs += 60_000;
    net.tick();
  }
  const [newest, first] = await samples();
  const { slot } = net.controls.clock();
  const counted = { numTransactions: 1, numNonVoteTransactions: 1, samplePeriodSecs: 60 };
  assert.deepEqual(newest, { ...counted, slot, numSlots: slot - first!.slot! });
  assert.ok(newest!.numSlots! >= 134, "101 blocks");
  assert.equal((await samples(1)).length, 1);
  await assert.rejects(samples(721), { code: -32602 });
  await assert.rejects(net.rpc("getBlockTime", 4), { code: -32007 });
});
