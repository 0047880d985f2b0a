import assert from "node:assert/strict";
import { test } from "node:test";
import { encodePaymentAccount, SYSTEM_PROGRAM_ID, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { ChainUnavailableError, isPayment } from "../port.ts";
import { anAccount, anAddress, anyTime, at, encoded, operator, programId, startReader } from "./testing/chain.ts";
import { rpcError } from "./testing/fakeNode.ts";

const tombstone = Uint8Array.from(
  encodePaymentAccount({
    kind: "tombstone",
    bump: 1,
    status: "released",
    outcome: "resolved",
    paymentId: 42n,
    amountReleased: 700n,
    amountRefunded: 300n,
    disputedAt: 5n,
    settledAt: 6n,
    refundedAt: 7n,
  }),
);
const operatorAccount = Uint8Array.from(
  encodePaymentAccount({
    kind: "operator",
    bump: 1,
    authority: anAddress(5),
    arbiter: anAddress(6),
    pendingAuthority: null,
    pendingArbiter: null,
  }),
);

test("a payment account is read to the last digit", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getMultipleAccounts", () => at(300, [anAccount(encoded())]));
  const { value, slot, node } = await world.chain.fetchPayments([anAddress(10)], anyTime);
  assert.deepEqual([slot, node], [300, 0]);
  assert.deepEqual(value[0], {
    address: anAddress(10),
    operator,
    sender: anAddress(2),
    recipient: anAddress(3),
    paymentId: "18446744073709551615",
    amount: "9223372036854775809",
    asset: anAddress(4),
    tokenProgram: TOKEN_PROGRAM_ID,
    decimals: 6,
    protectionPeriod: "oneDay",
    status: "protected",
    outcome: null,
    createdAt: new Date(1_795_000_000_000),
    protectionDeadline: new Date(1_795_086_400_000),
    disputedAt: null,
    settledAt: null,
    refundedAt: null,
    refundTotal: "0",
    amountRefunded: "0",
    amountReleased: "0",
    arbiter: anAddress(5),
    rentPayer: anAddress(2),
    termsHash: null,
  });
});

test("accounts of other programs, operators and shapes are null; a tombstone says how its payment ended", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getMultipleAccounts", () =>
    at(300, [
      null,
      anAccount(encoded(), SYSTEM_PROGRAM_ID),
      anAccount(encoded({ operator: anAddress(9) })),
      anAccount(operatorAccount),
      anAccount(new Uint8Array(0)),
      anAccount(tombstone),
      anAccount(encoded({ status: "refunded", outcome: "resolved", disputedAt: 5n, refundedAt: 6n })),
    ]),
  );
  const { value } = await world.chain.fetchPayments(Array(7).fill(anAddress(10)), anyTime);
  assert.deepEqual(value.slice(0, 5), [null, null, null, null, null]);
  assert.deepEqual(value[5], {
    isClosed: true,
    bump: 1,
    address: anAddress(10),
    paymentId: "42",
    status: "released",
    outcome: "resolved",
    amountReleased: "700",
    amountRefunded: "300",
    disputedAt: new Date(5_000),
    settledAt: new Date(6_000),
    refundedAt: new Date(7_000),
  });
  const last = value[6];
  assert.ok(last !== undefined && isPayment(last));
  assert.deepEqual(
    [last.status, last.outcome, last.disputedAt?.getTime(), last.refundedAt?.getTime()],
    ["refunded", "resolved", 5_000, 6_000],
  );
});

const garbage = encoded();
garbage[3] = 9;
for (const [name, answer] of [
  ["bytes the program never writes", at(300, [anAccount(garbage)])],
  ["a time beyond all dates", at(300, [anAccount(encoded({ createdAt: 2n ** 62n }))])],
  ["too few accounts", at(300, [])],
  ["no base64", at(300, [{ ...anAccount(encoded()), data: ["_-*".repeat(96), "base64"] }])],
  ["another encoding", at(300, [{ ...anAccount(encoded()), data: ["xx", "base58"] }])],
  ["no context", [anAccount(encoded())]],
] as const) {
  test(`an answer with ${name} is the node's fault, never a missing payment`, async () => {
    await using world = await startReader(1);
    world.nodes[0].answer("getMultipleAccounts", () => answer);
    await assert.rejects(world.chain.fetchPayments([anAddress(10)], anyTime), ChainUnavailableError);
  });
}

