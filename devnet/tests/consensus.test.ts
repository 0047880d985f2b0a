import assert from "node:assert/strict";
import { once } from "node:events";
import test from "node:test";
import { eventually } from "../../tests/harness/wait.ts";
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

test("a node of another version refuses version 1, the certificate's method or the word confirmed", async (t) => {
  const net = await aChain(t, { consensus: "alpenglow" });
  const { base64, signature } = aTransfer(net, { version: 1 });
  const confirmed = { commitment: "confirmed" };
  const preflight = { ...PROCESSED, preflightCommitment: "confirmed" };
  const faults = [
    ["version_one_refused", "sendTransaction", -32602, base64, PROCESSED],
    ["version_one_refused", "getTransaction", -32602, signature, { maxSupportedTransactionVersion: 1 }],
    ["no_certificate", "getAgGenesisCert", -32601],
    ["confirmed_refused", "getSlot", -32602, confirmed],
    ["confirmed_refused", "sendTransaction", -32602, base64, preflight],
  ] as const;
  for (const [mode, method, code, ...params] of faults) {
    net.controls.faults({ mode });
    await assert.rejects(net.rpc(method, ...params), { code }, mode);
    net.controls.faults({ mode: "none" });
  }
  await net.rpc("sendTransaction", base64, PROCESSED);
  for (const mode of ["version_one_refused", "no_certificate", "confirmed_refused"] as const)
    net.controls.faults({ mode });
  assert.equal(await net.rpc("getTransaction", signature, { maxSupportedTransactionVersion: 0 }), null);
  assert.ok((await net.rpc<number>("getSlot", { commitment: "finalized" })) > 0);
});

test("notices at confirmed may be skipped while those at finalized come", async (t) => {
  const net = await aChain(t);
  const socket = new WebSocket(net.wsUrl);
  await once(socket, "open");
  t.after(() => socket.close());
  const heard: {
    readonly id?: number;
    readonly error?: { code: number };
    readonly params?: { subscription: number };
  }[] = [];
  socket.onmessage = ({ data }) => heard.push(JSON.parse(String(data)));
  const subscribe = (id: number, commitment: string) =>
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method: "logsSubscribe", params: ["all", { commitment }] }));
  const [confirmed, finalized] = [1, 2];
  subscribe(confirmed, "confirmed");
  subscribe(finalized, "finalized");
  await eventually("both are subscribed", () => heard.length === 2);
  net.controls.faults({ mode: "notices_skipped" });
  await net.rpc("sendTransaction", aTransfer(net).base64, PROCESSED);
  net.tick(8);
  const told = await eventually("a notice came", () => heard.find(({ params }) => params !== undefined));
  assert.equal(told.params!.subscription, finalized);
  net.controls.faults({ mode: "confirmed_refused" });
  subscribe(3, "confirmed");
  const answer = await eventually("an answer came", () => heard.find(({ id }) => id === 3));
  assert.equal(answer.error?.code, -32602);
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
