import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { testContext } from "../testing.ts";
import { draftCreation, insertIntents } from "./createIntent.ts";
import { createExpiryStep } from "./expiry.ts";
import { aNewIntent } from "./fixtures.ts";

const CREATED_MS = Date.parse("2020-01-01T00:00:00Z");
const SETTINGS = { checkoutUrl: "https://pay.example.com", lifetimeMs: 60_000 };
const BUSINESSES = ["biz_1", "biz_2", "biz_3"];

/** `count` intents of several businesses that expired one after another, and one that has not expired. */
async function openWithExpired(count: number) {
  const opened = await openTestDatabase("", { connectionsMax: 4 });
  const { database } = opened;
  for (const id of BUSINESSES)
    await database.rows(sql`insert into businesses (id, name, created_at) values (${id}, 'Shop', now())`);
  const draft = (number: number, createdMs: number) =>
    draftCreation(
      SETTINGS,
      { businessId: BUSINESSES[number % BUSINESSES.length]!, environment: "test" },
      aNewIntent({ merchantReference: `order-${number}` }),
      new Date(createdMs),
      null,
    );
  const due = Array.from({ length: count }, (_, number) => draft(number, CREATED_MS + number * 1_000));
  await insertIntents(database, [...due, draft(count, CREATED_MS + 3_600_000)]);
  const watermark = new Date(CREATED_MS + 1_800_000);
  await database.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator, watermark)
    values ('test', 'genesis', 'program', 'operator', ${watermark})`);
  return { opened, database, ids: due.map(({ intent }) => intent.id) };
}

const contextOf = (database: Database) => {
  const messages: string[] = [];
  const log = (message: string) => messages.push(message);
  return { messages, ctx: testContext({ database, checkoutUrl: SETTINGS.checkoutUrl, log }) };
};

const listAnnounced = async (database: Database) =>
  database.rows<{ business_id: string; intent_id: string; sequence: string }>(sql`
    select business_id, intent_id, sequence from events where type = 'payment_intent.expired'
    order by business_id, sequence`);

test("§3.1 intents of several businesses expire together, each with one event, the one that is not due stays", async () => {
  const { opened, database, ids } = await openWithExpired(30);
  await using _ = opened;
  assert.equal(await createExpiryStep(contextOf(database).ctx)(), false);
  const announced = await listAnnounced(database);
  assert.deepEqual(announced.map((event) => event.intent_id).toSorted(), ids.toSorted());
  for (const id of BUSINESSES) {
    const mine = announced.filter((event) => event.business_id === id).map(({ intent_id }) => intent_id);
    assert.deepEqual(mine, mine.toSorted(), "those due longest come first");
  }
  const open = await database.rows<{ merchant_reference: string }>(sql`
    select merchant_reference from intents where status = 'requires_payment' and holds_reference`);
  assert.deepEqual(open, [{ merchant_reference: "order-30" }]);
});

test("two workers share the expired intents, and none is announced twice", async () => {
  const { opened, database, ids } = await openWithExpired(900);
  await using _ = opened;
  const exhaust = async () => {
    const step = createExpiryStep(contextOf(database).ctx);
    let steps = 1;
    while (await step()) steps++;
    return steps;
  };
  const steps = await Promise.all([exhaust(), exhaust()]);
  const announced = await listAnnounced(database);
  assert.deepEqual(announced.map((event) => event.intent_id).toSorted(), ids.toSorted());
  assert.ok(
    steps.every((taken) => taken > 1),
    "both had work",
  );
});

/** Keeps the events of these intents from being recorded. */
async function refuseEvents(database: Database, ids: readonly string[]): Promise<void> {
  await database.rows(sql`create table refused as select unnest(${ids}::text[]) as id`);
  await database.rows(sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      if exists (select from refused where id = new.intent_id) then raise exception 'refused'; end if;
      return new;
    end $$`);
  await database.rows(sql`create trigger refused before insert on events for each row execute function refuse()`);
}

test("an intent whose event cannot be recorded does not hold up the others", async () => {
  const { opened, database, ids } = await openWithExpired(12);
  await using _ = opened;
  const stuck = ids[3]!;
  await refuseEvents(database, [stuck]);
  const { ctx, messages } = contextOf(database);
  await createExpiryStep(ctx)();
  const announced = await listAnnounced(database);
  assert.deepEqual(announced.map((event) => event.intent_id).toSorted(), ids.filter((id) => id !== stuck).toSorted());
  assert.ok(
    messages.some((message) => message.includes(stuck)),
    "the log names it",
  );
});

test("more intents whose events cannot be recorded than a step takes hold up none that are due later", async () => {
  const { opened, database, ids } = await openWithExpired(230);
  await using _ = opened;
  const [stuck, well] = [ids.slice(0, 210), ids.slice(210)];
  await refuseEvents(database, stuck);
  const { ctx, messages } = contextOf(database);
  const step = createExpiryStep(ctx);
  const more: boolean[] = [];
  do more.push(await step());
  while (more.at(-1) && more.length < 5);
  assert.deepEqual(more, [true, false], "those that failed are left alone");
  const announced = await listAnnounced(database);
  assert.deepEqual(announced.map((event) => event.intent_id).toSorted(), well.toSorted());
  const lines = messages.length;
  assert.equal(await step(), false);
  assert.equal(messages.length, lines, "nor tried again at once");
});

test("a watermark ahead of the clock announces no intent that has not expired", async () => {
  const { opened, database } = await openWithExpired(0);
  await using _ = opened;
  await database.rows(sql`update intents set expires_at = date_trunc('second', now()) + interval '1 day'`);
  await database.rows(sql`update chains set watermark = now() + interval '2 days'`);
  await createExpiryStep(contextOf(database).ctx)();
  assert.deepEqual(await listAnnounced(database), []);
});

test("§3.1.5 without a watermark no intent is announced as expired, however long ago that was", async () => {
  const { opened, database } = await openWithExpired(3);
  await using _ = opened;
  await database.rows(sql`update chains set watermark = null`);
  await createExpiryStep(contextOf(database).ctx)();
  assert.deepEqual(await listAnnounced(database), []);
});
