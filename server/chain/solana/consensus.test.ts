import assert from "node:assert/strict";
import { test } from "node:test";
import { newConsensus } from "../consensus.ts";
import { createSolanaBuilder } from "./builder.ts";
import { anAccount, anAddress, anyTime, at, encoded, operator, programId, startReader } from "./testing/chain.ts";
import { rpcError } from "./testing/fakeNode.ts";

const SLOT = 459_652_999;
const BLOCK_ID = new Array(32).fill(7);
const CERTIFICATE = { block: { slot: SLOT, blockId: BLOCK_ID } };

test("§4.5.10 one node with a certificate is enough, for everything that shares the chain; without one it is read as before", async () => {
  const consensus = newConsensus();
  await using world = await startReader(2, { consensus });
  const [older, newer] = world.nodes;
  older.answer("getAgGenesisCert", () => rpcError(-32601));
  newer.answer("getAgGenesisCert", () => null);
  for (const node of world.nodes) {
    node.answer("getMultipleAccounts", () => at(300, [anAccount(encoded())]));
  }
  const commitmentsAsked = async () => {
    const before = older.requests.length;
    await world.chain.fetchPayments([anAddress(10)], anyTime);
    await world.chain.fetchPayments([anAddress(10)], { ...anyTime, commitment: world.chain.bindCommitment });
    await world.chain.fetchPayments([anAddress(10)], { ...anyTime, commitment: "finalized" });
    return older.requests.slice(before).map(({ params }) => (params[1] as { commitment: string }).commitment);
  };
  assert.equal((await world.chain.detectConsensus(anyTime))?.kind, "tower");
  assert.equal(await world.chain.detectConsensus(anyTime), null);
  assert.deepEqual(await commitmentsAsked(), ["confirmed", "confirmed", "finalized"]);

  newer.answer("getAgGenesisCert", () => CERTIFICATE);
  older.fail({ kind: "http", status: 503 });
  assert.equal((await world.chain.detectConsensus(anyTime))?.kind, "alpenglow");
  older.fail(null);
  world.clock.advance(60_000);
  assert.deepEqual(await commitmentsAsked(), ["finalized", "finalized", "finalized"]);
  const asked = newer.requests.length;
  assert.equal(await world.chain.detectConsensus(anyTime), null, "a chain never goes back, so nobody is asked again");
  assert.equal(newer.requests.length, asked);

  const rpcUrls = world.nodes.map(({ url }) => url);
  const builder = createSolanaBuilder({
    rpcUrls,
    programId,
    operator,
    consensus,
    log: () => undefined,
    unitPriceMax: 0n,
  });
  await builder.buildMemo({ account: anAddress(2), text: "" }, anyTime).catch(() => undefined);
  const words = world.nodes.flatMap(({ requests }) => requests.filter(({ method }) => method === "getLatestBlockhash"));
  assert.ok(words.length > 0 && words.every(({ params }) => JSON.stringify(params).includes("finalized")));
});

test("§4.5.10 BIND_COMMITMENT is for a chain without a certificate: it changes what binds, and no other read", async () => {
  await using world = await startReader(1, { consensus: newConsensus("finalized") });
  assert.equal(world.chain.bindCommitment, "finalized");
  world.nodes[0].answer("getMultipleAccounts", () => at(300, [anAccount(encoded())]));
  await world.chain.fetchPayments([anAddress(10)], anyTime);
  assert.deepEqual(world.nodes[0].requests[0]!.params[1], { encoding: "base64", commitment: "confirmed" });
});

test("§4.5.10 a node that refuses a read at the weaker commitment raises a doubt, and no other refusal does", async () => {
  await using world = await startReader(1);
  let doubts = 0;
  const stop = world.chain.onDoubt(() => doubts++);
  const refuse = async (code: number, commitment?: "finalized") => {
    world.nodes[0].answer("getMultipleAccounts", () => rpcError(code));
    const options = { ...anyTime, ...(commitment && { commitment }) };
    await assert.rejects(world.chain.fetchPayments([anAddress(10)], options));
    return doubts;
  };
  assert.deepEqual([await refuse(-32602), await refuse(-32602, "finalized"), await refuse(-32601)], [1, 1, 1]);
  stop();
  assert.equal(await refuse(-32602), 1);
});

test("§4.5.10 a certificate counts in both spellings, and nothing else that a node answers does", async () => {
  for (const wrong of [true, {}, { block: null }, { block: { slot: SLOT } }, { slot: SLOT, blockId: BLOCK_ID }]) {
    await using world = await startReader(1);
    world.nodes[0].answer("getAgGenesisCert", () => wrong);
    assert.equal((await world.chain.detectConsensus(anyTime))?.kind, null);
    assert.equal(world.chain.bindCommitment, "confirmed");
    assert.equal(await world.chain.detectConsensus(anyTime), null);
    assert.deepEqual(world.logged, ["Node 0 shows a certificate of Alpenglow that cannot be read."]);
  }
  for (const block of [
    { slot: SLOT, blockId: BLOCK_ID },
    { slot: SLOT, block_id: BLOCK_ID },
  ]) {
    await using world = await startReader(2);
    world.nodes[1].answer("getAgGenesisCert", () => ({ block }));
    const seen = { kind: "alpenglow", sinceSlot: SLOT, isContradicted: true };
    assert.deepEqual(await world.chain.detectConsensus(anyTime), seen);
    assert.equal(world.chain.bindCommitment, "finalized");
  }
});
