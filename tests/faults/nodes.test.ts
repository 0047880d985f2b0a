import assert from "node:assert/strict";
import { test } from "node:test";
import { ChainUnavailable } from "../../server/chain/port.ts";
import { sweepInbox } from "../../server/features/recording/sweep/sweep.ts";
import { sql } from "../../server/store/sql.ts";
import { Stage } from "./steppedService.ts";

const never = new AbortController().signal;
const unread = async ({ database }: Stage): Promise<number> =>
  Number((await database.row<{ count: string }>(sql`select count(*) from chain_inbox where not processed`))!.count);

test("a transaction that no node can give holds up no other, and is never given up", async () => {
  await using stage = await Stage.open();
  const intents = [await stage.create(), await stage.create(), await stage.create()];
  const made = [];
  for (const intent of intents) made.push(await stage.pay(intent));
  stage.tick(12);
  const { chain } = stage.sweeping;
  const odd = made[0]!.signature;
  const findTransaction: typeof chain.reader.findTransaction = (signature, options) =>
    signature === odd ? Promise.reject(new ChainUnavailable("odd")) : chain.reader.findTransaction(signature, options);
  const sweeping = { ...stage.sweeping, chain: { ...chain, reader: { ...chain.reader, findTransaction } } };
  await stage.feed();
  await sweepInbox(sweeping, never);
  assert.deepEqual(await Promise.all(intents.map(async (intent) => (await stage.intent(intent)).status)), [
    "requires_payment",
    "paid",
    "paid",
  ]);
  // However often it fails, and however far the chain goes on.
  for (let tries = 0; tries < 12; tries++) await sweepInbox(sweeping, never).catch(() => null);
  stage.tick(400);
  await stage.pay(intents[1]!, stage.net.wallets["buyer-2"]);
  stage.tick(12);
  await stage.feed();
  await sweepInbox(sweeping, never);
  assert.equal(await unread(stage), 1);
  await stage.settle();
  assert.equal((await stage.intent(intents[0]!)).status, "paid");
  await stage.assertSound();
});

test("a node that shows the transaction and not the account it made causes neither a skip nor a refusal", async () => {
  await using stage = await Stage.open({ nodes: ["one"] });
  const { controls } = stage.net;
  const intent = await stage.create();
  const { payment, signature } = await stage.pay(intent);
  stage.tick(12);
  controls.faults({ mode: "ignorant", names: [payment] });
  assert.equal(await stage.confirm(intent, signature), "chain_unavailable");
  await stage.catchUp();
  assert.ok((await unread(stage)) > 0, "it is looked at again");
  controls.faults({ mode: "none" });
  await stage.settle();
  assert.equal((await stage.intent(intent)).status, "paid");
  await stage.assertSound();
});

test("same-slot reordering, an unknown `until`, a missing block time: nothing is bound twice or skipped", async () => {
  for (const mode of ["reorder", "until_unknown", "no_block_time"] as const) {
    await using stage = await Stage.open({ nodes: ["one", "two"] });
    const { controls, wallets } = stage.net;
    for (let round = 0; round < 3; round++) {
      // By turns the nodes tell it differently, and several payments share a slot.
      controls.faults({ mode: "none" });
      controls.faults({ mode, ...(round % 3 === 0 ? {} : { node: round % 3 === 1 ? "one" : "two" }) });
      const intents = [await stage.create(), await stage.create(), await stage.create()];
      for (const intent of intents) await stage.pay(intent, wallets["buyer-2"]);
      stage.tick(round);
      await stage.feed();
      await stage.sweep();
      for (const intent of intents) await stage.pay(intent, wallets["buyer-3"]);
      stage.tick(3);
      await stage.catchUp();
    }
    await stage.settle();
    const { count } = (await stage.database.row<{ count: string }>(sql`select count(*) from payments`))!;
    assert.equal(Number(count), 18, mode);
    await stage.assertSound();
  }
});

test("a cursor that a node has forgotten with its old history is found again by its slot", async () => {
  await using stage = await Stage.open();
  const first = await stage.create();
  await stage.pay(first);
  await stage.settle();
  stage.tick(200);
  stage.net.controls.faults({ mode: "pruned", slots: 100 });
  const second = await stage.create();
  await stage.pay(second);
  await stage.settle();
  assert.equal((await stage.intent(second)).status, "paid");
  await stage.assertSound();
});

test("two nodes that disagree about a transaction: confirm believes the one that shows it", async () => {
  for (const node of ["one", "two"]) {
    await using stage = await Stage.open({ nodes: ["one", "two"] });
    const intent = await stage.create();
    const { payment, signature } = await stage.pay(intent);
    stage.tick(2);
    stage.net.controls.faults({ mode: "ignorant", node, names: [payment, signature] });
    assert.equal(await stage.confirm(intent, signature), "bound", `node ${node} has never heard of it`);
    await stage.settle();
    await stage.assertSound();
  }
});

test("a transaction that the asked node leaves out of its list is found by its account, once a day", async () => {
  await using stage = await Stage.open({ nodes: ["one", "two"] });
  await stage.reconcile();
  const [missed, listed] = [await stage.create(), await stage.create()];
  const { signature } = await stage.pay(missed);
  stage.net.controls.faults({ mode: "ignorant", node: "one", names: [signature] });
  stage.tick(2);
  await stage.pay(listed);
  await stage.settle();
  assert.equal((await stage.intent(listed)).status, "paid", "the cursor is past both");
  assert.equal((await stage.intent(missed)).status, "requires_payment");
  await stage.reconcile();
  assert.equal((await stage.intent(missed)).status, "requires_payment", "not before its day has passed");
  await stage.database.rows(sql`update chains set reconciled_at = reconciled_at - interval '25 hours'`);
  await stage.reconcile();
  assert.equal((await stage.intent(missed)).status, "paid");
  await stage.settle();
  await stage.assertSound();
});
