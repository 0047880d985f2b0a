import assert from "node:assert/strict";
import { test } from "node:test";
import { ChainUnavailableError } from "../port.ts";
import { anyTime, aStatus, at, operator, startReader } from "./testing/chain.ts";
import { rpcError } from "./testing/fakeNode.ts";

const line = (slot: number, fields: object = {}) => ({
  signature: `s${slot}`,
  slot,
  err: null,
  blockTime: 1_795_000_000 + slot,
  ...fields,
});

test("a page is newest first, with what failed and what has no block time yet", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getSignaturesForAddress", () => [
    line(9, { blockTime: null }),
    line(8, { signature: "b", err: { InstructionError: [0, { Custom: 1 }] } }),
    line(8),
  ]);
  const { value, slot } = await world.chain.fetchSignatures({ until: "s1", limit: 1_000 }, { ...anyTime, minSlot: 5 });
  assert.deepEqual(
    value.map(({ signature, failed, blockTime }) => [signature, failed, blockTime?.getTime() ?? null]),
    [
      ["s9", false, null],
      ["b", true, 1_795_000_008_000],
      ["s8", false, 1_795_000_008_000],
    ],
  );
  assert.equal(slot, 9);
  assert.deepEqual(world.nodes[0].requests[0]!.params, [
    operator,
    { until: "s1", limit: 1_000, commitment: "confirmed", minContextSlot: 5 },
  ]);
});

test("the slot of an empty page is the one the node had to reach", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getSignaturesForAddress", () => []);
  assert.equal((await world.chain.fetchSignatures({ limit: 10 }, { ...anyTime, minSlot: 77 })).slot, 77);
});

test("a page of a node that ignores minContextSlot is no newer than the newest it names, and that is logged once", async () => {
  await using world = await startReader(1, {}, { ignoresMinSlot: true });
  world.nodes[0].answer("getSignaturesForAddress", ([, form]) =>
    (form as { minContextSlot: number }).minContextSlot === 77 ? [] : [line(80)],
  );
  const slots = [];
  for (const minSlot of [77, 78, 77])
    slots.push((await world.chain.fetchSignatures({ limit: 10 }, { ...anyTime, minSlot })).slot);
  assert.deepEqual(slots, [0, 80, 0], "an empty page says nothing, so the watermark stays");
  assert.equal(world.nodes[0].requests.length, 4, "asked once for a slot that it cannot have");
  assert.equal(world.logged.filter((words) => words.includes("ignores minContextSlot")).length, 1);
});

test("a node must have come within 150 slots of the best known", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getSignaturesForAddress", () => []);
  world.nodes[0].answer("getMultipleAccounts", () => at(1_000, [null]));
  await world.chain.fetchPayments(["x"], anyTime);
  assert.equal((await world.chain.fetchSignatures({ limit: 10 }, anyTime)).slot, 850);
});

test("an unknown `until` gives the newest page, from nodes that say so and from those that do not", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getSignaturesForAddress", ([, form]) =>
    "until" in (form as object) ? rpcError(-32020) : [line(9)],
  );
  const { value } = await world.chain.fetchSignatures({ until: "gone", limit: 10 }, anyTime);
  assert.deepEqual(
    value.map(({ signature }) => signature),
    ["s9"],
  );
});

test("an unknown `before` is never taken for the end of the history", async () => {
  await using world = await startReader(2);
  const [old, young] = world.nodes;
  old.answer("getSignaturesForAddress", () => []);
  old.answer("getSignatureStatuses", () => at(50, [null]));
  young.answer("getSignaturesForAddress", () => rpcError(-32020));
  await assert.rejects(world.chain.fetchSignatures({ before: "x", limit: 10 }, anyTime), {
    name: "ChainUnavailableError",
    message: /node 0: does not know where to go on from; node 1: JSON-RPC error -32020/,
  });
});

test("an empty page after a known `before` is the end", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getSignaturesForAddress", () => []);
  world.nodes[0].answer("getSignatureStatuses", () => at(50, [aStatus(40, "finalized")]));
  assert.deepEqual((await world.chain.fetchSignatures({ before: "x", limit: 10 }, anyTime)).value, []);
});

for (const [name, page] of [
  ["more lines than asked for", [line(9), line(8), line(7)]],
  ["a newer line after an older", [line(8), line(9)]],
  ["a line without err", [{ signature: "a", slot: 1, blockTime: null }]],
  ["null", null],
] as const) {
  test(`a page with ${name} is refused`, async () => {
    await using world = await startReader(1);
    world.nodes[0].answer("getSignaturesForAddress", () => page);
    await assert.rejects(world.chain.fetchSignatures({ limit: 2 }, anyTime), ChainUnavailableError);
  });
}
