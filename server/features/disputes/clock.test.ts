import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { eventKey } from "../events/fragments.ts";
import { testContext } from "../testing.ts";
import { acceptOffer } from "./actions.ts";
import { createDisputeClock } from "./clock.ts";
import { findDispute } from "./queries.ts";
import { actNow, insertDispute, offerOfBuyer } from "./testing.ts";
import { DAY_MS } from "./waits.ts";

const TENANT = { businessId: "biz_1", environment: "test" } as const;
async function open() {
  const opened = await openTestDatabase("", { connectionsMax: 6 });
  const { database } = opened;
  await database.rows(sql`insert into businesses (id, name, created_at) values ('biz_1', 'Shop', now())`);
  await database.rows(sql`
    insert into chains (environment, genesis_hash, program_id, operator, watermark)
    values ('test', 'genesis', 'program', 'operator', now())`);
  const lines: string[] = [];
  const ctx = testContext({ database, log: (line) => void lines.push(line) });
  return { opened, database, ctx, lines };
}
const typesOf = async (database: Database, payment: string): Promise<string[]> =>
  (
    await database.rows<{ type: string; body: string }>(
      sql`select type, body from events where payment_address = ${payment} and starts_with(type, 'dispute.') order by sequence`,
    )
  ).map(({ type, body }) => `${type} ${JSON.parse(body).data.object.status}`);
const read = async (database: Database, id: string) => (await findDispute(database, TENANT, id))!;
const moveTime = (database: Database, days: number) =>
  database.rows(
    sql`update clocks set ahead = ahead + make_interval(days => ${days}::integer) where environment = 'test'`,
  );

test("§4.18.4 three workers give disputes to the arbiter at answerBy, each with one event; others stay", async () => {
  const { opened, database, ctx, lines } = await open();
  await using _ = opened;
  const due = [];
  for (let number = 0; number < 12; number++) due.push(await insertDispute(database, TENANT, 6 * DAY_MS));
  const early = await insertDispute(database, TENANT, 4 * DAY_MS);
  const steps = [1, 2, 3].map(() => createDisputeClock(ctx));
  await Promise.all(steps.map((step) => step()));
  for (const { id, payment } of due) {
    const { status, decideBy, openedAt } = await read(database, id);
    assert.deepEqual([status, decideBy], ["deciding", new Date(openedAt.getTime() + 19 * DAY_MS)]);
    assert.deepEqual(await typesOf(database, payment), ["dispute.opened talking", "dispute.updated deciding"]);
  }
  assert.equal((await read(database, early.id)).status, "talking");
  assert.deepEqual(lines, []);
});

test("§4.18.6 an offer expires; an agreement fails only once the chain is read up to its end", async () => {
  const { opened, database, ctx } = await open();
  await using _ = opened;
  const [offered, agreed] = [await insertDispute(database, TENANT), await insertDispute(database, TENANT)];
  await offerOfBuyer(database, offered, "1");
  const offer = await offerOfBuyer(database, agreed, "1");
  await actNow(database, agreed, acceptOffer("merchant", offer, "usr_1"));
  const step = createDisputeClock(ctx);
  await step();
  assert.equal((await read(database, offered.id)).offers[0]!.status, "open");
  await moveTime(database, 8);
  await step();
  const expired = await read(database, offered.id);
  assert.deepEqual([expired.offers[0]!.status, expired.status], ["expired", "deciding"]);
  assert.equal((await read(database, agreed.id)).status, "agreed", "the chain is not read that far");
  await database.rows(sql`update chains set watermark = now() + interval '8 days'`);
  await step();
  const failed = await read(database, agreed.id);
  assert.deepEqual([failed.status, failed.agreement?.failedAt !== null], ["deciding", true]);
});

test("a dispute that cannot be changed is named in the log, and holds up no other", async () => {
  const { opened, database, ctx, lines } = await open();
  await using _ = opened;
  const bad = await insertDispute(database, TENANT, 7 * DAY_MS);
  const good = await insertDispute(database, TENANT, 6 * DAY_MS);
  // The event of its next version is there already.
  await database.rows(sql`
    insert into event_keys (business_id, key)
    values ('biz_1', ${eventKey(sql`${bad.id}`, sql`'2'`, sql`'dispute.updated'`)})`);
  await createDisputeClock(ctx)();
  assert.deepEqual(
    [(await read(database, bad.id)).status, (await read(database, good.id)).status],
    ["talking", "deciding"],
  );
  assert.deepEqual(lines, [`The dispute ${bad.id} could not be changed by the clock and is tried again later.`]);
});
