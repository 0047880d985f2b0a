import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newSecretKey } from "../../server/domain/secretKeys.ts";
import { insertKey as addKey, endKey as revokeKey, replaceKey as rollKey } from "../../server/features/keys/queries.ts";
import { sql } from "../../server/store/sql.ts";
import { exchange, type Request } from "../harness/http.ts";
import { assertError, type Merchant, newMerchant } from "../harness/merchant.ts";
import { type Service, startService } from "../harness/service.ts";

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

const me = (...headers: NonNullable<Request["headers"]>[number][]) =>
  exchange("GET", `${service.apiUrl}/me`, { headers });
const withKey = (key: string) => me(["Authorization", `Bearer ${key}`]);

test("§5.6 a missing, malformed or unknown key is 401", async () => {
  const { key } = shop;
  const flipped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
  for (const value of [
    "",
    "Bearer",
    "Bearer ",
    key,
    `bearer ${key}`,
    `BEARER ${key}`,
    `Basic ${key}`,
    `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    `Bearer  ${key}`,
    `Bearer\t${key}`,
    `Bearer ${key},`,
    `Bearer "${key}"`,
    `Bearer ${key} ${key}`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer ${flipped}`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key}a`,
    `Bearer ${key.replace("sk_test", "sk_live")}`,
    `Bearer ${newSecretKey("test")}`,
    `Bearer ${newSecretKey("live")}`,
    `Bearer ${"a".repeat(8_000)}`,
    `Bearer ' or '1'='1`,
  ])
    assertError(await me(["Authorization", value]), 401, "unauthorized");
  assertError(await me(), 401, "unauthorized");
  assertError(await me(["X-Api-Key", key]), 401, "unauthorized");
  assertError(await exchange("GET", `${service.apiUrl}/me?api_key=${key}`), 401, "unauthorized");
  assertError(await me(["Authorization", `Bearer ${key}`], ["Authorization", `Bearer ${key}`]), 401, "unauthorized");
  assert.equal((await withKey(key)).status, 200);
});

test("§5.6 no answer tells a key that was mistyped from one that never was", async () => {
  const [mistyped, unknown] = [await withKey(`${shop.key.slice(0, -1)}~`), await withKey(newSecretKey("test"))];
  assert.equal(mistyped.text, unknown.text);
  assert.equal(mistyped.headers["ratelimit-limit"], undefined);
});

test("§5.7 browser headers are 403, whatever they hold; those of other clients are fine", async () => {
  const key = ["Authorization", `Bearer ${shop.key}`] as const;
  for (const header of [
    ["Origin", "null"],
    ["Origin", ""],
    ["Origin", "https://shop.example"],
    ["origin", service.apiUrl],
    ["Sec-Fetch-Site", "none"],
    ["Sec-Fetch-Site", "same-origin"],
    ["Sec-Fetch-Site", ""],
    ["Cookie", ""],
    ["Cookie", "session=1"],
  ] as const)
    assertError(await me(key, header), 403, "browser_request");
  for (const header of [
    ["Sec-Fetch-Mode", "cors"],
    ["Referer", "https://shop.example/"],
    ["User-Agent", "Mozilla/5.0"],
  ] as const)
    assert.equal((await me(key, header)).status, 200);
  const preflight = await exchange("OPTIONS", `${service.apiUrl}/me`, {
    headers: [
      ["Origin", "https://shop.example"],
      ["Access-Control-Request-Method", "GET"],
    ],
  });
  assertError(preflight, 403, "browser_request");
  const fetched = await fetch(`${service.apiUrl}/me`, { headers: { authorization: `Bearer ${shop.key}` } });
  assert.equal(fetched.status, 200, "Node's fetch is no browser");
});

test("§5.2 the key decides business and environment; no request names them", async () => {
  const other = await newMerchant(service);
  const headers = [
    ["X-Business", other.business],
    ["X-Environment", "live"],
  ] as const;
  const answer = await shop.call("GET", `/me?business=${other.business}&environment=live`, undefined, headers);
  assert.deepEqual([answer.json.id, answer.json.environment], [shop.business, "test"]);
});

test("§5.4 a revoked key is refused on its next request, and so is the one it replaced", async () => {
  const merchant = await newMerchant(service);
  const next = await rollKey(service.database, merchant.business, merchant.keyId, "24h");
  assert.equal((await withKey(merchant.key)).status, 200, "in its grace");
  assert.equal(await revokeKey(service.database, merchant.business, next!.key.id), true);
  assertError(await withKey(next!.secret), 401, "unauthorized");
  assertError(await withKey(merchant.key), 401, "unauthorized");
  assert.equal(await revokeKey(service.database, merchant.business, next!.key.id), false);
});

test("§5.4 a rolled key works on for its grace and no longer; its successor at once", async () => {
  for (const grace of ["none", "1h", "24h", "7d"] as const) {
    const merchant = await newMerchant(service, { rate: 77 });
    const next = (await rollKey(service.database, merchant.business, merchant.keyId, grace))!;
    const answer = await withKey(next.secret);
    assert.deepEqual([answer.status, answer.headers["ratelimit-limit"]], [200, "77"]);
    assert.equal(answer.json.apiKey.id, next.key.id);
    const old = await withKey(merchant.key);
    if (grace === "none") {
      assertError(old, 401, "unauthorized");
      continue;
    }
    assert.equal(old.json.apiKey.id, merchant.keyId);
    await service.database.rows(sql`update api_keys set expires_at = now() where id = ${merchant.keyId}`);
    assertError(await withKey(merchant.key), 401, "unauthorized");
  }
});

test("contract §10 a key has at most one predecessor in grace: rolling again ends the older one", async () => {
  const merchant = await newMerchant(service);
  const second = (await rollKey(service.database, merchant.business, merchant.keyId, "7d"))!;
  const third = (await rollKey(service.database, merchant.business, second.key.id, "7d"))!;
  assertError(await withKey(merchant.key), 401, "unauthorized");
  for (const { secret } of [second, third]) assert.equal((await withKey(secret)).status, 200);
  assert.equal(
    await rollKey(service.database, merchant.business, second.key.id, "1h"),
    null,
    "only an active key rolls",
  );
});

test("§5.5 at most five active keys per business and environment, exact under a race", async () => {
  const { business } = await newMerchant(service);
  const issued = await Promise.all(Array.from({ length: 12 }, () => addKey(service.database, business, "test")));
  const made = issued.filter((key) => key !== null);
  assert.equal(made.length, 4, "one there was before");
  assert.notEqual(await addKey(service.database, business, "live"), null, "each environment has its own five");
  await rollKey(service.database, business, made[0]!.key.id, "7d");
  assert.equal(
    await addKey(service.database, business, "test"),
    null,
    "a key in grace takes no slot, its successor does",
  );
  await revokeKey(service.database, business, made[1]!.key.id);
  assert.notEqual(await addKey(service.database, business, "test"), null);
});
