import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { inForm } from "../harness/form.ts";
import { type Answer, exchange, exchangeRaw } from "../harness/http.ts";
import { assertError, type Merchant, newMerchant, someTerms } from "../harness/merchant.ts";
import { withinOneMinute } from "../harness/minute.ts";
import { type Service, startService } from "../harness/service.ts";
import { HUNG_MS } from "../harness/wait.ts";

// §11 byte by byte: an envelope or a clean close, nothing changed, and the process goes on.

/** Longer than a busy machine keeps a part of a body that was sent. */
const BODY_WAIT_MS = 2_000;
const BODY_BYTES_MAX = 16_384;

let service: Service;
let shop: Merchant;
before(async () => {
  service = await startService({ env: { BODY_WAIT_MS: String(BODY_WAIT_MS) } });
  shop = await newMerchant(service);
});
after(async () => {
  try {
    assert.equal((await exchange("GET", `${service.checkoutUrl}/healthz`)).status, 200);
    assert.equal(service.process.exitCode, null);
    // On a busy machine the database and the chain may be late with an answer: that is no fault of these requests.
    const lines = service.errors().split("\n");
    const isOfMachine = /The database did not answer|Node \d+ failed|No chain node gave/;
    const faults = lines.filter((line) => /failed|Error|unhandled/i.test(line) && !isOfMachine.test(line));
    assert.deepEqual(faults, []);
  } finally {
    await service?.remove();
  }
});

const JSON_TYPE = "Content-Type: application/json";

