import assert from "node:assert/strict";
import { test } from "node:test";
import { NoticeReader } from "../../server/features/recording/sweep/notices.ts";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

const CREATED = ["payment_intent.created"];
const BOUND = [...CREATED, "payment.protected", "payment_intent.paid"];
const AT_ONCE_MAX = 4;

const ours = () => true;

test("a transaction that a notice names is bound by two requests, before the feed lists it, and read once", async () => {
  await using stepped = await SteppedService.open();
  const { requestCounts } = stepped.deps.chain.reader;
  const asked = (method: string) => requestCounts.get(method) ?? 0;
  const notices = new NoticeReader(stepped.deps, ours);
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
  assert.equal(
    asked("getTransaction"),
    reads! + 2,
    "the feed finds it processed; only the repeated notice read it again",
  );
  await stepped.assertSound();
});

test("a notice is left to the feed while the sweep is paused, by workers that do not lead, when many come, and at an outage", async () => {
  await using stepped = await SteppedService.open();
  const intent = await stepped.create();
  const { signature } = await stepped.pay(intent);
  stepped.tick(2);
  const readsBy = async (read: () => Promise<unknown>) => {
    const before = stepped.deps.chain.reader.requestCounts.get("getTransaction") ?? 0;
    await read();
    return (stepped.deps.chain.reader.requestCounts.get("getTransaction") ?? 0) - before;
  };
  const notices = new NoticeReader(stepped.deps, ours);
  assert.equal(await readsBy(() => notices.read(null)), 0);
  assert.equal(await readsBy(() => new NoticeReader(stepped.deps, () => false).read(signature)), 0);
  await stepped.database.rows(sql`update chains set sweep_paused = true`);
  assert.equal(await readsBy(() => notices.read(signature)), 0);
  await stepped.database.rows(sql`update chains set sweep_paused = false`);
  stepped.net.controls.faults({ mode: "server_error" });
  await notices.read(signature);
  stepped.net.controls.faults({ mode: "none" });
  assert.deepEqual(await stepped.eventTypes(intent), CREATED);

  const many = await Promise.all(
    Array.from({ length: 3 * AT_ONCE_MAX }, () => stepped.create().then((one) => stepped.pay(one))),
  );
  stepped.tick(2);
  const read = await readsBy(() => Promise.all(many.map((one) => notices.read(one.signature))));
  assert.ok(read > 0 && read <= AT_ONCE_MAX, `${read} at once`);
  await notices.stop();
  assert.equal(await readsBy(() => notices.read(signature)), 0);
  await stepped.settle();
  assert.deepEqual(await stepped.eventTypes(intent), BOUND);
  await stepped.assertSound();
});
