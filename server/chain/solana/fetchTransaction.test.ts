import assert from "node:assert/strict";
import { test } from "node:test";
import { ChainUnavailableError } from "../port.ts";
import { anAddress, anyTime, aSignature, aStatus, aTransaction, at, startReader } from "./testing/chain.ts";
import { type FakeNode, rpcError } from "./testing/fakeNode.ts";

/** Sets a node's answers: the transaction, a status for it, or nothing. */
function know(node: FakeNode, slot: number, status: object | null, transaction: object | null = null): void {
  node.answer("getTransaction", () => transaction);
  node.answer("getSignatureStatuses", () => at(slot, [status]));
}

test("a transaction that landed costs one request", async () => {
  await using world = await startReader(2);
  know(world.nodes[0], 200, null, aTransaction());
  const { value, slot, node } = await world.chain.fetchTransaction(aSignature, anyTime);
  assert.ok(value.kind === "landed");
  assert.deepEqual(value.transaction.created, [anAddress(10)]);
  assert.deepEqual([slot, node], [100, 0]);
  assert.deepEqual([...world.chain.requestCounts], [["getTransaction", 1]]);
  assert.deepEqual(world.nodes[0].requests[0]!.params, [
    aSignature,
    { commitment: "confirmed", encoding: "json", maxSupportedTransactionVersion: 1 },
  ]);
});

test("a newer version than the node was asked for is asked for again", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getTransaction", ([, form]) =>
    (form as { maxSupportedTransactionVersion: number }).maxSupportedTransactionVersion === 1
      ? rpcError(-32015)
      : { ...aTransaction(), version: 2 },
  );
  assert.equal((await world.chain.fetchTransaction(aSignature, anyTime)).value.kind, "landed");
});

test("§4.5.10 processed only is not_confirmed, and so is confirmed where finalized is wanted", async () => {
  await using world = await startReader(2);
  know(world.nodes[0], 200, aStatus(199, "processed"));
  assert.deepEqual((await world.chain.fetchTransaction(aSignature, anyTime)).value, { kind: "not_confirmed" });
  know(world.nodes[0], 200, aStatus(199, "confirmed"));
  const finalized = { ...anyTime, commitment: "finalized" } as const;
  assert.deepEqual((await world.chain.fetchTransaction(aSignature, finalized)).value, { kind: "not_confirmed" });
});

test("what lands between the two questions is found", async () => {
  await using world = await startReader(1);
  const answers = [null, aTransaction()];
  know(world.nodes[0], 200, aStatus(100, "confirmed"));
  world.nodes[0].answer("getTransaction", () => answers.shift());
  assert.equal((await world.chain.fetchTransaction(aSignature, anyTime)).value.kind, "landed");
});

test("a node that knows the status and lost the transaction is not believed", async () => {
  await using world = await startReader(2);
  know(world.nodes[0], 200, aStatus(100, "finalized"));
  know(world.nodes[1], 200, null, aTransaction());
  const { value, node } = await world.chain.fetchTransaction(aSignature, anyTime);
  assert.deepEqual([value.kind, node], ["landed", 1]);
});

test("§4.5.9 not_found is said after both nodes said it", async () => {
  await using world = await startReader(2);
  know(world.nodes[0], 200, null);
  know(world.nodes[1], 201, null);
  assert.deepEqual(await world.chain.fetchTransaction(aSignature, anyTime), {
    value: { kind: "not_found" },
    slot: 201,
    node: 1,
  });
});

test("§4.5.9 what one node has not found, the other may have", async () => {
  await using world = await startReader(2);
  know(world.nodes[0], 200, null);
  know(world.nodes[1], 200, null, aTransaction());
  assert.equal((await world.chain.fetchTransaction(aSignature, anyTime)).value.kind, "landed");
});

test("§4.5.9 one node alone says not_found while the other is down", async () => {
  await using world = await startReader(2);
  know(world.nodes[0], 200, null);
  world.nodes[1].fail({ kind: "http", status: 500 });
  const { value, node } = await world.chain.fetchTransaction(aSignature, anyTime);
  assert.deepEqual([value.kind, node], ["not_found", 0]);
});