test("any number of accounts: 100 a request, in order, all from one node, as old as the oldest answer", async () => {
  await using world = await startReader(2);
  const addresses = Array.from({ length: 1_050 }, (_, number) => anAddress(number + 100));
  let slot = 400;
  for (const node of world.nodes) {
    node.answer("getMultipleAccounts", ([asked]) => {
      slot -= 1;
      return at(
        slot,
        (asked as string[]).map((address) =>
          anAccount(encoded({ paymentId: BigInt(addresses.indexOf(address as never)) })),
        ),
      );
    });
  }
  const answer = await world.chain.fetchPayments(addresses, anyTime);
  assert.deepEqual(
    answer.value.map((payment) => isPayment(payment) && payment.paymentId),
    addresses.map((_, number) => String(number)),
  );
  assert.deepEqual(
    [answer.slot, answer.node, world.nodes[0].requests.length, world.nodes[1].requests.length],
    [389, 0, 11, 0],
  );
  assert.deepEqual((await world.chain.fetchPayments([], { ...anyTime, minSlot: 9 })).value, []);
});

test("a node that fails half-way is replaced as a whole", async () => {
  await using world = await startReader(2);
  const addresses = Array.from({ length: 300 }, (_, number) => anAddress(number + 100));
  for (const node of world.nodes) {
    node.answer("getMultipleAccounts", ([asked]) =>
      at(
        400,
        (asked as string[]).map(() => anAccount(encoded())),
      ),
    );
  }
  world.nodes[0].failOnce({ kind: "http", status: 429 });
  assert.equal((await world.chain.fetchPayments(addresses, anyTime)).node, 1);
  assert.equal(world.nodes[1].requests.length, 3);
});

test("minSlot goes to the node, and an older answer is refused all the same", async () => {
  await using world = await startReader(2);
  world.nodes[0].answer("getMultipleAccounts", () => at(299, [anAccount(encoded())]));
  world.nodes[1].answer("getMultipleAccounts", () => at(300, [anAccount(encoded())]));
  assert.equal((await world.chain.fetchPayments([anAddress(10)], { ...anyTime, minSlot: 300 })).node, 1);
  assert.deepEqual(world.nodes[0].requests[0]!.params, [
    [anAddress(10)],
    { encoding: "base64", commitment: "confirmed", minContextSlot: 300 },
  ]);
});

test("§4.5.14 a large payment that is to be bound is shown only if a second node has the same", async () => {
  const from = 2n ** 63n;
  await using world = await startReader(2, { secondNodeFrom: new Map([["*", from]]) });
  const [first, second] = world.nodes;
  const accounts = [anAccount(encoded()), anAccount(encoded({ amount: from - 1n })), null];
  first.answer("getMultipleAccounts", () => at(300, accounts));
  const read = async (toBind = true) => {
    const addresses = [anAddress(10), anAddress(11), anAddress(12)];
    const { value, node } = await world.chain.fetchPayments(addresses, { ...anyTime, toBind });
    return [node, ...value.map((account) => account !== null)];
  };
  const answers: [unknown, boolean][] = [
    [accounts[0], true],
    [anAccount(tombstone), false],
    [null, false],
    [anAccount(encoded({ amount: from })), false],
    [anAccount(encoded({ recipient: anAddress(9) })), false],
    [anAccount(encoded({ status: "disputed", disputedAt: 5n })), true],
  ];
  for (const [answer, isShown] of answers) {
    second.answer("getMultipleAccounts", () => at(300, [answer]));
    assert.deepEqual(await read(), [0, isShown, true, false]);
  }
  assert.deepEqual(second.requests.at(-1)!.params[0], [anAddress(10)], "only the large one is asked about");
  second.fail({ kind: "http", status: 500 });
  assert.deepEqual(await read(), [0, false, true, false]);
  const asked = second.requests.length;
  assert.deepEqual(await read(false), [0, true, true, false], "what is bound already is one node's to show");
  assert.equal(second.requests.length, asked);
});

test("a node far behind is believed about what is there, not about what is missing", async () => {
  await using world = await startReader(2);
  const [lagging, ahead] = world.nodes;
  ahead.answer("getMultipleAccounts", () => at(1_000, [anAccount(encoded())]));
  await world.chain.fetchPayments([anAddress(10)], { ...anyTime, notNode: 0 });

  lagging.answer("getMultipleAccounts", () => at(849, [anAccount(encoded())]));
  assert.equal((await world.chain.fetchPayments([anAddress(10)], anyTime)).node, 0);
  lagging.answer("getMultipleAccounts", () => at(849, [null]));
  assert.equal((await world.chain.fetchPayments([anAddress(10)], anyTime)).node, 1);
});

