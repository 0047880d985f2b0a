import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  insertKey as addKey,
  listKeys,
  endKey as revokeKey,
  replaceKey as rollKey,
} from "../../server/features/keys/queries.ts";
import { sql } from "../../server/store/sql.ts";
import { type ApiProcess, startApiProcess } from "../harness/apiProcess.ts";
import type { Answer } from "../harness/http.ts";
import { assertError, type Merchant, merchantOf, newMerchant, someTerms } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

// A process whose clock is ten minutes ahead: what it says of the time must not matter.
const AHEAD = `data:text/javascript,${encodeURIComponent(
  "const real=Date.now.bind(Date),Real=Date;globalThis.Date=class extends Real{constructor(...a){a.length?super(...a):super(real()+6e5)}static now(){return real()+6e5}}",
)}`;

// A longer run: TRIALS=1000 npm test -- tests/interface/5-keys.test.ts
const TRIALS = Number(process.env.TRIALS ?? 40);

let service: Service;
let others: ApiProcess[] = [];
before(async () => {
  service = await startService();
  others = await Promise.all([
    startApiProcess(service),
    startApiProcess(service, { NODE_OPTIONS: `--import ${AHEAD}` }),
  ]);
});
after(async () => {
  await Promise.all(others.map((other) => other.kill("SIGTERM")));
  await service?.remove();
});

const everywhere = (merchant: Merchant): Merchant[] => [
  merchant,
  ...others.map((other) => merchantOf(other.service, merchant.business, merchant.keyId, merchant.key)),
];
const statusOf = async (key: string): Promise<number> => (await merchantOf(service, "", "", key).get("/me")).status;

test("§5.5 at most five active keys per business and environment: of twenty creates at four keys one wins", async () => {
  const merchant = await newMerchant(service);
  for (let count = 1; count < 4; count++) assert.ok(await addKey(service.database, merchant.business, "test"));
  const tries = await Promise.all(
    Array.from({ length: 20 }, () => addKey(service.database, merchant.business, "test")),
  );
  assert.equal(tries.filter((issued) => issued !== null).length, 1);
  assert.equal((await listKeys(service.database, merchant.business)).length, 5);
});

test("§5.4 rolling: the new key works at once, the old one for its grace and not a moment longer", async () => {
  const merchant = await newMerchant(service);
  const rolled = await rollKey(service.database, merchant.business, merchant.keyId, "1h");
  assert.ok(rolled !== null);
  assert.deepEqual([await statusOf(merchant.key), await statusOf(rolled.secret)], [200, 200]);
  await service.database.rows(sql`update api_keys set expires_at = now() where id = ${merchant.keyId}`);
  assertError(await merchant.get("/me"), 401, "unauthorized");
  assert.equal(await rollKey(service.database, merchant.business, merchant.keyId, "1h"), null);

  const none = await rollKey(service.database, merchant.business, rolled.key.id, "none");
  assert.deepEqual([await statusOf(rolled.secret), await statusOf(none!.secret)], [401, 200]);
});

test("§5.4 a key has at most one predecessor in grace: rolling again or revoking ends it at once", async () => {
  const merchant = await newMerchant(service);
  const second = await rollKey(service.database, merchant.business, merchant.keyId, "7d");
  const third = await rollKey(service.database, merchant.business, second!.key.id, "7d");
  assert.deepEqual(
    [await statusOf(merchant.key), await statusOf(second!.secret), await statusOf(third!.secret)],
    [401, 200, 200],
  );
  assert.ok(await revokeKey(service.database, merchant.business, third!.key.id));
  assert.deepEqual([await statusOf(second!.secret), await statusOf(third!.secret)], [401, 401]);
  assert.equal(await revokeKey(service.database, merchant.business, third!.key.id), false);
});

test("§5.4 twenty rolls of one key at once: one successor", async () => {
  const merchant = await newMerchant(service);
  const rolls = await Promise.all(
    Array.from({ length: 20 }, () => rollKey(service.database, merchant.business, merchant.keyId, "24h")),
  );
  assert.equal(rolls.filter((issued) => issued !== null).length, 1);
});

test("§5.4 a revoked key is refused on the very next request, on each of three processes", async () => {
  for (let trial = 0; trial < TRIALS; trial++) {
    const callers = everywhere(await newMerchant(service));
    const { business, keyId } = callers[0]!;
    for (const caller of callers) assert.equal((await caller.get("/me")).status, 200);
    await revokeKey(service.database, business, keyId);
    const answers = await Promise.all(callers.map((caller) => caller.get("/me")));
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [401, 401, 401],
    );
  }
});

test("§8 of 500 requests of one key in a minute exactly 120 pass, over three processes of which one's clock is ten minutes off", async () => {
  const callers = everywhere(await newMerchant(service, { rate: 120 }));
  const { left } = (await service.database.row<{ left: number }>(sql`
    select extract(epoch from date_trunc('minute', now()) + interval '1 minute' - now())::float as left`))!;
  // All 500 must fall into one minute of the database.
  if (left < 8) await sleep(left * 1_000 + 50);
  const answers = await Promise.all(Array.from({ length: 500 }, (_, index) => callers[index % 3]!.get("/me")));
  const passed = answers.filter((answer: Answer) => answer.status === 200);
  assert.equal(passed.length, 120);
  for (const answer of answers) {
    assert.equal(answer.headers["ratelimit-limit"], "120");
    if (answer.status === 200) continue;
    assertError(answer, 429, "rate_limited");
    assert.equal(answer.headers["ratelimit-remaining"], "0");
    assert.equal(answer.headers["retry-after"], answer.headers["ratelimit-reset"]);
    assert.ok(Number(answer.headers["retry-after"]) >= 1 && Number(answer.headers["retry-after"]) <= 60);
  }
  assert.deepEqual(
    passed.map((answer) => Number(answer.headers["ratelimit-remaining"])).sort((a, b) => a - b),
    Array.from({ length: 120 }, (_, index) => index),
  );
});

test("§4.1 twenty creates with one merchantReference: one 201, nineteen 409 that name it; free again the moment it expires", async () => {
  const callers = everywhere(await newMerchant(service));
  const terms = someTerms(service);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => callers[index % 3]!.call("POST", "/payment-intents", terms)),
  );
  const [made, ...more] = answers.filter((answer) => answer.status === 201);
  assert.equal(more.length, 0);
  for (const answer of answers.filter((other) => other !== made))
    assert.equal(assertError(answer, 409, "reference_in_use").intent, made!.json.id);

  await service.database.rows(sql`
    update intents set created_at = created_at - interval '2 days', expires_at = date_trunc('second', now())
    where id = ${made!.json.id}`);
  assert.equal((await callers[0]!.intent(made!.json.id)).status, "expired");
  assert.equal((await callers[0]!.call("POST", "/payment-intents", terms)).status, 201);
});
