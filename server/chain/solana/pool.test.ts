import assert from "node:assert/strict";
import { test } from "node:test";
import { ChainUnavailableError } from "../port.ts";
import { anyTime, startReader } from "./testing/chain.ts";
import { type Fault, rpcError } from "./testing/fakeNode.ts";

const genesis = () => "genesis";

const faults: readonly { name: string; fault: Fault; says: RegExp }[] = [
  { name: "HTTP 429", fault: { kind: "http", status: 429 }, says: /node 0: HTTP 429/ },
  { name: "HTTP 503", fault: { kind: "http", status: 503 }, says: /node 0: HTTP 503/ },
  {
    name: "a redirect",
    fault: { kind: "http", status: 307, headers: { location: "http://169.254.169.254/" } },
    says: /node 0: HTTP 307/,
  },
  { name: "a broken connection", fault: { kind: "reset" }, says: /node 0: no connection \(\w+\)/ },
  { name: "malformed JSON", fault: { kind: "body", text: '{"result":' }, says: /node 0: malformed JSON/ },
  { name: "an empty body", fault: { kind: "body", text: "" }, says: /node 0: malformed JSON/ },
  { name: "a JSON array", fault: { kind: "body", text: "[]" }, says: /node 0: wrong shape of answer/ },
  {
    name: "another question's answer",
    fault: { kind: "body", text: '{"id":"9","result":"x"}' },
    says: /node 0: an answer to another/,
  },
  { name: "a wrong shape", fault: { kind: "result", result: { no: "text" } }, says: /node 0: wrong shape of genesis/ },
  {
    name: "an error without a code",
    fault: { kind: "body", text: '{"error":{}}' },
    says: /node 0: wrong shape of error/,
  },
  { name: "a node that is behind", fault: rpcError(-32016), says: /node 0: has not reached the slot/ },
  { name: "an unwell node", fault: rpcError(-32005), says: /node 0: JSON-RPC error -32005/ },
  { name: "an endless answer", fault: { kind: "flood", bytes: 17 * 2 ** 20 }, says: /node 0: an answer of more than/ },
];

for (const { name, fault, says } of faults) {
  test(`${name} sends the question to the second node`, async () => {
    await using world = await startReader(2);
    world.nodes[0].fail(fault);
    world.nodes[1].answer("getGenesisHash", genesis);

    assert.equal(await world.chain.fetchGenesisHash(anyTime), "genesis");

    world.nodes[1].fail({ kind: "http", status: 500 });
    const failure = await world.chain.fetchGenesisHash(anyTime).catch((error: unknown) => error);
    assert.ok(failure instanceof ChainUnavailableError);
    assert.match(failure.message, says);
    assert.match(failure.message, /node 1: HTTP 500/);
    assert.doesNotMatch(failure.message, /secret|127\.0\.0\.1/);
    assert.doesNotMatch(world.logged.join(), /secret|127\.0\.0\.1/);
  });
}

for (const kind of ["hang", "trickle"] as const) {
  test(`a first node that does not finish (${kind}) leaves the second half of the deadline`, async () => {
    await using world = await startReader(2);
    const [first, second] = world.nodes;
    first.fail({ kind });
    second.fail({ kind });

    const answer = world.chain.fetchGenesisHash(anyTime).catch((error: unknown) => error);
    await first.arrival("getGenesisHash");
    const asked = second.arrival("getGenesisHash");
    world.clock.advance(2_500);
    await asked;
    world.clock.advance(2_500);

    const failure = await answer;
    assert.ok(failure instanceof ChainUnavailableError);
    assert.match(failure.message, /node 0: no answer within 2500 ms; node 1: no answer within 2500 ms/);
    assert.equal(world.clock.now(), 5_000);
    assert.deepEqual(world.clock.due, []);
  });
}