/** A request as it goes over the wire: with Host, key and the wish to close, unless `plain`. */
function wire(method: string, path: string, headers: readonly string[] = [], body: string | Buffer = ""): Buffer {
  const lines = ["Host: localhost", `Authorization: Bearer ${shop.key}`, "Connection: close", ...headers];
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`, "latin1"),
    Buffer.from(body),
  ]);
}
const post = (headers: readonly string[], body: string | Buffer = "") =>
  wire("POST", "/api/v1/payment-intents", [JSON_TYPE, ...headers], body);
const send = (bytes: string | Uint8Array) => exchangeRaw(service.port, bytes);

const newestIntent = async (): Promise<string | undefined> =>
  (await shop.get("/payment-intents?limit=1")).json.data[0]?.id;

/** The envelope with this status and code, after which the connection is closed. */
function assertRefused(name: string, answer: Answer & { closed: boolean }, status: number, code: string): void {
  assert.ok(answer.closed, `${name}: the connection stays open`);
  assert.equal(answer.status, status, `${name}: ${answer.text}`);
  assertError(answer, status, code);
  assert.match(answer.headers["request-id"] as string, /^req_[0-9a-f]{32}$/, name);
  assert.equal(answer.headers["service-api-version"], "2026-11-20", name);
}

/** Sends bytes and shuts the sending side, as RFC 9293 allows; returns all bytes until the connection ends. */
async function sendAndShut(bytes: Buffer): Promise<string> {
  const socket = connect({ port: service.port, host: "localhost", allowHalfOpen: true });
  socket.setEncoding("latin1").end(bytes);
  let received = "";
  for await (const chunk of socket) received += chunk;
  return received;
}

test("§11.16 a client that shuts its sending side after a whole request has its answer, and the connection ends", async () => {
  const plain = (line: string) =>
    Buffer.from(`${line} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.key}\r\n\r\n`);
  for (let times = 0; times < 3; times++)
    assert.match(await sendAndShut(plain("GET /api/v1/me")), /^HTTP\/1\.1 200 OK\r\n.*"object":"business"/s);
  const terms = JSON.stringify(someTerms(service));
  const created = await sendAndShut(post([`Content-Length: ${terms.length}`], terms));
  assert.match(created, /^HTTP\/1\.1 201 Created\r\n/);
  const { id } = JSON.parse(created.slice(created.indexOf("{")));
  assert.equal((await shop.intent(id)).status, "requires_payment");
  // The wait ends at once: the service cannot tell this client from one that has disconnected.
  const askedAt = performance.now();
  const newest = (await shop.get("/events?limit=1")).json.data[0].sequence;
  const waited = await sendAndShut(plain(`GET /api/v1/events?after_sequence=${newest}&wait=25`));
  assert.match(waited, /^HTTP\/1\.1 200 OK\r\n.*"data":\[\]/s);
  assert.ok(performance.now() - askedAt < 20_000, "not after the wait");
  const cut = await sendAndShut(post(["Content-Length: 9999"], "{"));
  assert.doesNotMatch(cut, /^HTTP\/1\.1 2/, "half a request is none");
});

test("§11.2 a target with a fragment is 404", async () => {
  assertRefused("#", await send(wire("GET", "/api/v1/me#x")), 404, "not_found");
});

test("§11.2 a method that no route has is 404, with a body and without", async () => {
  for (const method of [
    "QUERY",
    "TRACE",
    "OPTIONS",
    "PROPFIND",
    "PUT",
    "PATCH",
    "DELETE",
    "PURGE",
    "SEARCH",
    "M-SEARCH",
  ])
    for (const path of ["/api/v1/me", "/api/v1/payment-intents", "/api/v1/payment-intents/x/cancel"]) {
      assertRefused(`${method} ${path}`, await send(wire(method, path)), 404, "not_found");
      const withBody = wire(method, path, [JSON_TYPE, "Content-Length: 2"], "{}");
      assertRefused(`${method} ${path} {}`, await send(withBody), 404, "not_found");
    }
});

test("§11.11, §11.14 an unknown HTTP method is bad_request; CONNECT is 404, and the end", async () => {
  for (const method of ["get", "Get", "FOO", "G\u00cbT", "", "GET\tX"])
    assertRefused(method, await send(wire(method, "/api/v1/me")), 400, "bad_request");
  for (const target of ["localhost:443", "/api/v1/me"])
    assertRefused(`CONNECT ${target}`, await send(wire("CONNECT", target)), 404, "not_found");
});

test("§11.3 a target in absolute form is the request for its path, with key, query and body", async () => {
  for (const origin of ["http://localhost", "HTTP://LOCALHOST:41000", "https://api.shop-demo.com"]) {
    assert.equal((await send(wire("GET", `${origin}/api/v1/me`))).json.object, "business", origin);
    const listed = await send(wire("GET", `${origin}/api/v1/payment-intents?limit=1`));
    assert.equal(listed.json.object, "list", origin);
    assertRefused(origin, await send(wire("GET", `${origin}/api/v1/nowhere`)), 404, "not_found");
    assertRefused(origin, await send(wire("GET", `${origin}/api/v1/%ff`)), 404, "not_found");
    assertRefused(origin, await send(wire("GET", `${origin}/api/v1/me`, ["Authorization: none"])), 401, "unauthorized");
    for (const path of ["", "/", "?a"]) assert.equal((await send(wire("GET", `${origin}${path}`))).status, 200, path);
  }
  const body = JSON.stringify(someTerms(service));
  const headers = [JSON_TYPE, "Idempotency-Key: absolute", `Content-Length: ${body.length}`];
  const made = await send(wire("POST", "http://localhost/api/v1/payment-intents", headers, body));
  const again = await send(wire("POST", "/api/v1/payment-intents", headers, body));
  assert.deepEqual([made.status, again.status, again.text], [201, 201, made.text], "the same request in another form");
});

test("§11.3 a target with credentials, without a host or of another scheme is no endpoint", async () => {
  for (const target of [
    "http://user:pass@localhost/api/v1/me",
    "http:///api/v1/me",
    "ftp://localhost/api/v1/me",
    "http:/api/v1/me",
    "localhost/api/v1/me",
    "*",
  ])
    assert.ok([400, 404].includes((await send(wire("GET", target))).status), target);
});

test("§11.15 a body is asked for only once it is wanted", async () => {
  const expecting = (headers: readonly string[]) => post(["Expect: 100-continue", ...headers]);
  const body = JSON.stringify(someTerms(service));
  const received = await converse([expecting([`Content-Length: ${body.length}`]), body]);
  assert.match(received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 Created\r\n/);
  for (const [status, headers] of [
    [413, ["Content-Length: 1000000"]],
    [401, ["Content-Length: 2", "Authorization: none"]],
    [415, ["Content-Length: 2", "Content-Type: text/plain"]],
  ] as const) {
    const answer = await send(expecting(headers));
    assert.deepEqual([answer.status, answer.closed], [status, true], "answered without asking for the body");
  }
});

test("§11.4 HEAD answers as GET without a body", async () => {
  const get = await send(wire("GET", "/api/v1/me"));
  const head = await send(wire("HEAD", "/api/v1/me"));
  assert.deepEqual([get.status, head.status, head.text], [200, 200, ""]);
  assert.equal(head.headers["content-length"], get.headers["content-length"]);
  assert.deepEqual(Object.keys(head.headers), Object.keys(get.headers));
  for (const path of ["/api/v1/nowhere", "/api/v1/payment-intents/x/cancel", "/api/v1/payments/x"])
    assert.equal((await send(wire("HEAD", path))).status, 404, path);
});

test("§11.2 paths that are almost one, or cannot be decoded, are 404", async () => {
  const id = "a".repeat(10_000);
  for (const path of [
    ...["/api/v1/%", "/api/v1/%zz", "/api/v1/%ff", "/api/v1/payment-intents/%ff", "/api/v1/payment-intents/%00"],
    ...["/api/v1//me", "/api/v1/me/", "/api/v1/ME", "/api/v1/../v1/me", "/api/v1/%2e%2e/me", "/api/v1", "/api/v1/"],
    ...[`/api/v1/payment-intents/${id}`, `/api/v1/payments/${id}`, `/api/v1/events/${id}`, "/api/v1/me;x=1"],
  ]) {
    const answer = await send(wire("GET", path));
    assertRefused(path.slice(0, 60), answer, 404, "not_found");
  }
  assert.equal((await send(wire("GET", "/api/v1/me?%zz&%ff"))).status, 200, "a query of no list is nobody's business");
});

test("§11.9 headers given twice are never read as one", async () => {
  const newest = await newestIntent();
  const body = JSON.stringify(someTerms(service));
  const length = `Content-Length: ${body.length}`;
  const cases: [name: string, headers: string[], status: number, code: string][] = [
    ["Authorization", [length, `Authorization: Bearer ${shop.key}`], 401, "unauthorized"],
    ["Host", [length, "Host: elsewhere"], 400, "bad_request"],
    ["Content-Length, the same", [length, length], 400, "bad_request"],
    ["Content-Length, another", [length, "Content-Length: 1"], 400, "bad_request"],
    ["Content-Length, as a list", [`${length}, ${body.length}`], 400, "bad_request"],
    ["Content-Type", [length, "Content-Type: text/plain"], 415, "bad_request"],
    ["Idempotency-Key", [length, "Idempotency-Key: a", "Idempotency-Key: a"], 400, "bad_request"],
    [
      "Service-Api-Version",
      [length, "Service-Api-Version: 2026-11-20", "Service-Api-Version: 2026-11-20"],
      400,
      "invalid_request",
    ],
  ];
  for (const [name, headers, status, code] of cases) {
    const answer = await send(post(headers, body));
    assert.equal(answer.status, status, `${name}: ${answer.text}`);
    assert.equal(answer.json.error.code, code, name);
  }
  assert.equal(await newestIntent(), newest);
});

test("§11.11 framings that two servers could read differently are bad_request, and the end", async () => {
  const newest = await newestIntent();
  const hidden = wire("GET", "/api/v1/me").toString("latin1");
  const chunk = "2\r\n{}\r\n0\r\n\r\n";
  const cases: [name: string, bytes: Buffer][] = [
    ["length and chunks", post(["Content-Length: 5", "Transfer-Encoding: chunked"], chunk + hidden)],
    ["chunks and length", post(["Transfer-Encoding: chunked", "Content-Length: 5"], chunk + hidden)],
    ["chunked twice", post(["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], chunk + hidden)],
    ["xchunked", post(["Transfer-Encoding: xchunked"], chunk + hidden)],
    ["gzip, chunked", post(["Transfer-Encoding: gzip, chunked"], chunk + hidden)],
    ["identity", post(["Transfer-Encoding: identity"], chunk + hidden)],
    ["blank before the colon", post(["Content-Length : 2"], "{}")],
    ["negative length", post(["Content-Length: -1"], hidden)],
    ["signed length", post(["Content-Length: +2"], "{}")],
    ["hexadecimal length", post(["Content-Length: 0x2"], "{}")],
    ["endless length", post([`Content-Length: ${"9".repeat(30)}`], "{}")],
    ["no number for a chunk", post(["Transfer-Encoding: chunked"], `zz\r\n{}\r\n0\r\n\r\n${hidden}`)],
    ["long chunk extension", post(["Transfer-Encoding: chunked"], `2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`)],
    [
      "length in the trailers",
      post(["Transfer-Encoding: chunked"], `2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n${hidden}`),
    ],
    ["large trailers", post(["Transfer-Encoding: chunked"], `2\r\n{}\r\n0\r\nX: ${"x".repeat(100_000)}\r\n\r\n`)],
    ["folded header", wire("GET", "/api/v1/me", ["X-A: 1\r\n folded"])],
    ["folded key", Buffer.from(`GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization:\r\n Bearer ${shop.key}\r\n\r\n`)],
    ["bare line feeds", Buffer.from(`GET /api/v1/me HTTP/1.1\nHost: x\nAuthorization: Bearer ${shop.key}\n\n`)],
    ["one bare line feed", wire("GET", "/api/v1/me", ["X-A: 1\nX-B: 2"])],
    ["one bare carriage return", wire("GET", "/api/v1/me", ["X-A: 1\rX-B: 2"])],
    ["NUL in a header", wire("GET", "/api/v1/me", ["X-A: 1\u00002"])],
    ["NUL in the path", wire("GET", "/api/v1/me\u0000")],
    ["no Host", Buffer.from(`GET /api/v1/me HTTP/1.1\r\nAuthorization: Bearer ${shop.key}\r\n\r\n`)],
    [
      "chunks in HTTP/1.0",
      Buffer.from(
        post(["Transfer-Encoding: chunked"], chunk + hidden)
          .toString("latin1")
          .replace("HTTP/1.1", "HTTP/1.0"),
        "latin1",
      ),
    ],
    ["HTTP/2.0", Buffer.from(hidden.replace("HTTP/1.1", "HTTP/2.0"))],
    ["HTTP/0.9", Buffer.from(hidden.replace("HTTP/1.1", "HTTP/0.9"))],
    ["HTTP/2 without being asked", Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")],
    ["TLS", Buffer.from("16030102000100010000", "hex")],
  ];
  for (const [name, bytes] of cases) {
    const answer = await send(bytes);
    assertRefused(name, answer, 400, "bad_request");
    assert.doesNotMatch(answer.text, /HTTP\/1\.1 \d/, `${name}: a second answer`);
  }
  assert.equal(await newestIntent(), newest);
});

test("§11.7 a body of 16,384 bytes is fine, by length and in chunks; one more is 413 and the end", async () => {
  const padded = (size: number) => JSON.stringify(someTerms(service)).padEnd(size);
  const chunked = (body: string, size: number) =>
    `${(body.match(new RegExp(`.{1,${size}}`, "gs")) ?? []).map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join("")}0\r\n\r\n`;
  const exact = padded(BODY_BYTES_MAX);
  assert.equal((await send(post([`Content-Length: ${exact.length}`], exact))).status, 201);
  assert.equal((await send(post(["Transfer-Encoding: chunked"], chunked(padded(BODY_BYTES_MAX), 100)))).status, 201);

  const newest = await newestIntent();
  const more = padded(BODY_BYTES_MAX + 1);
  for (const [name, bytes] of [
    ["by length", post([`Content-Length: ${more.length}`], more)],
    ["announced, not sent", post(["Content-Length: 1000000000"])],
    ["in one chunk", post(["Transfer-Encoding: chunked"], chunked(more, more.length))],
    ["in many chunks", post(["Transfer-Encoding: chunked"], chunked(more, 10))],
    ["without an end", post(["Transfer-Encoding: chunked"], chunked(padded(50_000), 1_000).slice(0, -5))],
  ] as const)
    assertRefused(name, await send(bytes), 413, "bad_request");
  assert.equal(await newestIntent(), newest);
});

test("§11.8 100 headers and 16 KiB of them are fine; more is bad_request and the end", async () => {
  const many = (count: number) => Array.from({ length: count - 3 }, (_, index) => `X-${index}: 1`);
  assert.equal((await send(wire("GET", "/api/v1/me", many(100)))).status, 200);
  for (const count of [101, 1_500])
    assertRefused(`${count}`, await send(wire("GET", "/api/v1/me", many(count))), 400, "bad_request");
  assert.equal((await send(wire("GET", "/api/v1/me", [`X: ${"x".repeat(16_000)}`]))).status, 200);
  assertRefused("100 KB", await send(wire("GET", "/api/v1/me", [`X: ${"x".repeat(100_000)}`])), 400, "bad_request");
  assertRefused("a path of 100 KB", await send(wire("GET", `/api/v1/${"x".repeat(100_000)}`)), 400, "bad_request");

  const first = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.key}\r\n\r\n`;
  const tooLong = wire("GET", "/api/v1/me", [`X: ${"x".repeat(100_000)}`]);
  const received = await converse([Buffer.concat([Buffer.from(first), tooLong])]);
  assert.match(received, /^HTTP\/1\.1 200 .*HTTP\/1\.1 400 Bad Request\r\n.*"bad_request"/s);
});

