import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Answer, exchange, exchangeRaw } from "../harness/http.ts";
import { assertError, type Merchant, newMerchant, someTerms, type Wire } from "../harness/merchant.ts";
import { withinOneMinute } from "../harness/minute.ts";
import { type RunningService, sharedService } from "../harness/service.ts";

let service: RunningService;
let shop: Merchant;
let intent: Wire;
/** A body that is never sent: its answer takes ten seconds, so the request starts first and its answer is checked last. */
let unsent: Promise<Answer & { closed: boolean }>;
before(async () => {
  service = await sharedService();
  shop = await newMerchant(service);
  unsent = raw("POST", "/payment-intents", ["Content-Type: application/json", "Content-Length: 10"], '{"a"');
  unsent.catch(() => undefined);
  intent = await shop.create();
});
after(() => service?.remove());

/** A request written by hand, below /api/v1 and with the key. */
const raw = (method: string, path: string, headers: readonly string[], body: string | Uint8Array = "") => {
  const lines = [
    `${method} /api/v1${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${shop.key}`,
    ...headers,
  ];
  return exchangeRaw(service.port, Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), Buffer.from(body)]));
};

/** Asserts the headers that every answer carries. */
function assertMarked({ headers }: Answer): void {
  assert.match(String(headers["request-id"]), /^req_[0-9a-f]{32}$/);
  assert.equal(headers["service-api-version"], "2026-11-20");
  for (const name of Object.keys(headers)) assert.ok(!name.startsWith("access-control"), `no CORS header: ${name}`);
}
const refused = (answer: Answer, status: number, code: string, param?: string) => {
  assertError(answer, status, code, param);
  assertMarked(answer);
};

const JSON_TYPE = ["Content-Type", "application/json"] as const;
const post = (body: string | Uint8Array, headers: readonly (readonly [string, string])[] = [JSON_TYPE]) =>
  exchange("POST", `${service.apiUrl}/payment-intents`, {
    headers: [["Authorization", `Bearer ${shop.key}`], ...headers],
    body,
  });
const terms = () => JSON.stringify(someTerms(service));

test("§4 every answer has its own Request-Id and the API version, and none has CORS headers", async () => {
  const answers = [await shop.get("/me"), await shop.get("/nothing"), await exchange("GET", `${service.apiUrl}/me`)];
  answers.forEach(assertMarked);
  assert.equal(new Set(answers.map(({ headers }) => headers["request-id"])).size, answers.length);
});

test("§4 paths are exact: anything else is 404, with the key checked first", async () => {
  const { id } = intent;
  for (const path of [
    "",
    "/",
    "/nothing",
    "/me/",
    "//me",
    "/ME",
    "/payment-intents/",
    "/Payment-Intents",
    `/payment-intents//${id}`,
    `/payment-intents/${id}/`,
    `/payment-intents/${id}/nothing`,
    `/payment-intents/${id.toUpperCase()}`,
    `/payment-intents/${id}%00`,
    `/payment-intents/${id}%2Fcancel`,
    "/payment-intents/%2e%2e/me",
    "/../v1/me/",
    "/%6de/",
    "/me%",
    "/me%zz",
    "/%ff%fe",
    "/me;a=b",
    `/payment-intents/${"a".repeat(10_000)}`,
    "/payment-intents/x?limit=1",
  ])
    refused(await shop.get(path), 404, "not_found");
  assertError(await exchange("GET", `${service.apiUrl}/nothing`), 401, "unauthorized");
});

test("§4 methods are exact: another one is 404, also one that HTTP knows and we do not", async () => {
  for (const [method, path] of [
    ["DELETE", "/payment-intents"],
    ["PUT", `/payment-intents/${intent.id}`],
    ["PATCH", `/payment-intents/${intent.id}`],
    ["POST", "/me"],
    ["POST", `/payment-intents/${intent.id}`],
    ["GET", `/payment-intents/${intent.id}/cancel`],
    ["HEAD", `/payment-intents/${intent.id}/cancel`],
    ["OPTIONS", "/payment-intents"],
    ["TRACE", "/payment-intents"],
    ["QUERY", "/payment-intents"],
    ["PROPFIND", "/payment-intents"],
  ] as const) {
    const answer = await shop.call(method, path);
    assert.equal(answer.status, 404, `${method} ${path}: ${answer.text}`);
    assertMarked(answer);
    if (method !== "HEAD") assertError(answer, 404, "not_found");
  }
  refused(await raw("BREW", "/me", []), 400, "bad_request");
  assert.equal((await shop.intent(intent.id)).status, "requires_payment");
});