test("one URL may hide several machines: for a minute its highest slot counts, then the newest", async () => {
  await using world = await startReader(1);
  const [node] = world.nodes;
  const slots = [1_000, 849, 849];
  node.answer("getMultipleAccounts", () => at(slots.shift()!, [null]));
  const read = () => world.chain.fetchPayments([anAddress(10)], anyTime);
  await read();
  await assert.rejects(read(), /too far behind/);
  world.clock.advance(60_001);
  assert.deepEqual((await read()).value, [null]);
});

test("an answer that names a slot its node has not reached is no answer; after a pause one far ahead is believed", async () => {
  await using world = await startReader(2);
  let slot = 1_000;
  for (const node of world.nodes) {
    node.answer("getMultipleAccounts", () => at(slot, [anAccount(encoded())]));
    node.answer("getSlot", () => slot);
  }
  const read = () => world.chain.fetchPayments([anAddress(10)], anyTime);
  await read();
  world.nodes[0].failOnce({ kind: "result", result: at(10 ** 15, [anAccount(encoded())]) });
  assert.deepEqual(
    [(await read()).slot, (await read()).node],
    [1_000, 1],
    "the other node's answer, and it is asked first",
  );
  assert.match(world.logged.join(), /Node 0 failed: an answer from a slot that it has not reached/);

  slot = 900_000;
  assert.equal((await read()).slot, 900_000);
  const asked = world.nodes[1].requests.length;
  await read();
  assert.equal(world.nodes[1].requests.length, asked + 1, "only a jump costs another request");
});

test("every payment of the operator in one request; a node that ignores the filters changes nothing", async () => {
  await using world = await startReader(1);
  const accounts = [encoded(), encoded({ operator: anAddress(9) }), tombstone].map((data, number) => ({
    pubkey: anAddress(10 + number),
    account: anAccount(data),
  }));
  world.nodes[0].answer("getProgramAccounts", () => at(300, accounts));
  const { value, slot } = await world.chain.fetchPaymentsInSpan(null, { ...anyTime, commitment: "finalized" });
  assert.deepEqual([value.map(({ address }) => address), slot], [[anAddress(10)], 300]);
  assert.deepEqual(world.nodes[0].requests[0]!.params, [
    programId,
    {
      encoding: "base64",
      withContext: true,
      filters: [{ dataSize: 312 }, { memcmp: { offset: 184, bytes: operator, encoding: "base58" } }],
      commitment: "finalized",
    },
  ]);
});

test("the head is a slot and its block time, null while the node has none", async () => {
  await using world = await startReader(1);
  const [node] = world.nodes;
  node.answer("getSlot", () => 300);
  node.answer("getBlockTime", ([slot]) => (slot === 300 ? 1_795_000_000 : rpcError(-32602)));
  const answer = await world.chain.fetchHead({ ...anyTime, commitment: "finalized", minSlot: 299 });
  assert.deepEqual([answer.slot, answer.value.blockTime?.getTime()], [300, 1_795_000_000_000]);
  assert.deepEqual(node.requests[0]!.params, [{ commitment: "finalized", minContextSlot: 299 }]);

  for (const none of [null, rpcError(-32004), rpcError(-32007)]) {
    node.answer("getBlockTime", () => none);
    assert.equal((await world.chain.fetchHead(anyTime)).value.blockTime, null);
  }
  node.answer("getBlockTime", () => rpcError(-32603));
  await assert.rejects(world.chain.fetchHead(anyTime), ChainUnavailableError);
  await assert.rejects(world.chain.fetchHead({ ...anyTime, minSlot: 301 }), /from before the slot asked for/);
});

test("mint and recipient come in one request", async () => {
  await using world = await startReader(1);
  const mint = new Uint8Array(82);
  mint[44] = 6;
  mint[45] = 1;
  world.nodes[0].answer("getMultipleAccounts", () => at(300, [anAccount(mint, TOKEN_PROGRAM_ID), null]));
  const { value } = await world.chain.fetchTerms({ asset: anAddress(4), recipient: anAddress(3) }, anyTime);
  assert.deepEqual(value, {
    mint: { decimals: 6, tokenProgram: TOKEN_PROGRAM_ID, riskyExtensions: [] },
    recipient: "wallet",
  });
  assert.equal(world.nodes[0].requests.length, 1);
});
