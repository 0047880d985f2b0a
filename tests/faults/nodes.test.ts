import assert from "node:assert/strict";
import { test } from "node:test";
import { ChainUnavailableError } from "../../server/chain/port.ts";
import { findHold } from "../../server/features/recording/queries.ts";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

const unread = async ({ database }: SteppedService): Promise<number> =>
  Number((await database.row<{ count: string }>(sql`select count(*) from chain_inbox where not processed`))!.count);

test("a transaction that no node can give holds up no other, and is never given up", async () => {
  await using stepped = await SteppedService.open();
  const intents = [await stepped.create(), await stepped.create(), await stepped.create()];
  const made = [];
  for (const intent of intents) made.push(await stepped.pay(intent));
  stepped.tick(12);
  const { chain } = stepped.ctx;
  const odd = made[0]!.signature;
  const fetchTransaction: typeof chain.reader.fetchTransaction = (signature, options) =>
    signature === odd
      ? Promise.reject(new ChainUnavailableError("odd"))
      : chain.reader.fetchTransaction(signature, options);
  const sweeping = { ...stepped.ctx, chain: { ...chain, reader: { ...chain.reader, fetchTransaction } } };
  await stepped.feed();
  await stepped.sweep(sweeping);
  assert.deepEqual(await Promise.all(intents.map(async (intent) => (await stepped.intent(intent)).status)), [
    "requires_payment",
    "paid",
    "paid",
  ]);
  // The result is the same however often it fails, and however far the chain goes on.
  for (let tries = 0; tries < 12; tries++) await stepped.sweep(sweeping);
  stepped.tick(400);
  await stepped.pay(intents[1]!, stepped.net.wallets["buyer-2"]);
  stepped.tick(12);
  await stepped.feed();
  await stepped.sweep(sweeping);
  assert.equal(await unread(stepped), 1);
  await stepped.settle();
  assert.equal((await stepped.intent(intents[0]!)).status, "paid");
  await stepped.assertSound();
});

test("a node that shows a transaction without its account causes neither a skip nor a refusal", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one"] });
  const { controls } = stepped.net;
  const intent = await stepped.create();
  const { payment, signature } = await stepped.pay(intent);
  stepped.tick(12);
  controls.faults({ mode: "ignorant", names: [payment] });
  assert.equal(await stepped.confirm(intent, signature), "chain_unavailable");
  await stepped.catchUp();
  assert.ok((await unread(stepped)) > 0, "it is looked at again");
  controls.faults({ mode: "none" });
  await stepped.settle();
  assert.equal((await stepped.intent(intent)).status, "paid");
  await stepped.assertSound();
});

test("same-slot reordering, an unknown `until`, a missing block time: nothing is bound twice or skipped", async () => {
  for (const mode of ["reorder", "until_unknown", "no_block_time"] as const) {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    const { controls, wallets } = stepped.net;
    for (let round = 0; round < 3; round++) {
      // By turns the nodes answer differently, and several payments share a slot.
      controls.faults({ mode: "none" });
      controls.faults({ mode, ...(round % 3 === 0 ? {} : { node: round % 3 === 1 ? "one" : "two" }) });
      const intents = [await stepped.create(), await stepped.create(), await stepped.create()];
      for (const intent of intents) await stepped.pay(intent, wallets["buyer-2"]);
      stepped.tick(round);
      await stepped.feed();
      await stepped.sweep();
      for (const intent of intents) await stepped.pay(intent, wallets["buyer-3"]);
      stepped.tick(3);
      await stepped.catchUp();
    }
    await stepped.settle();
    const { count } = (await stepped.database.row<{ count: string }>(sql`select count(*) from payments`))!;
    assert.equal(Number(count), 18, mode);
    await stepped.assertSound();
  }
});

test("a cursor that a node has forgotten with its old history is found again by its slot", async () => {
  await using stepped = await SteppedService.open();
  const first = await stepped.create();
  await stepped.pay(first);
  await stepped.settle();
  stepped.tick(200);
  stepped.net.controls.faults({ mode: "pruned", slots: 100 });
  const second = await stepped.create();
  await stepped.pay(second);
  await stepped.settle();
  assert.equal((await stepped.intent(second)).status, "paid");
  await stepped.assertSound();
});

test("of two nodes that disagree about a transaction confirm believes the one that shows it", async () => {
  for (const node of ["one", "two"]) {
    await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
    const intent = await stepped.create();
    const { payment, signature } = await stepped.pay(intent);
    stepped.tick(2);
    stepped.net.controls.faults({ mode: "ignorant", node, names: [payment, signature] });
    assert.equal(await stepped.confirm(intent, signature), "bound", `node ${node} has never heard of it`);
    await stepped.settle();
    await stepped.assertSound();
  }
});

