import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { insertKey } from "../../server/features/keys/queries.ts";
import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";
import { admin, adminRefusal } from "../harness/admin.ts";
import { databaseUrlOf } from "../harness/apiProcess.ts";
import { pay } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { type Answer, exchange } from "../harness/http.ts";
import {
  assertError,
  type Merchant,
  merchantOf,
  newMerchant,
  someTerms,
  untilTaken,
  type Wire,
} from "../harness/merchant.ts";
import { withinOneMinute } from "../harness/minute.ts";
import { type RunningService, sharedService } from "../harness/service.ts";
import { openServiceDatabase } from "./serviceDatabase.ts";

// These tests arrange rows in the database for situations that no caller can bring about within a test's time: a day later,
// the next minute, a key of an environment without a chain, transactions that others leave open.
let service: RunningService;
let database: Database;
before(async () => {
  service = await sharedService();
  database = await openServiceDatabase(service);
});
after(async () => {
  await database?.close();
  await service?.remove();
});

// The age of the open transactions when the writers begin. To make it minutes: HELD_MS=150000 npm test --
// tests/faults/arranged
const HELD_MS = Number(process.env.HELD_MS ?? 0);

const statusOf = async (key: string): Promise<number> =>
  (await exchange("GET", `${service.apiUrl}/me`, { headers: [["Authorization", `Bearer ${key}`]] })).status;

test("§4.8.2 an idempotency key counts for a day", async () => {
  const shop = await newMerchant(service);
  const create = () => shop.call("POST", "/payment-intents", someTerms(service), [["Idempotency-Key", "same"]]);
  const first = await create();
  await database.rows(sql`
    update idempotency_keys set created_at = now() - interval '24 hours' where business_id = ${shop.business}`);
  const again = await create();
  assert.equal(again.status, 201);
  assert.notEqual(again.json.id, first.json.id);
});

test("§5.4 a rolled key ends with its grace, and can be rolled no more", async () => {
  for (const grace of ["1h", "24h", "7d"]) {
    const shop = await newMerchant(service);
    const next = await admin(service, "key", "roll", shop.keyId, "--grace", grace);
    assert.equal(await statusOf(shop.key), 200);
    await database.rows(sql`update api_keys set expires_at = now() where id = ${shop.keyId}`);
    assert.deepEqual([await statusOf(shop.key), await statusOf(next.secret)], [401, 200]);
    assert.match(await adminRefusal(service, "key", "roll", shop.keyId), /only an active key can be rolled/);
  }
});

test("§8.1 the next minute counts from the start", async () => {
  await withinOneMinute(await newMerchant(service), async () => {
    const shop = await newMerchant(service, { rate: 3 });
    const remaining = async () => Number((await shop.get("/me")).headers["ratelimit-remaining"]);
    for (const left of [2, 1, 0]) assert.equal(await remaining(), left);
    assertError(await shop.get("/me"), 429, "rate_limited");
    await database.rows(sql`update key_rates set minute = minute - interval '1 minute' where key_id = ${shop.keyId}`);
    assert.equal(await remaining(), 2);
  });
});

test("§4 what another environment has is not found, and not in a list", async () => {
  const shop = await newMerchant(service);
  const intent = await shop.create();
  await pay(service, intent);
  const { payment } = await awaitPaid(shop, intent.id);
  const live = await insertKey(database, shop.business, "live", { ratePerMinute: 1_000 });
  const elsewhere = merchantOf(service, shop.business, live!.key.id, live!.secret);
  for (const path of [`/payment-intents/${intent.id}`, `/payments/${payment.id}`])
    assertError(await elsewhere.get(path), 404, "not_found");
  assertError(await elsewhere.cancel(intent.id), 404, "not_found");
  assertError(await elsewhere.confirm(intent.id, "1".repeat(64)), 404, "not_found");
  for (const path of ["/payment-intents", "/payments", `/payments?intent=${intent.id}`])
    assert.deepEqual((await elsewhere.get(path)).json.data, []);
  assert.equal((await elsewhere.get("/me")).json.environment, "live");
  // This service has no live chain: an operation that needs one says so.
  assertError(await elsewhere.call("POST", "/payment-intents", someTerms(service)), 503, "unavailable");
});

const list = async (merchant: Merchant, query: string): Promise<Wire> => {
  const answer = await untilTaken(() => merchant.get(`/events?${query}`));
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

const WRITERS = 50;

/** Writes once, however often the request is repeated. */
async function write(merchant: Merchant, path: string, body?: unknown): Promise<Answer> {
  const key = randomUUID();
  const answer = await untilTaken(() => merchant.call("POST", path, body, [["Idempotency-Key", key]]));
  assert.ok(answer.status < 300, answer.text);
  return answer;
}

test("§4.10 a reader that follows fifty writers misses nothing and waits for no open transaction", async () => {
  const merchant = await newMerchant(service);
  // Write transactions that stay open, here and in another database, each with a snapshot and an id older than every event below.
  const elsewhere = new URL(await databaseUrlOf(service));
  elsewhere.pathname = "/template1";
  const bystanders = await Promise.all([await databaseUrlOf(service), elsewhere.href].map(leaveOpen));
  let isOver = false;
  try {
    await sleep(HELD_MS);
    const total = 2 * WRITERS;
    let seen = 0;
    const reader = (async () => {
      while (seen < total && !isOver) {
        const page = await list(merchant, `after_sequence=${seen}&wait=5&limit=7`);
        const got: number[] = page.data.map((event: Wire) => Number(event.sequence)).reverse();
        assert.deepEqual(
          got,
          got.map((_, index) => seen + index + 1),
        );
        seen += got.length;
      }
    })();
    const writers = Array.from({ length: WRITERS }, async () => {
      const { json } = await write(merchant, "/payment-intents", someTerms(service));
      await write(merchant, `/payment-intents/${json.id}/cancel`);
    });
    await Promise.all([reader, ...writers]);
    assert.equal(seen, total);
  } finally {
    // A writer may have failed: then the reader must not wait for its events.
    isOver = true;
    await Promise.all(bystanders.map((bystander) => bystander.end()));
  }
});

async function leaveOpen(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("begin isolation level repeatable read");
  await client.query("create temporary table left_open (id int)");
  await client.query("select txid_current()");
  return client;
}