for (const [lag, kind] of [
  [150, "not_found"],
  [151, "unavailable"],
] as const) {
  test(`§4.5.9 ${lag} slots behind the best known, a lone node's not_found is ${kind}`, async () => {
    await using world = await startReader(2);
    know(world.nodes[1], 1_000, null);
    know(world.nodes[0], 1_000, null);
    await world.chain.fetchTransaction(aSignature, anyTime);
    world.clock.advance(60_001); // After this time a node's slot may go back; the other one's slot stays the best known.

    know(world.nodes[0], 1_000 - lag, null);
    world.nodes[1].fail({ kind: "http", status: 500 });
    const answer = await world.chain.fetchTransaction(aSignature, anyTime).catch((error: unknown) => error);
    if (kind === "not_found") assert.deepEqual((answer as { value: unknown }).value, { kind });
    else assert.match(String(answer), /node 0: too far behind to know.*node 1: HTTP 500/);
  });
}

test("§4.5.9 a node that turns out to lag behind the second is not the one that says not_found", async () => {
  await using world = await startReader(2);
  know(world.nodes[0], 100, null);
  know(world.nodes[1], 1_000, null);
  const { value, node } = await world.chain.fetchTransaction(aSignature, anyTime);
  assert.deepEqual([value.kind, node], ["not_found", 1]);
});

test("§4.5.9 not_found is not said of a signature that another node knows, though it cannot show the transaction", async () => {
  await using world = await startReader(2);
  know(world.nodes[0], 200, null);
  know(world.nodes[1], 200, aStatus(100, "finalized"));
  await assert.rejects(world.chain.fetchTransaction(aSignature, anyTime), /node 1: knows the signature but not/);
});

test("an answer from before minSlot is refused, a transaction is not", async () => {
  await using world = await startReader(1);
  know(world.nodes[0], 199, null);
  await assert.rejects(world.chain.fetchTransaction(aSignature, { ...anyTime, minSlot: 200 }), ChainUnavailableError);
  know(world.nodes[0], 199, null, aTransaction());
  assert.equal((await world.chain.fetchTransaction(aSignature, { ...anyTime, minSlot: 200 })).value.kind, "landed");
});

test("signature statuses come in the order asked, 256 a request, at the slot of the oldest answer", async () => {
  await using world = await startReader(1);
  const signatures = Array.from({ length: 600 }, (_, number) => `signature${number}`);
  let slot = 500;
  world.nodes[0].answer("getSignatureStatuses", ([asked]) => {
    slot += 1;
    return at(
      slot,
      (asked as string[]).map((name) => (name === "signature7" ? null : aStatus(Number(name.slice(9)), "finalized"))),
    );
  });
  const answer = await world.chain.fetchSignatureStatuses(signatures, anyTime);
  assert.deepEqual(
    answer.value.map((status) => status?.slot ?? 7),
    signatures.map((_, number) => number),
  );
  assert.deepEqual([answer.slot, answer.value[7]], [501, null]);
  assert.equal(world.chain.requestCounts.get("getSignatureStatuses"), 3);
});

test("a status without a commitment is finalized once no confirmations are left to count", async () => {
  await using world = await startReader(1);
  const old = { slot: 1, err: null, confirmations: null, confirmationStatus: null };
  know(world.nodes[0], 200, old);
  assert.equal((await world.chain.fetchSignatureStatuses(["x"], anyTime)).value[0]?.commitment, "finalized");
  know(world.nodes[0], 200, { ...old, confirmations: 3 });
  assert.equal((await world.chain.fetchSignatureStatuses(["x"], anyTime)).value[0]?.commitment, "processed");
});

test("§4.14.11 that a transaction failed holds by the word of two nodes where a second one answers", async () => {
  await using world = await startReader(2);
  const failed = { ...aStatus(100, "finalized"), err: { InstructionError: [0, "Custom"] } };
  const ask = async (second: object | null) => {
    know(world.nodes[0], 200, failed);
    know(world.nodes[1], 200, second);
    const status = (await world.chain.fetchSignatureStatuses(["x"], anyTime)).value[0]!;
    return [status.failed, status.commitment];
  };
  assert.deepEqual(await ask(failed), [true, "finalized"]);
  assert.deepEqual(await ask(aStatus(100, "confirmed")), [false, "confirmed"]);
  assert.deepEqual(await ask(null), [true, "processed"], "a fork may say so");
  world.nodes[1].answer("getSignatureStatuses", () => rpcError(-32005));
  assert.equal((await world.chain.fetchSignatureStatuses(["x"], anyTime)).value[0]?.commitment, "finalized");
});