test("§11.8 a body that is late is bad_request and the end, also when it drips", async () => {
  const newest = await newestIntent();
  const late = {
    "none of it": post(["Content-Length: 100"]),
    "half of it": post(["Content-Length: 100"], "{"),
    "no end": post(["Transfer-Encoding: chunked"], "1\r\n{\r\n"),
  };
  const refusals = Object.entries(late).map(async ([name, bytes]) =>
    assertRefused(name, await send(bytes), 400, "bad_request"),
  );
  // It would go on for minutes: what is refused before is refused since its time was over, not for silence.
  let left = 600;
  const dripping = function* () {
    for (yield post(["Content-Length: 1000"]); left > 0; left--) yield " ";
  };
  const [received] = await Promise.all([converse(dripping(), BODY_WAIT_MS / 8), ...refusals]);
  assert.match(received, /^HTTP\/1\.1 400 .*did not arrive within 2 seconds/s);
  assert.ok(left > 0, "it took longer than the limit");
  assert.equal(await newestIntent(), newest);
});

test("§11.12 a connection that breaks off in a body changes nothing", async () => {
  const newest = await newestIntent();
  const body = JSON.stringify(someTerms(service));
  for (const bytes of [
    post([`Content-Length: ${body.length + 1}`], body),
    post(["Transfer-Encoding: chunked"], "2\r\n{}\r\n"),
  ])
    for (const how of ["end", "resetAndDestroy"] as const) {
      const socket = connect({ port: service.port, host: "localhost" });
      socket.on("error", () => undefined).on("data", () => undefined);
      await new Promise((done) => socket.write(bytes, done));
      await sleep(20);
      socket[how]();
      await sleep(20);
      socket.destroy();
    }
  assert.equal(await newestIntent(), newest);
});

