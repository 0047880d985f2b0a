import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { getBase58Decoder } from "@solana/kit";
import { NoticeReader } from "../../server/features/recording/sweep/notices.ts";
import { sql } from "../../server/store/sql.ts";
import { HUNG_MS } from "../harness/wait.ts";
import { SteppedService } from "./steppedService.ts";

const CREATED = ["payment_intent.created"];
const BOUND = [...CREATED, "payment.protected", "payment_intent.paid"];

const ours = () => true;
/** However slow the machine is, what a node knows is read. */
const PATIENT = { readMs: HUNG_MS, batchMs: HUNG_MS };
/** The wait for what no node knows or answers. */
const SHORT = { readMs: 5_000, batchMs: HUNG_MS };

test("a transaction that a notice names is bound by two requests, before the feed lists it, and read once", async () => {
  await using stepped = await SteppedService.open();
  const { requestCounts } = stepped.ctx.chain.reader;
  const asked = (method: string) => requestCounts.get(method) ?? 0;
  const notices = new NoticeReader(stepped.ctx, ours, PATIENT);
  // The history begins with the operator's own account.
  await stepped.settle();
  const intent = await stepped.create();
  const { signature } = await stepped.pay(intent);
  await new NoticeReader(stepped.ctx, ours, SHORT).read(signature);
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
  const notices = new NoticeReader(stepped.ctx, ours, PATIENT);
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

test("a transaction that no node answers holds back no other of its batch", async () => {
  await using stepped = await SteppedService.open();
  const { requestCounts } = stepped.ctx.chain.reader;
  const reads = () => requestCounts.get("getTransaction") ?? 0;
  const notices = new NoticeReader(stepped.ctx, ours, SHORT);
  const intents = [await stepped.create(), await stepped.create(), await stepped.create()];
  const signatures: string[] = [];
  for (const intent of intents) signatures.push((await stepped.pay(intent)).signature);
  stepped.tick(2);
  const before = reads();
  const readAll = () => Promise.all(signatures.map((signature) => notices.read(signature)));
  stepped.net.controls.faults({ mode: "time_out", methods: ["getTransaction"], count: 1 });
  await readAll();
  const bound = [];
  for (const intent of intents) bound.push(...(await stepped.eventTypes(intent)).slice(CREATED.length));
  assert.equal(bound.length, 2 * (BOUND.length - CREATED.length));
  await readAll();
  assert.equal(reads(), before + 3 + 1, "what was recorded is known");
  for (const intent of intents) assert.deepEqual(await stepped.eventTypes(intent), BOUND);
  await stepped.settle();
  await stepped.assertSound();
});

test("what a notice names while two batches are read is left to the feed at once", async () => {
  await using stepped = await SteppedService.open();
  const notices = new NoticeReader(stepped.ctx, ours, PATIENT);
  const [first, second, third] = [0, 1, 2].map(() => getBase58Decoder().decode(randomBytes(64)));
  let reading: Promise<void>[] = [];
  await stepped.database.transaction(async (db) => {
    await db.rows(sql`lock table chains in access exclusive mode`);
    reading = [];
    for (const signature of [first!, second!]) {
      reading.push(notices.read(signature));
      await endOfTurn();
    }
    await notices.read(third!);
  });
  await Promise.all(reading);
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
  const notices = new NoticeReader(stepped.ctx, ours, SHORT);
  assert.equal(await readsBy(() => notices.read(null)), 0);
  assert.equal(await readsBy(() => new NoticeReader(stepped.ctx, () => false, SHORT).read(signature)), 0);
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
