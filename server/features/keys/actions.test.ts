import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIVE_KEYS_MAX } from "../../domain/limits.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { issueKey, listKeys, revokeKey, rollKey } from "./actions.ts";
import { KEY_RATE_MAX } from "./key.ts";
import { insertKey } from "./queries.ts";

const withCode = (code: string) => ({ name: "ActionError", code });
const SHOP = "biz_shop";
const OTHER = "biz_other";

async function openBusinesses() {
  const opened = await openTestDatabase();
  await opened.database.rows(
    sql`insert into businesses (id, name, created_at) select id, id, now() from unnest(${[SHOP, OTHER]}::text[]) as id`,
  );
  return opened;
}

test("§5.9.7 a key needs a chain, a rate within bounds and a business, in this order; the sixth active key is refused", async () => {
  await using opened = await openBusinesses();
  const { database } = opened;
  const nobody = { businessId: "biz_nobody", environment: "test" } as const;
  await assert.rejects(
    issueKey(database, { kind: "service" }, nobody, { ratePerMinute: 0 }),
    withCode("chain_not_configured"),
  );
  await database.rows(
    sql`insert into chains (environment, genesis_hash, program_id, operator) values ('test', 'genesis', 'program', 'operator')`,
  );
  for (const rate of [0, 1.5, Number.NaN, KEY_RATE_MAX + 1])
    await assert.rejects(
      issueKey(database, { kind: "service" }, nobody, { ratePerMinute: rate }),
      withCode("key_rate_invalid"),
    );
  await assert.rejects(issueKey(database, { kind: "service" }, nobody), withCode("business_not_found"));
  const shop = { businessId: SHOP, environment: "test" } as const;
  for (let count = 0; count < ACTIVE_KEYS_MAX; count++) await issueKey(database, { kind: "service" }, shop);
  await assert.rejects(issueKey(database, { kind: "service" }, shop), withCode("key_limit_reached"));
});

test("a key is out of reach for another business; a key that is not active says why it cannot be rolled or revoked", async () => {
  await using opened = await openBusinesses();
  const { database } = opened;
  const { key } = (await insertKey(database, SHOP, "test"))!;
  await assert.rejects(rollKey(database, { kind: "service" }, OTHER, key.id, "24h"), withCode("key_not_found"));
  await assert.rejects(revokeKey(database, { kind: "service" }, OTHER, key.id), withCode("key_not_found"));
  assert.deepEqual(await listKeys(database, OTHER), []);
  assert.deepEqual(await listKeys(database, SHOP), [key]);
  await revokeKey(database, { kind: "service" }, SHOP, key.id);
  await assert.rejects(revokeKey(database, { kind: "service" }, SHOP, key.id), withCode("key_already_revoked"));
  await assert.rejects(rollKey(database, { kind: "service" }, SHOP, key.id, "24h"), withCode("key_not_active"));
});
