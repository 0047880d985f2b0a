import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tenant } from "../../domain/callers.ts";
import { queryParser } from "../../edge/http/parameters.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../store/testing.ts";
import { testContext } from "../testing.ts";
import { draftCreation, insertIntents } from "./createIntent.ts";
import { aNewIntent } from "./fixtures.ts";
import { findListPosition, listIntents } from "./queries.ts";
import type { IntentQuery } from "./schema.ts";
import { LIST_INTENTS } from "./schema.ts";

const SETTINGS = { checkoutUrl: "https://pay.example.com", lifetimeMs: 86_400_000 };
const TENANTS: readonly Tenant[] = ["biz_1", "biz_2", "biz_3"].map((businessId) => ({
  businessId,
  environment: "test",
}));
const [TENANT] = TENANTS as [Tenant];
const WHOLE: IntentQuery = { ...queryParser(LIST_INTENTS.query)(new URLSearchParams()), limit: 100 };

const draft = (tenant: Tenant, merchantReference: string, now = new Date()) => {
  return draftCreation(SETTINGS, tenant, aNewIntent({ merchantReference }), now, null);
};

async function openWithTenants(): Promise<OpenTestDatabase> {
  const opened = await openTestDatabase("", { connectionsMax: 8 });
  for (const { businessId } of TENANTS)
    await opened.database.rows(sql`
      with made as (insert into businesses (id, name, created_at) values (${businessId}, 'Shop', now()))
      insert into event_counters (business_id, environment) values (${businessId}, 'test')`);
  return opened;
}

async function list(database: Database, query: Partial<IntentQuery>, tenant = TENANT): Promise<string[]> {
  const cursor = query.startingAfter ?? query.endingBefore ?? null;
  const direction = query.startingAfter ? "older" : "newer";
  const position =
    cursor === null ? null : await findListPosition(testContext({ database }), tenant, cursor, direction);
  const found = await listIntents(database, tenant, { ...WHOLE, ...query }, position, new Date());
  return found.map(({ intent }) => intent.id);
}

const createdOrder = async (database: Database, { businessId }: Tenant): Promise<string[]> =>
  (
    await database.rows<{ intent_id: string }>(sql`
      select intent_id from events where business_id = ${businessId} and type = 'payment_intent.created' order by sequence desc`)
  ).map((row) => row.intent_id);

test("§4.9.3 an intent that was drafted earlier and recorded later is in front of a reader's cursor, not behind it", async () => {
  await using opened = await openWithTenants();
  const { database } = opened;
  const earlier = draft(TENANT, "order-1", new Date(Date.now() - 2_500));
  const later = draft(TENANT, "order-2");
  await insertIntents(database, [later]);
  const cursor = later.intent.id;
  assert.deepEqual(await list(database, { endingBefore: cursor }), []);
  await insertIntents(database, [earlier]);
  assert.deepEqual(await list(database, { endingBefore: cursor }), [earlier.intent.id]);
  assert.deepEqual(await list(database, {}), [earlier.intent.id, cursor]);
  assert.deepEqual(await list(database, { startingAfter: earlier.intent.id }), [cursor]);
  // Filtered by time, either way: an intent is found wherever it stands in the list.
  const between = new Date(later.intent.createdAt.getTime() - 1_000);
  assert.deepEqual(await list(database, { createdBefore: between }), [earlier.intent.id]);
  assert.deepEqual(await list(database, { createdAfter: between }), [cursor]);
  assert.deepEqual(await list(database, { createdAfter: between, endingBefore: cursor }), []);
  for (const status of ["requires_payment", null] as const)
    assert.deepEqual(await list(database, { status, merchantReference: "order-1" }), [earlier.intent.id]);
});

test("§4.9.3 intents are listed in the order of their created events, however creates of several businesses meet", async () => {
  await using opened = await openWithTenants();
  const { database } = opened;
  const seen = new Set<string>();
  let walking = true;
  /** Reads on from the newest intent it has seen, as a poller does. */
  const poll = async () => {
    for (let newest: string | null = null; ; ) {
      const last = !walking;
      const page = await list(database, newest === null ? {} : { endingBefore: newest });
      for (const id of page) seen.add(id);
      newest = page[0] ?? newest;
      if (last && page.length === 0) return;
    }
  };
  const polling = poll();
  const creators = Array.from({ length: 6 }, async (_, creator) => {
    for (let round = 0; round < 15; round++) {
      // Every second round shares references with another creator, so some of its intents are not created.
      const name = (index: number) => `${round % 2 === 0 ? "shared" : creator} ${round} ${index}`;
      const drafts = Array.from({ length: 1 + ((creator + round) % 4) }, (__, index) =>
        draft(TENANTS[(creator + index) % (round % 3 === 0 ? 3 : 1)]!, name(index), new Date(Date.now() - creator)),
      );
      await insertIntents(database, drafts);
    }
  });
  await Promise.all(creators);
  walking = false;
  await polling;
  for (const tenant of TENANTS) {
    const expected = await createdOrder(database, tenant);
    const walked: string[] = [];
    for (let page = await list(database, {}, tenant); page.length > 0; ) {
      walked.push(...page.slice(0, 100));
      page = await list(database, { startingAfter: walked.at(-1)! }, tenant);
    }
    assert.deepEqual(walked, expected, tenant.businessId);
  }
  assert.deepEqual([...seen].sort(), (await createdOrder(database, TENANT)).sort(), "the poller missed none");
});
