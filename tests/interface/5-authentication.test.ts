import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, test } from "node:test";
import { crc32 } from "node:zlib";
import { admin, adminRefusal } from "../harness/admin.ts";
import { type Answer, exchange, type Request } from "../harness/http.ts";
import { assertError, type Merchant, merchantOf, newMerchant, someTerms } from "../harness/merchant.ts";
import { withinOneMinute } from "../harness/minute.ts";
import { type RunningService, sharedService } from "../harness/service.ts";

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service);
});
after(() => service?.remove());

/** A key of the right form that was never issued: random letters, and the 30 bits of CRC-32 that end every key. */
function unknownKey(environment: "test" | "live"): string {
  const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  const letters = (count: number, pick: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => ALPHABET[pick(index)]).join("");
  const body = `sk_${environment}_0000_${letters(32, () => randomInt(32))}`;
  return body + letters(6, (index) => (crc32(body) >>> (27 - 5 * index)) & 31);
}

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
    `Basic ${key}`,
    `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    `Bearer\t${key}`,
    `Bearer ${key},`,
    `Bearer "${key}"`,
    `Bearer ${key} ${key}`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer ${flipped}`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key}a`,
    `Bearer ${key.replace("sk_test", "sk_live")}`,
    `Bearer ${unknownKey("test")}`,
    `Bearer ${unknownKey("live")}`,
    `Bearer ${"a".repeat(8_000)}`,
    `Bearer ' or '1'='1`,
  ])
    assertAsked(await me(["Authorization", value]));
  assertAsked(await me());
  assertError(await me(["X-Api-Key", key]), 401, "unauthorized");
  assertError(await exchange("GET", `${service.apiUrl}/me?api_key=${key}`), 401, "unauthorized");
  assertError(await me(["Authorization", `Bearer ${key}`], ["Authorization", `Bearer ${key}`]), 401, "unauthorized");
  for (const value of [`Bearer ${key}`, `bearer ${key}`, `BEARER ${key}`, `Bearer  ${key}`])
    assert.equal((await me(["Authorization", value])).status, 200, "§5.1 the scheme in any case");
  assert.match((await me(["Authorization", `Basic ${key}`])).json.error.message, /scheme .* is not Bearer/);
});

/** §5.6: 401 says how a key is sent; no other answer does. */
function assertAsked(answer: Answer): void {
  assertError(answer, 401, "unauthorized");
  assert.equal(answer.headers["www-authenticate"], "Bearer");
}

test("§5.6 a mistyped key and one that never was get the same answer", async () => {
  const [mistyped, unknown] = [await withKey(`${shop.key.slice(0, -1)}~`), await withKey(unknownKey("test"))];
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

test("§5.4 a revoked key is refused on its next request, and so is the key it replaced", async () => {
  const merchant = await newMerchant(service);
  const next = await admin(service, "key", "roll", merchant.keyId, "--grace", "24h");
  assert.equal((await withKey(merchant.key)).status, 200, "in its grace");
  await admin(service, "key", "revoke", next.id);
  assertError(await withKey(next.secret), 401, "unauthorized");
  assertError(await withKey(merchant.key), 401, "unauthorized");
  assert.match(await adminRefusal(service, "key", "revoke", next.id), /is already revoked/);
});

test("§5.4 a rolled key works on in its grace, its successor at once and at the same rate", async () => {
  for (const grace of ["none", "1h", "24h", "7d"]) {
    const merchant = await newMerchant(service, { rate: 77 });
    const next = await admin(service, "key", "roll", merchant.keyId, "--grace", grace);
    const answer = await withKey(next.secret);
    assert.deepEqual([answer.status, answer.headers["ratelimit-limit"]], [200, "77"]);
    assert.equal(answer.json.apiKey.id, next.id);
    const old = await withKey(merchant.key);
    if (grace === "none") assertError(old, 401, "unauthorized");
    else assert.equal(old.json.apiKey.id, merchant.keyId);
  }
});

test("§5.9.4 a key has at most one predecessor in grace: rolling again ends the older one", async () => {
  const merchant = await newMerchant(service);
  const second = await admin(service, "key", "roll", merchant.keyId, "--grace", "7d");
  const third = await admin(service, "key", "roll", second.id, "--grace", "7d");
  assertError(await withKey(merchant.key), 401, "unauthorized");
  for (const { secret } of [second, third]) assert.equal((await withKey(secret)).status, 200);
  assert.match(
    await adminRefusal(service, "key", "roll", second.id, "--grace", "1h"),
    /only an active key can be rolled/,
  );
});

test("§5.5 at most five active keys per business and environment; one in grace does not count", async () => {
  const { business, keyId } = await newMerchant(service);
  const issue = () => admin(service, "key", "add", business);
  for (let count = 1; count < 5; count++) await issue();
  assert.match(await adminRefusal(service, "key", "add", business), /has 5 active test keys/);
  const next = await admin(service, "key", "roll", keyId, "--grace", "7d");
  assert.match(
    await adminRefusal(service, "key", "add", business),
    /has 5 active test keys/,
    "the successor takes one",
  );
  await admin(service, "key", "revoke", next.id);
  await issue();
});

test("§5.10 a read key may look and verify; anything else is forbidden, counted and never stored", async () => {
  const { id, secret, scope } = await admin(service, "key", "add", shop.business, "--scope", "read", "--rate", "1000");
  assert.equal(scope, "read");
  const reader = merchantOf(service, shop.business, id, secret);
  const intent = await shop.create();
  for (const path of ["/payment-intents", `/payment-intents/${intent.id}`, "/payments", "/events"])
    assert.equal((await reader.get(path)).status, 200, path);
  assert.deepEqual((await reader.get("/me")).json.apiKey, { id, scope: "read" });
  assert.deepEqual((await shop.get("/me")).json.apiKey, { id: shop.keyId, scope: "full" });
  const verified = await reader.call("POST", `/payment-intents/${intent.id}/verify`, { signature: "1".repeat(64) });
  assert.deepEqual([verified.status, verified.json.outcome], [200, "signature_unverified"]);

  const remaining = (answer: Answer) => Number(answer.headers["ratelimit-remaining"]);
  const keyed = [["Idempotency-Key", "read only"]] as const;
  await withinOneMinute(shop, async () => {
    const refusals = [
      await reader.call("POST", "/payment-intents", someTerms(service), keyed),
      await reader.call("POST", "/payment-intents", someTerms(service), keyed),
      await reader.cancel(intent.id),
      await reader.confirm(intent.id, "1".repeat(64)),
      // Before type, size and JSON of the body, and the key under which it would be stored (§7.1).
      await reader.call("POST", "/payment-intents", "{", [["Idempotency-Key", ""]]),
    ];
    for (const answer of refusals) {
      const { message } = assertError(answer, 403, "forbidden");
      assert.match(message, /scope full/);
      assert.equal(answer.headers["idempotent-replayed"], undefined);
    }
    assert.ok(remaining(refusals[0]!) > remaining(refusals[3]!), "each counts");
  });
  assertError(await reader.call("POST", "/nothing", {}), 404, "not_found");
  assert.equal((await shop.call("POST", "/payment-intents", someTerms(service), keyed)).status, 201, "not stored");
  assert.equal((await shop.intent(intent.id)).status, "requires_payment");

  const rolled = await admin(service, "key", "roll", id);
  assert.equal(rolled.scope, "read", "a roll keeps it");
  assertError(await merchantOf(service, shop.business, rolled.id, rolled.secret).cancel(intent.id), 403, "forbidden");
  assertError(await reader.cancel(intent.id), 403, "forbidden");
  assert.match(await adminRefusal(service, "key", "add", shop.business, "--scope", "write"), /full.*read/);
});

test("§5.10.2 no method, path, header or Idempotency-Key lets a read key change anything, or read what a full key stored", async () => {
  const { id, secret } = await admin(service, "key", "add", shop.business, "--scope", "read", "--rate", "1000");
  const reader = merchantOf(service, shop.business, id, secret);
  const intent = await shop.create();
  const before = (await shop.get("/events?limit=100")).text;
  const path = `/payment-intents/${intent.id}`;
  const signature = "1".repeat(64);

  const paths = ["/payment-intents", path, `${path}/cancel`, `${path}/confirm`, `${path}/verify`];
  const METHODS = ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "LOCK", "SEARCH", "QUERY", "PURGE"];
  for (const method of METHODS)
    for (const one of paths) {
      const { status } = await reader.call(method, one, { signature });
      assert.equal(status, 404, `${method} ${one}`);
    }
  for (const near of ["/verify/", "//verify", "/Verify", "/verify%2f", "/verify/../cancel", "/cancel/..;/verify"])
    assertError(await reader.call("POST", path + near, { signature }), 404, "not_found");
  for (const one of [`${path}/cancel?/verify`, `${path}/cancel?operation=verify`])
    assertError(await reader.call("POST", one, {}), 403, "forbidden");
  for (const name of ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]) {
    assertError(await reader.call("POST", `${path}/cancel`, {}, [[name, "GET"]]), 403, "forbidden");
    assert.equal((await reader.call("GET", path, undefined, [[name, "DELETE"]])).status, 200);
    assertError(await reader.call("GET", `${path}/cancel`, undefined, [[name, "POST"]]), 404, "not_found");
    assert.equal((await reader.call("POST", `${path}/verify`, { signature }, [[name, "DELETE"]])).status, 200);
  }
  assert.equal((await reader.call("HEAD", path)).text, "");
  assert.equal((await shop.get("/events?limit=100")).text, before, "nothing happened");
  assert.equal((await shop.intent(intent.id)).status, "requires_payment");

  // The keys of the tenant are one space: what a full key stored is neither shown to the reader nor replaced by it.
  const keyed = [["Idempotency-Key", "of the full key"]] as const;
  const terms = someTerms(service);
  const created = await shop.call("POST", "/payment-intents", terms, keyed);
  assert.equal(created.status, 201);
  const refused = await reader.call("POST", "/payment-intents", terms, keyed);
  assertError(refused, 403, "forbidden");
  assert.ok(!refused.text.includes(created.json.id));
  assertError(await reader.call("POST", `${path}/verify`, { signature }, keyed), 409, "idempotency_conflict");
  assert.equal((await shop.call("POST", "/payment-intents", terms, keyed)).text, created.text);
});