test("§11.4 HEAD on a GET route answers as GET, without the body", async () => {
  for (const path of ["/me", `/payment-intents/${intent.id}`, "/payment-intents?limit=1", "/payments"]) {
    const [head, get] = [await shop.call("HEAD", path), await shop.get(path)];
    assert.deepEqual([head.status, head.text], [200, ""]);
    for (const name of ["content-type", "content-length"]) assert.equal(head.headers[name], get.headers[name]);
  }
  const [head, get] = [await shop.call("HEAD", "/payments?limit=0"), await shop.get("/payments?limit=0")];
  assert.deepEqual([head.status, head.text, head.headers["content-length"]], [400, "", get.headers["content-length"]]);
});

test("§11.5 a GET's body and type are ignored", async () => {
  const length = ["Content-Length", "3"] as const;
  const answer = await exchange("GET", `${service.apiUrl}/me`, {
    headers: [["Authorization", `Bearer ${shop.key}`], ["Content-Type", "text/plain"], length],
    body: "{[}",
  });
  assert.equal(answer.status, 200, answer.text);
});

test("§7 415 for a body that is not sent as JSON; 201 for every way to say that it is", async () => {
  const types = ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/json", "json", ""];
  for (const type of [
    ...types,
    "application/json; charset=latin1",
    "application/json, text/plain",
    "application/json; charset=utf-8; charset=latin1",
  ])
    refused(await post(terms(), [["Content-Type", type]]), 415, "bad_request");
  refused(await post(terms(), []), 415, "bad_request");
  refused(await post("", []), 415, "bad_request");
  refused(await post(gzipSync(terms()), [JSON_TYPE, ["Content-Encoding", "gzip"]]), 415, "bad_request");
  refused(await post(gzipSync(terms()), [JSON_TYPE, ["Content-Encoding", "identity, gzip"]]), 415, "bad_request");
  for (const encoding of ["identity", "Identity"])
    assert.equal((await post(terms(), [JSON_TYPE, ["Content-Encoding", encoding]])).status, 201);
  for (const type of [
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json; charset="UTF-8"',
    "application/json ; charset=UTF-8 ; a=b",
  ])
    assert.equal((await post(terms(), [["Content-Type", type]])).status, 201, type);
});

test("§4.4 an operation without a payload takes no body, an empty one or {}, of any type", async () => {
  const cancel = async (headers: readonly string[], body = "") => {
    const { id } = await shop.create();
    return raw("POST", `/payment-intents/${id}/cancel`, headers, body);
  };
  const empty = [[], ["Content-Length: 0"], ["Content-Length: 0", "Content-Type: text/plain"]] as const;
  for (const headers of empty) assert.equal((await cancel(headers)).status, 200);
  for (const type of [[], ["Content-Type: text/plain"], ["Content-Type: application/json"]])
    assert.equal((await cancel(["Transfer-Encoding: chunked", ...type], "0\r\n\r\n")).status, 200);
  assert.equal((await cancel(["Content-Length: 2", "Content-Type: application/json"], "{}")).status, 200);
  refused(await cancel(["Content-Length: 2"], "{}"), 415, "bad_request");
  refused(await cancel(["Transfer-Encoding: chunked"], "2\r\n{}\r\n0\r\n\r\n"), 415, "bad_request");
  const full = `{"reason":"no"}`;
  const typed = [`Content-Length: ${full.length}`, "Content-Type: application/json"];
  refused(await cancel(typed, full), 400, "invalid_request", "reason");
});

/** A valid body of exactly `bytes` bytes. */
function bodyOf(bytes: number): string {
  const around = JSON.stringify(someTerms(service, { metadata: { a: "" } })).length;
  const body = JSON.stringify(someTerms(service, { metadata: { a: "" } }));
  return body.replace('"a":""', `"a":"${"x".repeat(bytes - around)}"`).padEnd(bytes);
}

test("§8 a body of 16,384 bytes is fine; one more is 413, and the connection ends cleanly", async () => {
  assert.equal((await post(bodyOf(16_384))).status, 201);
  refused(await post(bodyOf(16_385)), 413, "bad_request");
  const announced = await raw("POST", "/payment-intents", [
    "Content-Type: application/json",
    "Content-Length: 999999999",
  ]);
  refused(announced, 413, "bad_request");
  assert.equal(announced.closed, true, "answered without reading on");
  const chunk = `4000\r\n${" ".repeat(0x4000)}\r\n`;
  const chunks = ["Content-Type: application/json", "Transfer-Encoding: chunked"];
  const grown = await raw("POST", "/payment-intents", chunks, chunk + chunk);
  refused(grown, 413, "bad_request");
  assert.equal(grown.closed, true);
});

