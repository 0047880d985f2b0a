import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fingerprintOf, Idempotency } from "../../edge/http/idempotency.ts";
import { resealAnswers } from "../../edge/http/sealedAnswers.ts";
import type { Database } from "../../store/database.ts";
import { SessionLocks } from "../../store/locks.ts";
import { sql } from "../../store/sql.ts";
import { type OpenTestDatabase, openTestDatabase } from "../../store/testing.ts";
import { testContext } from "../testing.ts";
import { type KeyRing, newKeyRing, sealingOf } from "../webhooks/sending/secret.ts";
import { createIntentOperation } from "./createIntent.ts";
import { aNewIntent } from "./fixtures.ts";
import { eraseBuyerEmails } from "./fragments.ts";

const TENANT = { businessId: `biz_${"1".repeat(32)}`, environment: "test" } as const;
let opened: OpenTestDatabase;
let database: Database;
before(async () => {
  opened = await openTestDatabase("", { connectionsMax: 4 });
  ({ database } = opened);
  await database.rows(sql`insert into businesses (id, name, created_at) values (${TENANT.businessId}, 'Shop', now())`);
});
after(() => opened?.[Symbol.asyncDispose]());

async function openMerchant(ring: KeyRing | null) {
  const sealing = ring && sealingOf(ring);
  const create = createIntentOperation(testContext({ database, sealing, checkTerms: async () => undefined }), {
    ...{ itemsMax: 1, batchesMax: 1, waitingMax: 10, waitMsMax: 10_000 },
  });
  const locks = new SessionLocks(database);
  const idempotency = new Idempotency(database, locks, sealing);
  return {
    create: (key: string, buyerEmail: string | null) =>
      idempotency.run(
        { tenant: TENANT, key, fingerprint: fingerprintOf("POST", "/payment-intents", "", key) },
        (write) =>
          create({
            caller: { ...TENANT, intentLifetimeMinutes: null },
            input: { ...aNewIntent({ merchantReference: key }), price: null, buyerEmail },
            now: new Date(),
            params: {},
            write,
            once: () => assert.fail(),
          }),
      ),
    [Symbol.asyncDispose]: () => locks.close(),
  };
}

test("§4.22.1 an intent shows the buyer's address to keys alone; its stored answer is encrypted, and repeated byte by byte", async () => {
  const ring = newKeyRing();
  await using merchant = await openMerchant(ring);
  const made = await merchant.create("a", "kim@buyer.example");
  const { buyerEmail, hasBuyerEmail } = JSON.parse(made.body);
  assert.deepEqual([buyerEmail, hasBuyerEmail], ["kim@buyer.example", true]);
  const events = await database.rows<{ body: string }>(sql`select body from events`);
  const { object } = JSON.parse(events[0]!.body).data;
  assert.deepEqual([object.hasBuyerEmail, "buyerEmail" in object], [true, false]);
  const stored = async () =>
    (await database.row<{ body: string }>(sql`select body from idempotency_keys where key = 'a'`))!.body;
  assert.match(await stored(), /^v1\.[\w-]+$/);
  const again = { status: 201, body: made.body, replayed: true };
  assert.deepEqual(await merchant.create("a", "kim@buyer.example"), again);
  const without = JSON.parse((await merchant.create("b", null)).body);
  assert.deepEqual([without.buyerEmail, without.hasBuyerEmail], [null, false]);

  const keys = new Map([...ring.keys, [2, newKeyRing().keys.get(1)!]]);
  await resealAnswers(database, sealingOf({ current: 2, keys }), assert.ifError);
  assert.match(await stored(), /^v2\./);
  await using rotated = await openMerchant({ current: 2, keys });
  assert.deepEqual(await rotated.create("a", "kim@buyer.example"), again);
  await database.rows(eraseBuyerEmails(sql`(select business_id, id from intents)`));
  assert.equal((await rotated.create("b", null)).status, 201);
});

test("§4.22.1 without the deployment's keys an address is 503 and stores nothing, and all else goes on", async () => {
  await using merchant = await openMerchant(null);
  await assert.rejects(merchant.create("c", "kim@buyer.example"), { code: "unavailable" });
  assert.equal((await merchant.create("c", null)).status, 201);
});
