import assert from "node:assert/strict";
import { test } from "node:test";
import { findHold } from "../../server/features/recording/queries.ts";
import { markProcessed, saveLastPage } from "../../server/features/recording/sweep/queries.ts";
import { sql } from "../../server/store/sql.ts";
import { SteppedService } from "./steppedService.ts";

/** More than a page, in one slot after the other. */
const SHOUTS = 1_050;

const findChain = async ({ database }: SteppedService) =>
  (await database.row<{ cursor_slot: string; page_before: string | null }>(
    sql`select cursor_slot, page_before from chains where environment = 'test'`,
  ))!;

test("the feed goes on past a page without finality, and past a fork that takes the page's end", async () => {
  await using stepped = await SteppedService.open();
  const { controls } = stepped.net;
  const [early, late] = [await stepped.create(), await stepped.create()];
  await stepped.pay(early);
  stepped.tick(40);
  controls.freezeFinality(true);
  await stepped.pay(late);
  for (let number = 0; number < SHOUTS; number++) {
    stepped.shout();
    if (number % 25 === 0) stepped.tick();
  }
  stepped.tick(2);
  assert.equal(await stepped.feed(), true, "there is more than a page");
  assert.equal((await findHold(stepped.database, "test"))!.reason, "history");
  const { page_before: end } = await findChain(stepped);
  assert.ok(controls.drop(end!), "the fork takes the transaction that paging goes on from");

  await stepped.catchUp();
  const { cursor_slot, page_before } = await findChain(stepped);
  assert.deepEqual([Number(cursor_slot) > 0, page_before], [true, null], "final is what lies behind the first page");
  assert.equal((await stepped.intent(early)).status, "paid");
  assert.equal((await stepped.intent(late)).status, "paid");
  controls.freezeFinality(false);
  await stepped.settle();
  await stepped.assertSound();
});

test("a listed transaction that a fork took holds the watermark no longer than it could land", async () => {
  await using stepped = await SteppedService.open();
  const intent = await stepped.create();
  const { signature } = await stepped.pay(intent);
  stepped.tick(2);
  await stepped.feed();
  assert.ok(stepped.net.controls.drop(signature));
  const unread = async () => (await stepped.database.rows(sql`select 1 from chain_inbox where not processed`)).length;
  for (let looks = 0; looks < 12; looks++) await stepped.sweep();
  assert.equal(await unread(), 1, "it may still land");
  await stepped.advance(90_000);
  stepped.tick(320);
  await stepped.catchUp();
  assert.equal(await unread(), 0);
  // The watermark moves with the pass after the one that found nothing unread.
  await stepped.catchUp();
  await stepped.expire();
  assert.deepEqual(await stepped.eventTypes(intent), ["payment_intent.created", "payment_intent.expired"]);
  await stepped.assertSound();
});

test("a transaction that failed, or was read, and lands in another slot is read again", async () => {
  await using stepped = await SteppedService.open();
  const { database } = stepped;
  await stepped.settle();
  const line = (slot: number, failed: boolean) => ({ signature: "landed-twice", slot, failed, blockTime: null });
  const list = (slot: number, failed: boolean) => saveLastPage(database, "test", [line(slot, failed)], null, null);
  const isRead = async () =>
    (await database.row<{ processed: boolean }>(
      sql`select processed from chain_inbox where signature = 'landed-twice'`,
    ))!.processed;
  await list(1_000, true);
  assert.equal(await isRead(), true, "a failed one changed nothing");
  await list(1_005, false);
  assert.equal(await isRead(), false);
  const process = (slot: number) => markProcessed(database, "test", [{ signature: "landed-twice", slot }]);
  await process(1_000);
  assert.equal(await isRead(), false, "what was read was the transaction in another slot");
  await process(1_005);
  await list(1_005, false);
  assert.equal(await isRead(), true, "the same line again is nothing new");
  await list(1_010, false);
  assert.equal(await isRead(), false);
});

test("a payment that a node shows late, in a slot it called final before, is found by the next passes", async () => {
  await using stepped = await SteppedService.open();
  const [hidden, shown] = [await stepped.create(), await stepped.create()];
  const late = await stepped.pay(hidden);
  await stepped.pay(shown, stepped.net.wallets["buyer-2"]);
  // Both payments are in one slot; the node lists only the second, and calls the slot final.
  stepped.net.controls.faults({ mode: "ignorant", names: [late.signature] });
  stepped.tick(12);
  await stepped.catchUp();
  assert.equal((await stepped.intent(shown)).status, "paid");
  assert.equal((await stepped.intent(hidden)).status, "requires_payment");
  stepped.net.controls.faults({ mode: "none" });
  await stepped.catchUp();
  assert.equal((await stepped.intent(hidden)).status, "paid", "without a look at all accounts");
  await stepped.settle();
  await stepped.assertSound();
});