test("a transaction that all nodes leave out of their lists is found by its account, once a day", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  await stepped.reconcile();
  const [missed, listed] = [await stepped.create(), await stepped.create()];
  const { signature } = await stepped.pay(missed);
  stepped.net.controls.faults({ mode: "ignorant", names: [signature] });
  stepped.tick(2);
  await stepped.pay(listed);
  await stepped.settle();
  assert.equal((await stepped.intent(listed)).status, "paid", "the cursor is past both");
  assert.equal((await stepped.intent(missed)).status, "requires_payment");
  await stepped.reconcile();
  assert.equal((await stepped.intent(missed)).status, "requires_payment", "not before its day has passed");
  await stepped.database.rows(sql`update chains set reconciled_at = reconciled_at - interval '25 hours'`);
  await stepped.reconcile();
  assert.equal((await stepped.intent(missed)).status, "paid");
  await stepped.settle();
  await stepped.assertSound();
});

/** Further back than the sweep lists. */
const SLOTS_LONG_AGO = 900;
const watermarkAgoMs = async ({ database }: SteppedService): Promise<number> => {
  const row = await database.row<{ ms: number | null }>(sql`
    select extract(epoch from now() + k.ahead - c.watermark)::float * 1000 as ms
    from chains c join clocks k on k.environment = c.environment`);
  return row!.ms ?? Number.POSITIVE_INFINITY;
};

test("§3.1.12 signatures that the first of two nodes leaves out are listed by the second, and read once", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const { controls } = stepped.net;
  await stepped.settle();
  const hidden = [await stepped.create(), await stepped.create()];
  const made = [];
  for (const intent of hidden) made.push(await stepped.pay(intent));
  controls.faults({ mode: "ignorant", node: "one", names: made.map(({ signature }) => signature) });
  const shown = await stepped.create();
  await stepped.pay(shown);
  stepped.tick(12);
  await stepped.catchUp();
  for (const intent of [...hidden, shown]) assert.equal((await stepped.intent(intent)).status, "paid");

  // The next passes read none of them again.
  const count = () => stepped.ctx.chain.reader.requestCounts.get("getTransaction") ?? 0;
  const before = count();
  for (let passes = 0; passes < 5; passes++) {
    stepped.tick(100);
    await stepped.catchUp();
  }
  assert.equal(count(), before);
  await stepped.settle();
  await stepped.assertSound();
});

test("§3.1.12 what a single node leaves out for a while, and shows within minutes, is found", async () => {
  await using stepped = await SteppedService.open();
  const { controls } = stepped.net;
  await stepped.settle();
  const [early, late] = [await stepped.create(), await stepped.create()];
  const hidden = [await stepped.pay(early), await stepped.pay(late)];
  controls.faults({ mode: "ignorant", names: hidden.map(({ signature }) => signature) });
  await stepped.pay(await stepped.create());
  stepped.tick(60);
  await stepped.pay(await stepped.create());
  stepped.tick(60);
  await stepped.catchUp();
  controls.faults({ mode: "none" });
  await stepped.catchUp();
  for (const intent of [early, late])
    assert.equal((await stepped.intent(intent)).status, "paid", "though the cursor is past it");
  await stepped.settle();
  await stepped.assertSound();
});

test("§3.1.12 what one of two nodes leaves out for a while is found within minutes though the other does not answer", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"] });
  const { controls } = stepped.net;
  await stepped.settle();
  controls.faults({ mode: "server_error", node: "two" });
  const intent = await stepped.create();
  const { signature } = await stepped.pay(intent);
  controls.faults({ mode: "ignorant", node: "one", names: [signature] });
  for (let times = 0; times < 2; times++) {
    stepped.tick(60);
    await stepped.pay(await stepped.create());
  }
  stepped.tick(60);
  await stepped.catchUp();
  assert.equal((await stepped.intent(intent)).status, "requires_payment");
  controls.faults({ mode: "none" });
  controls.faults({ mode: "server_error", node: "two" });
  await stepped.catchUp();
  assert.equal((await stepped.intent(intent)).status, "paid", "though the cursor is past it");
  controls.faults({ mode: "none" });
  await stepped.settle();
  await stepped.assertSound();
});

test("§3.1.12 the watermark is never past what one of two nodes alone has listed for less than four minutes", async () => {
  await using stepped = await SteppedService.open({ nodes: ["one", "two"], deadlineMs: 5_000 });
  const { controls } = stepped.net;
  await stepped.settle();
  await stepped.catchUp();
  assert.ok((await watermarkAgoMs(stepped)) < 60_000, "both listed everything");

  controls.faults({ mode: "time_out", node: "two" });
  await stepped.advance(1_000);
  stepped.tick(SLOTS_LONG_AGO);
  await stepped.catchUp();
  const alone = await watermarkAgoMs(stepped);
  assert.ok(alone > 239_000 && alone < 360_000, `${alone} ms behind`);
  const hold = await findHold(stepped.database, "test");
  assert.deepEqual(hold, { reason: "second_node", signature: null, seconds: null });

  controls.faults({ mode: "none" });
  await stepped.catchUp();
  assert.ok((await watermarkAgoMs(stepped)) < 60_000, "the second answers again");
});