test("the caller's own deadline ends the read at once, and the node that kept it waiting goes to the back", async () => {
  await using world = await startReader(2);
  const [first, second] = world.nodes;
  first.fail({ kind: "hang" });
  second.answer("getGenesisHash", genesis);
  const deadline = new AbortController();

  const answer = world.chain.fetchGenesisHash({ signal: deadline.signal }).catch((error: unknown) => error);
  await first.arrival("getGenesisHash");
  deadline.abort(new DOMException("late", "TimeoutError"));
  assert.match(String(await answer), /node 0: no answer before the caller's deadline; stopped by the caller/);

  assert.equal(await world.chain.fetchGenesisHash(anyTime), "genesis");
  assert.equal(first.requests.length, 1);
});

test("a caller that stops leaves its node well, and the log silent", async () => {
  await using world = await startReader(1);
  const [node] = world.nodes;
  node.fail({ kind: "hang" });
  const stopping = new AbortController();
  const answer = world.chain.fetchGenesisHash({ signal: stopping.signal }).catch((error: unknown) => error);
  await node.arrival("getGenesisHash");
  stopping.abort();
  assert.match(String(await answer), /node 0: the caller stopped/);
  assert.deepEqual(world.logged, []);
});

test("a node that failed is asked last for a while, longer after every failure in a row, at most 30 s", async () => {
  await using world = await startReader(2);
  const [first, second] = world.nodes;
  second.answer("getGenesisHash", genesis);
  first.fail({ kind: "http", status: 500 });
  const read = () => world.chain.fetchGenesisHash(anyTime);

  for (const restMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = first.requests.length;
    await read();
    assert.equal(first.requests.length, before + 1, "rested, so it is tried first");
    world.clock.advance(restMs - 1);
    await read();
    assert.equal(first.requests.length, before + 1, "still resting");
    world.clock.advance(1);
  }

  first.fail(null);
  first.answer("getGenesisHash", () => "first");
  assert.equal(await read(), "first");
  assert.deepEqual(world.logged, ["Node 0 failed: HTTP 500.", "Node 0 works again, after 7 failures in a row."]);
});

test("a node that answers while it rests is asked last all the same, and reads that fail together count once", async () => {
  await using world = await startReader(2);
  const [first, second] = world.nodes;
  second.answer("getGenesisHash", genesis);
  first.fail({ kind: "http", status: 500 });
  const read = () => world.chain.fetchGenesisHash(anyTime);
  await Promise.all([read(), read(), read()]);

  first.fail(null);
  first.answer("getGenesisHash", () => "first");
  assert.equal(await world.chain.fetchGenesisHash({ ...anyTime, onlyNode: 0 }), "first");
  assert.equal(await read(), "genesis", "it still rests");
  world.clock.advance(1_000);
  assert.equal(await read(), "first");
});

test("Retry-After is respected, up to 30 s", async () => {
  await using world = await startReader(2);
  const [first, second] = world.nodes;
  second.answer("getGenesisHash", genesis);
  first.failOnce({ kind: "http", status: 429, headers: { "retry-after": "86400" } });
  first.answer("getGenesisHash", () => "first");

  await world.chain.fetchGenesisHash(anyTime);
  world.clock.advance(29_999);
  assert.equal(await world.chain.fetchGenesisHash(anyTime), "genesis");
  world.clock.advance(1);
  assert.equal(await world.chain.fetchGenesisHash(anyTime), "first");
});

test("a resting node is still asked when no other answers", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getGenesisHash", genesis);
  world.nodes[0].failOnce({ kind: "http", status: 500 });
  await assert.rejects(world.chain.fetchGenesisHash(anyTime), ChainUnavailableError);
  assert.equal(await world.chain.fetchGenesisHash(anyTime), "genesis");
});

test("notNode asks another node, and only falls back to it where it is the only one", async () => {
  await using two = await startReader(2);
  two.nodes[0].answer("getGenesisHash", () => "first");
  two.nodes[1].answer("getGenesisHash", () => "second");
  assert.equal(await two.chain.fetchGenesisHash({ ...anyTime, notNode: 0 }), "second");
  assert.equal(await two.chain.fetchGenesisHash({ ...anyTime, notNode: 1 }), "first");
  two.nodes[1].fail({ kind: "http", status: 500 });
  await assert.rejects(two.chain.fetchGenesisHash({ ...anyTime, notNode: 0 }), ChainUnavailableError);

  await using one = await startReader(1);
  one.nodes[0].answer("getGenesisHash", () => "only");
  assert.equal(await one.chain.fetchGenesisHash({ ...anyTime, notNode: 0 }), "only");
});

test("onlyNode asks that node and no other", async () => {
  await using two = await startReader(2);
  two.nodes[0].answer("getGenesisHash", () => "first");
  two.nodes[1].answer("getGenesisHash", () => "second");
  assert.equal(await two.chain.fetchGenesisHash({ ...anyTime, onlyNode: 1 }), "second");
  two.nodes[1].fail({ kind: "http", status: 500 });
  await assert.rejects(two.chain.fetchGenesisHash({ ...anyTime, onlyNode: 1 }), ChainUnavailableError);
  assert.equal(two.nodes[0].requests.length, 0);
});