test("§11.12 an unread body is not taken for the next request", async () => {
  const hidden = wire("GET", "/api/v1/me");
  const keepAlive = (bytes: Buffer) =>
    Buffer.from(bytes.toString("latin1").replace("Connection: close\r\n", ""), "latin1");
  for (const [name, request] of [
    [
      "401",
      keepAlive(
        wire("POST", "/api/v1/payment-intents", [JSON_TYPE, `Content-Length: ${hidden.length}`, "Authorization: none"]),
      ),
    ],
    ["403", keepAlive(wire("POST", "/api/v1/payment-intents", ["Origin:", `Content-Length: ${hidden.length}`]))],
    ["404", keepAlive(wire("POST", "/api/v1/nowhere", [`Content-Length: ${hidden.length}`]))],
    ["415", keepAlive(wire("POST", "/api/v1/payment-intents", [`Content-Length: ${hidden.length}`]))],
    ["200", keepAlive(wire("GET", "/api/v1/me", [`Content-Length: ${hidden.length}`]))],
  ] as const) {
    const received = await converse([Buffer.concat([request, hidden])], 0, 300);
    assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 1, `${name}: ${received}`);
    assert.ok(received.startsWith(`HTTP/1.1 ${name}`), received);
  }
});

test("§4 requests sent ahead of their answers are answered in their order", async () => {
  const path = (id: number) => `/api/v1/payments/${id}`;
  const open = Array.from(
    { length: 5 },
    (_, id) => `GET ${path(id)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.key}\r\n\r\n`,
  );
  const received = await converse([[...open.slice(1), wire("GET", "/api/v1/me").toString()].join("")]);
  assert.deepEqual(
    [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ["404", "404", "404", "404", "200"],
  );
});

test("§11.13 an unknown expectation is ignored, and so is an upgrade", async () => {
  assert.equal((await send(wire("GET", "/api/v1/me", ["Expect: a-miracle"]))).status, 200);
  assert.equal((await send(wire("GET", "/api/v1/me", ["Upgrade: websocket"]))).status, 200);
});

test("§7.1 the order of checks: 403, 401, 429, 404, 415, 413, 400", () =>
  withinOneMinute(shop, async () => {
    const poor = await newMerchant(service, { rate: 1 });
    await poor.get("/me");
    const wrong = (headers: readonly string[], path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${[...headers, "Content-Length: 20000"].join("\r\n")}\r\n\r\n`;
    const key = `Authorization: Bearer ${shop.key}`;
    const statuses: number[] = [];
    for (const request of [
      wrong(["Cookie:", "Idempotency-Key:"], "/api/v1/nowhere"),
      wrong(["Idempotency-Key:"], "/api/v1/nowhere"),
      wrong([`Authorization: Bearer ${poor.key}`, "Idempotency-Key:"], "/api/v1/nowhere"),
      wrong([key, "Idempotency-Key:"], "/api/v1/nowhere"),
      wrong([key, "Idempotency-Key:"], "/api/v1/payment-intents"),
      wrong([key, "Idempotency-Key:", JSON_TYPE], "/api/v1/payment-intents"),
    ])
      statuses.push((await send(request)).status);
    statuses.push((await send(post(["Idempotency-Key:", "Content-Length: 1"], "["))).status);
    assert.deepEqual(statuses, [403, 401, 429, 404, 415, 413, 400]);
  }));

test("§11.11 any bytes at all get an envelope or a close", async () => {
  const newest = await newestIntent();
  const pieces = fc.oneof(
    fc.constantFrom(
      "GET ",
      "POST ",
      "/api/v1/me",
      " HTTP/1.1",
      "\r\n",
      "\r\n\r\n",
      "Host: x",
      "Content-Length: ",
      "Transfer-Encoding: chunked",
      "0",
      ":",
      "\n",
    ),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
  );
  const isRefused = fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 15 }), async (parts) => {
    const received = await converse([Buffer.from(`${parts.join("")}\r\n\r\n`, "latin1")], 0, 60);
    for (const [, status, body] of received.matchAll(/HTTP\/1\.1 (\d+) .*?\r\n\r\n(\{.*?\}\})/gs)) {
      assert.ok(Number(status) >= 400 && Number(status) < 500, received);
      assert.equal(typeof JSON.parse(body!).error.code, "string");
    }
    if (received !== "") assert.match(received, /^HTTP\/1\.1 (4\d\d|100) /);
  });
  // Most of a case is waiting for silence: ten at once.
  await Promise.all(
    Array.from({ length: 10 }, () => fc.assert(isRefused, { numRuns: inForm({ short: 5, long: 15 }) })),
  );
  assert.equal(await newestIntent(), newest);
});

test("§11.11 a client that goes on sending after a refusal is disconnected", async () => {
  for (const bytes of ["no HTTP at all\r\n\r\n", wire("GET", "/api/v1/me", [`X: ${"x".repeat(100_000)}`])]) {
    const socket = connect({ port: service.port, host: "localhost", allowHalfOpen: true });
    const broken = new Promise<void>((done) => socket.once("error", () => done()).once("close", () => done()));
    socket.write(bytes);
    socket.resume();
    const drip = setInterval(() => socket.write("x"), 100);
    await broken;
    clearInterval(drip);
    socket.destroy();
  }
});

/**
 * Sends the parts one after the other and returns all bytes until the end, or until none came for `quietMs` after
 * earlier ones.
 */
function converse(parts: Iterable<string | Uint8Array>, betweenMs = 30, quietMs = 20_000): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ port: service.port, host: "localhost" });
    let received = "";
    const finish = () => {
      socket.destroy();
      done(received);
    };
    // A busy machine may take its time to answer at all; silence means something only after that.
    socket.setEncoding("latin1").setTimeout(HUNG_MS, finish);
    socket.on("data", (text: string) => {
      received += text;
      socket.setTimeout(quietMs);
    });
    socket.on("end", finish).on("error", finish);
    socket.on("connect", async () => {
      for (const part of parts) {
        if (socket.destroyed) return;
        socket.write(part);
        if (betweenMs > 0) await sleep(betweenMs);
      }
    });
  });
}
