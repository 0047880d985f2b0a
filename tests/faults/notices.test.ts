import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { getBase58Decoder } from "@solana/kit";
import { NoticeReader } from "../../server/features/recording/sweep/notices.ts";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

const CREATED = ["payment_intent.created"];
const BOUND = [...CREATED, "payment.protected", "payment_intent.paid"];

const ours = () => true;

test("a transaction that a notice names is bound by two requests, before the feed lists it, and read once", async () => {
  await using stepped = await SteppedService.open();
  const { requestCounts } = stepped.ctx.chain.reader;
  const asked = (method: string) => requestCounts.get(method) ?? 0;
  const notices = new NoticeReader(stepped.ctx, ours);
  // The history begins with the operator's own account.
  await stepped.settle();
  const intent = await stepped.create();
  const { signature } = await stepped.pay(intent);
  await notices.read(signature);
  assert.deepEqual(await stepped.eventTypes(intent), CREATED, "what is not confirmed is left to the feed");
  stepped.tick(2);
  const [reads, accounts, lists] = ["getTransaction", "getMultipleAccounts", "getSignaturesForAddress"].map(asked);
  await notices.read(signature);
  assert.deepEqual(await stepped.eventTypes(intent), BOUND);
  assert.deepEqual(["getTransaction", "getMultipleAccounts", "getSignaturesForAddress"].map(asked), [
    reads! + 1,
    accounts! + 1,
    lists,
  ]);
  await notices.read(signature);
  await stepped.settle();
  assert.deepEqual(await stepped.eventTypes(intent), BOUND);
  assert.equal(asked("getTransaction"), reads! + 1, "neither a repeated notice nor the feed reads it again");
  await stepped.assertSound();
});

test("notices of one moment are read together, with one read of accounts; of many the rest is left to the feed", async () => {
  await using stepped = await SteppedService.open();
  const { requestCounts } = stepped.ctx.chain.reader;
  const reads = () => ["getTransaction", "getMultipleAccounts"].map((method) => requestCounts.get(method) ?? 0);
  const notices = new NoticeReader(stepped.ctx, ours);
  const intents = [];
  const signatures: string[] = [];
  for (let count = 0; count < 12; count++) {
    const intent = await stepped.create();
    intents.push(intent);
    signatures.push((await stepped.pay(intent)).signature);
  }
  stepped.tick(2);
  const before = reads();
  await Promise.all(signatures.map((signature) => notices.read(signature)));
  assert.deepEqual(reads(), [before[0]! + 12, before[1]! + 1]);
  for (const intent of intents) assert.deepEqual(await stepped.eventTypes(intent), BOUND);
  const strangers = Array.from({ length: 120 }, () => getBase58Decoder().decode(randomBytes(64)));
  await Promise.all(strangers.map((signature) => notices.read(signature)));
  assert.equal(reads()[0], before[0]! + 12 + 100);
  await stepped.assertSound();
});

test("a notice is left to the feed while the sweep is paused, by workers that do not lead, and at an outage", async () => {
  await using stepped = await SteppedService.open();
  const intent = await stepped.create();
  const { signature } = await stepped.pay(intent);
  stepped.tick(2);
  const readsBy = async (read: () => Promise<unknown>) => {
    const before = stepped.ctx.chain.reader.requestCounts.get("getTransaction") ?? 0;
    await read();
    return (stepped.ctx.chain.reader.requestCounts.get("getTransaction") ?? 0) - before;
  };
  const notices = new NoticeReader(stepped.ctx, ours);
  assert.equal(await readsBy(() => notices.read(null)), 0);
  assert.equal(await readsBy(() => new NoticeReader(stepped.ctx, () => false).read(signature)), 0);
  await stepped.database.rows(sql`update chains set sweep_paused = true`);
  assert.equal(await readsBy(() => notices.read(signature)), 0);
  await stepped.database.rows(sql`update chains set sweep_paused = false`);
  stepped.net.controls.faults({ mode: "server_error" });
  await notices.read(signature);
  stepped.net.controls.faults({ mode: "none" });
  assert.deepEqual(await stepped.eventTypes(intent), CREATED);

  await notices.stop();
  assert.equal(await readsBy(() => notices.read(signature)), 0);
  await stepped.settle();
  assert.deepEqual(await stepped.eventTypes(intent), BOUND);
  await stepped.assertSound();
});