test("§7 a body that is no JSON object is 400 bad_request", async () => {
  for (const body of [
    "",
    " ",
    "null",
    "1",
    '"a"',
    "[]",
    "[{}]",
    "{",
    "{}}",
    "{'a':1}",
    '{"a":1,}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":NaN}',
    '{"a":"\n"}',
    '{"a":"\\x"}',
    '{"a":1 "b":2}',
    "// {}\n{}",
    '\ufeff{"a":1}',
    '{"a":1,"a":1}',
    '{"\\u0061":1,"a":2}',
    '{"metadata":{"b":1,"b":2}}',
    `{"metadata":${"[".repeat(10_000)}`,
    `{"metadata":${"[".repeat(64)}${"]".repeat(64)}}`,
    `${'{"a":'.repeat(65)}1${"}".repeat(65)}`,
  ])
    refused(await post(body), 400, "bad_request");
  for (const bytes of [[0xff], [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d], [0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22]])
    refused(await post(Uint8Array.from(bytes)), 400, "bad_request");
  refused(await post(Buffer.from('{"a":1}', "utf16le")), 400, "bad_request");
});

test("§11.8, §11.11 malformed HTTP and too many headers are 400 in the envelope", async () => {
  const many = Array.from({ length: 101 }, (_, index) => `X-${index}: 1`);
  for (const headers of [
    many,
    [`X-Long: ${"a".repeat(17_000)}`],
    ["Content-Type: application/json", "Content-Length: 2", "Content-Length: 3"],
    ["Content-Length: 2", "Transfer-Encoding: chunked"],
    ["Content-Length: -1"],
    ["Bad Header: 1"],
  ]) {
    const answer = await raw("POST", "/payment-intents", headers, "{}");
    refused(answer, 400, "bad_request");
    assert.equal(answer.closed, true);
  }
  assert.equal((await raw("GET", "/me", many.slice(0, 90))).status, 200);
  refused(await exchangeRaw(service.port, "nonsense\r\n\r\n"), 400, "bad_request");
});

test("§9.3 a Service-Api-Version must be one we know", async () => {
  const ask = (...values: string[]) =>
    shop.call(
      "GET",
      "/me",
      undefined,
      values.map((value) => ["Service-Api-Version", value]),
    );
  assert.equal((await ask("2026-11-20")).status, 200);
  for (const values of [["2026-11-19"], [""], ["latest"], ["2026-11-20", "2026-11-20"]])
    refused(await ask(...values), 400, "invalid_request", "Service-Api-Version");
});

test("§7.1 the checks run in their order: of several faults the first is reported", () =>
  withinOneMinute(shop, async () => {
    const limited = await newMerchant(service, { rate: 1 });
    await limited.get("/me");
    const held = await shop.create();
    const faults = [
      { name: "browser", status: 403, code: "browser_request" },
      { name: "key", status: 401, code: "unauthorized" },
      { name: "rate", status: 429, code: "rate_limited" },
      { name: "route", status: 404, code: "not_found" },
      { name: "type", status: 415, code: "bad_request" },
      { name: "size", status: 413, code: "bad_request" },
      { name: "json", status: 400, code: "bad_request" },
      { name: "idempotency key", status: 400, code: "bad_request" },
      { name: "version", status: 400, code: "invalid_request", param: "Service-Api-Version" },
      { name: "field", status: 400, code: "invalid_request", param: "amount" },
      { name: "operation", status: 409, code: "reference_in_use" },
    ] as const;
    for (const [first, expected] of faults.entries()) {
      const has = (name: (typeof faults)[number]["name"]) => faults.slice(first).some((fault) => fault.name === name);
      const key = has("key") ? "sk_test_wrong" : has("rate") ? limited.key : shop.key;
      const good = someTerms(service, {
        merchantReference: held.merchantReference,
        ...(has("field") ? { amount: "x" } : {}),
      });
      const body = has("json") ? "[" : JSON.stringify(good);
      const answer = await exchange("POST", `${service.apiUrl}/${has("route") ? "nothing" : "payment-intents"}`, {
        headers: [
          ["Authorization", `Bearer ${key}`],
          ["Content-Type", has("type") ? "text/plain" : "application/json"],
          ...(has("browser") ? [["Origin", "https://shop.example"] as const] : []),
          ...(has("idempotency key") ? [["Idempotency-Key", "a".repeat(256)] as const] : []),
          ...(has("version") ? [["Service-Api-Version", "1"] as const] : []),
        ],
        body: has("size") ? body.padEnd(20_000) : body,
      });
      assertError(answer, expected.status, expected.code, "param" in expected ? expected.param : undefined);
      assertMarked(answer);
    }
  }));

test("§11.8 a body that does not come within 10 s is 400, and the connection closes", async () => {
  const answer = await unsent;
  refused(answer, 400, "bad_request");
  assert.match(answer.json.error.message, /10 seconds/);
  assert.equal(answer.closed, true);
});