test("a reader that keeps to a chain asks each node once a minute which one it is, and believes none of another", async () => {
  await using world = await startReader(2);
  const [first, second] = world.nodes;
  first.answer("getGenesisHash", () => "another");
  second.answer("getGenesisHash", genesis);
  for (const [node, slot] of [
    [first, 900],
    [second, 100],
  ] as const) {
    node.answer("getSlot", () => slot);
    node.answer("getBlockTime", () => 1_795_000_000);
  }
  world.chain.keepTo("genesis");

  for (let time = 0; time < 3; time++) {
    assert.deepEqual(await world.chain.fetchHead(anyTime).then(({ slot, node }) => [slot, node]), [100, 1]);
    world.clock.advance(30_000);
  }
  const asked = (node: typeof first, name: string) => node.requests.filter(({ method }) => method === name).length;
  assert.deepEqual([asked(first, "getSlot"), asked(second, "getSlot")], [0, 3]);
  assert.equal(asked(second, "getGenesisHash"), 2);
  assert.match(world.logged.join(), /Node 0 failed: a node of another chain/);

  first.answer("getGenesisHash", genesis);
  world.clock.advance(3_600_000);
  assert.equal((await world.chain.fetchHead(anyTime)).node, 0, "a node that was repaired is believed again");

  first.answer("getGenesisHash", () => "another");
  world.clock.advance(59_999);
  assert.equal((await world.chain.fetchHead(anyTime)).node, 0);
  world.clock.advance(1);
  const both = await Promise.all([world.chain.fetchHead(anyTime), world.chain.fetchHead(anyTime)]);
  assert.equal((await world.chain.fetchHead(anyTime)).node, 1, "one that switched is not");
  assert.ok(both.some(({ node }) => node === 1));
  assert.ok(world.logged.filter((line) => /Node 0 failed: a node of another chain/.test(line)).length >= 2);
});

test("a slot hours ahead is believed only where a second node that answers has come near it", async () => {
  const AHEAD = 1_000_000_000;
  await using world = await startReader(2);
  const [liar, honest] = world.nodes;
  for (const node of world.nodes) {
    node.answer("getSlot", () => 100);
    node.answer("getBlockTime", () => Math.floor(Date.now() / 1_000));
  }
  const read = () => world.chain.fetchHead(anyTime).then(({ slot, node }) => [slot, node]);
  await read();
  liar.answer("getSlot", () => AHEAD);
  assert.deepEqual(await read(), [100, 1]);
  assert.match(world.logged.join(), /Node 0 failed: an answer from a slot that no other node has come near/);
  assert.deepEqual(await read(), [100, 1], "nor is the other taken for one that is behind");

  honest.answer("getSlot", () => AHEAD - 8_000);
  world.clock.advance(60_000);
  assert.deepEqual(await read(), [AHEAD, 0], "both came as far while nobody asked");
  liar.answer("getSlot", () => 2 * AHEAD);
  honest.fail({ kind: "http", status: 500 });
  assert.deepEqual(await read(), [2 * AHEAD, 0], "nobody else is there to say otherwise");
});

test("a node that stood still hours ago does not keep others from being believed, though it answered first", async () => {
  await using world = await startReader(2);
  const [stuck, honest] = world.nodes;
  const present = () => Math.floor(Date.now() / 1_000);
  stuck.answer("getSlot", () => 100);
  stuck.answer("getBlockTime", () => present() - 7_200);
  honest.answer("getSlot", () => 100_000);
  honest.answer("getBlockTime", present);
  const read = (notNode?: number) =>
    world.chain.fetchHead({ ...anyTime, ...(notNode === undefined ? {} : { notNode }) }).then(({ slot }) => slot);
  assert.equal(await read(), 100, "as after a restart");
  assert.equal(await read(0), 100_000);
  assert.deepEqual(world.logged, []);

  await using mute = await startReader(2);
  for (const node of mute.nodes) node.answer("getBlockTime", () => rpcError(-32004));
  mute.nodes[0].answer("getSlot", () => 100);
  mute.nodes[1].answer("getSlot", () => 100_000);
  assert.equal((await mute.chain.fetchHead(anyTime)).slot, 100);
  await assert.rejects(mute.chain.fetchHead({ ...anyTime, notNode: 0 }), /no other node has come near/);
});

test("the user and password of a URL travel as a header", async () => {
  await using world = await startReader(1);
  world.nodes[0].answer("getGenesisHash", genesis);
  const withSecret = world.nodes[0].url.replace("http://", "http://user:pa%3Ass@");
  await using same = await startReader(0, { rpcUrls: [withSecret] });
  assert.equal(await same.chain.fetchGenesisHash(anyTime), "genesis");
  const expected = `Basic ${Buffer.from("user:pa:ss").toString("base64")}`;
  assert.equal(world.nodes[0].requests[0]!.headers.authorization, expected);
});

test("a URL that is none is refused without being shown", async () => {
  await assert.rejects(startReader(0, { rpcUrls: ["ftp://key@host"] }), {
    message: "RPC URL 0 is not an http or https address.",
  });
  await assert.rejects(startReader(0, { rpcUrls: [] }), { message: "At least one RPC URL is needed." });
});

test("every request is counted by its method, failed ones too", async () => {
  await using world = await startReader(2);
  world.nodes[0].fail({ kind: "http", status: 500 });
  world.nodes[1].answer("getGenesisHash", genesis);
  await Promise.all(Array.from({ length: 10 }, () => world.chain.fetchGenesisHash(anyTime)));
  assert.equal(world.chain.requestCounts.get("getGenesisHash"), 20);
});
