import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { connect, createServer as createTcpServer } from "node:net";
import { after, test } from "node:test";
import { createServer, type TLSSocket } from "node:tls";
import { HUNG_MS } from "../../../../tests/harness/wait.ts";
import { startReceiver } from "../../../../tests/harness/webhookReceiver.ts";
import { HOST, testAuthority, until } from "../testing/worker.ts";
import { Connections } from "./connections.ts";
import type { Resolve, ResolvedAddress } from "./resolver.ts";
import { type Outcome, sendDelivery } from "./send.ts";

const certificate = testAuthority().issue([HOST]);
const connections = new Connections({ ca: testAuthority().ca });
after(() => connections.close());

/** Longer than any step takes on a busy machine: an attempt that ends earlier did not wait for its deadline. */
const PATIENT_MS = HUNG_MS;
/** The deadline of an attempt that ends by it. */
const SHORT_MS = 600;
const listed = (port: number): ResolvedAddress => ({ address: "127.0.0.1", port, listed: true });

async function send(resolve: Resolve, url = `https://${HOST}/hooks`, using = connections, attemptMs = PATIENT_MS) {
  const startedAt = performance.now();
  const sending = { connections: using, resolve, attemptMs };
  const outcome = await sendDelivery(sending, url, { "Service-Event-Id": "evt_test_1" }, '{"a":1}');
  return { ...outcome, tookMs: performance.now() - startedAt };
}

const sendShortly = (resolve: Resolve) => send(resolve, undefined, undefined, SHORT_MS);

/** Sends, and waits until the connection may serve the next delivery. */
async function sendAndKeep(address: ResolvedAddress, using = connections) {
  const outcome = await send(to(address), undefined, using);
  await until("its connection is kept", () => using.hasIdle(HOST, address));
  return outcome;
}

const to =
  (...addresses: ResolvedAddress[]): Resolve =>
  async () =>
    addresses;

/** A TLS server that passes each connection to `serve`; the test disposes of it. */
async function rawServer(serve: (socket: TLSSocket) => void, from = certificate) {
  const sockets = new Set<Socket>();
  const server = createServer({ ...from }, serve);
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("tlsClientError", () => undefined);
  server.on("secureConnection", (socket: TLSSocket) => {
    socket.on("error", () => undefined);
    // Without reading, the socket would not notice that the other side has closed.
    socket.resume();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const assertFailed = (outcome: Outcome & { tookMs: number }, error: string | RegExp) => {
  if (typeof error === "string") assert.equal(outcome.error, error);
  else assert.match(outcome.error ?? "succeeded", error);
  assert.ok(outcome.tookMs < PATIENT_MS, `one slot for no longer than the deadline, not ${outcome.tookMs} ms`);
};

test("§6.1.5 a name that leads to one address that is not public is refused, whatever else it leads to", async () => {
  for (const address of [
    "10.0.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "::1",
    "::ffff:8.8.8.8",
    "fd00::1",
    "168.63.129.16",
  ]) {
    const hidden = { address, port: 443, listed: false };
    for (const addresses of [[hidden], [{ address: "8.8.8.8", port: 443, listed: false }, hidden]])
      assertFailed(await send(to(...addresses)), `the name ${HOST} leads to ${address}, which is not a public address`);
  }
  assertFailed(await send(to()), `the name ${HOST} has no address in DNS`);
});

test("§6.1.5 a listed name may lead to loopback alone, an unlisted one to port 443 alone", async () => {
  assertFailed(await send(to({ address: "10.0.0.1", port: 443, listed: true })), /not a public address/);
  assertFailed(await send(to({ address: "8.8.8.8", port: 8443, listed: false })), /not a public address/);
});

test("§6.1.5 the rules of URLs hold at delivery too", async () => {
  for (const url of ["http://shop.com/", "https://127.0.0.1/", "https://shop.com:8443/", "https://localhost/"])
    assert.notEqual((await send(() => assert.fail("nothing is resolved"), url)).error, null);
});

test("§6.1.5 a name that turns private between two deliveries is refused at the second, though its connection is kept", async () => {
  await using receiver = await startReceiver(certificate);
  const own = new Connections({ ca: testAuthority().ca });
  let addresses: ResolvedAddress[] = [listed(receiver.port)];
  const resolve: Resolve = async () => addresses;
  for (const _ of [1, 2]) assert.equal((await sendAndKeep(listed(receiver.port), own)).error, null);
  assert.equal(receiver.connections, 1, "kept alive while the name leads there");
  addresses = [{ address: "192.168.1.1", port: 443, listed: false }];
  assertFailed(await send(resolve, undefined, own), /leads to 192\.168\.1\.1/);
  assert.equal(receiver.received.length, 2);
  await using moved = await startReceiver(certificate, undefined, { address: "127.0.0.2" });
  addresses = [{ ...listed(moved.port), address: "127.0.0.2" }];
  assert.equal((await send(resolve, undefined, own)).error, null);
  assert.equal(moved.received.length, 1, "another address is another connection");
  own.close();
});

test("§6.2 a name that answers slowly, or never, uses the same ten seconds", async () => {
  assertFailed(await sendShortly(() => new Promise(() => undefined)), /no answer within 0\.6 s/);
});

test("§6.2 a connection that is refused, and one that is accepted and never becomes TLS", async () => {
  const silent = createTcpServer(() => undefined);
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const { port } = silent.address() as AddressInfo;
  assertFailed(await sendShortly(to(listed(port))), /no answer within/);
  silent.close();
  const pool = connections.pool(HOST, listed(1));
  assertFailed(await send(to(listed(1))), "the connection was refused");
  assert.notEqual(connections.pool(HOST, listed(1)), pool, "nothing is kept of an address that cannot be reached");
});

test("§6.2 an address that cannot be reached is passed over for the next", async () => {
  await using receiver = await startReceiver(certificate);
  assert.equal((await send(to(listed(1), listed(receiver.port)))).error, null);
});

test("certificates: of another name, expired, of nobody we trust", async () => {
  await using other = await startReceiver(testAuthority().issue(["other.shop-demo.com"]));
  assertFailed(await send(to(listed(other.port))), "the certificate is not for this name");
  await using expired = await startReceiver(
    testAuthority().issue([HOST], { notAfter: new Date("2026-03-01T12:00:00Z") }),
  );
  assertFailed(await send(to(listed(expired.port))), "the certificate expired on 2026-03-01");
  await using receiver = await startReceiver(certificate);
  const distrusting = new Connections({ ca: null });
  assertFailed(await send(to(listed(receiver.port)), undefined, distrusting), /not trusted|incomplete/);
  distrusting.close();
  assert.equal(other.received.length + expired.received.length + receiver.received.length, 0, "nothing was sent");
});

const HEAD = "HTTP/1.1 200 OK\r\n";
const NOT_HTTP = "the answer is not valid HTTP/1.1";
type Mischief = readonly [what: string, serve: (socket: TLSSocket) => void, error: string | RegExp | null];
const MISCHIEF: readonly Mischief[] = [
  ["closes at once", (socket) => socket.destroy(), /closed|reset/],
  ["resets after the request", (socket) => socket.once("data", () => socket.destroy()), /closed|reset/],
  ["never answers", () => undefined, /no answer within/],
  ...[
    ["speaks no HTTP", "220 mail ready\r\n"],
    ["gives two lengths", `${"HTTP/1.1 200 OK\r\n"}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`],
    ["answers with a status below 100", "HTTP/1.1 099 What\r\nContent-Length: 0\r\n\r\n"],
    ["speaks HTTP/0.9", "<html>hello</html>\r\n"],
    ["speaks HTTP/2 alone", Buffer.from("0000000400000000000000000000", "hex")],
  ].map(
    ([what, answer]): Mischief => [
      String(what),
      (socket) => void socket.once("data", () => socket.write(answer!)),
      "the answer is not valid HTTP/1.1",
    ],
  ),
  ["trickles headers", (socket) => trickle(socket, `${HEAD}X-Slow: ${"a".repeat(1_000)}`), /no answer within/],
  [
    "sends endless headers",
    (socket) => flood(socket, HEAD, `X-Long: ${"a".repeat(1_000)}\r\n`),
    /headers are too large|closed/,
  ],
  [
    "sends a thousand 1xx",
    (socket) => once1(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000)),
    /interim answers/,
  ],
  ["trickles 1xx", (socket) => drip(socket, "HTTP/1.1 103 Early Hints\r\n\r\n"), /interim answers|no answer within/],
  [
    "switches protocols",
    (socket) => once1(socket, "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    /./,
  ],
  ["answers 200 and streams for ever", (socket) => flood(socket, `${HEAD}\r\n`, "x".repeat(16_384)), null],
  ["answers 200 and never ends the body", (socket) => once1(socket, `${HEAD}Content-Length: 10\r\n\r\nab`), null],
  [
    "redirects to a metadata address",
    (socket) => once1(socket, "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"),
    "answered 302; redirects are not followed",
  ],
];

const once1 = (socket: TLSSocket, text: string) => void socket.once("data", () => socket.write(text));
function repeat(socket: TLSSocket, everyMs: number, write: () => void): void {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : write()), everyMs);
  socket.once("close", () => clearInterval(timer));
}
function trickle(socket: TLSSocket, text: string): void {
  let at = 0;
  repeat(socket, 20, () => socket.write(text[at++ % text.length]!));
}
const drip = (socket: TLSSocket, text: string) => repeat(socket, 20, () => socket.write(text));
function flood(socket: TLSSocket, head: string, piece: string): void {
  socket.write(head);
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on("drain", more);
  more();
}

for (const [what, serve, error] of MISCHIEF)
  test(`§6.2 a receiver that ${what} costs one slot for at most the deadline`, async () => {
    await using server = await rawServer(serve);
    // Only cases that end by the deadline get a short one.
    const isEndless = String(error).includes("no answer within");
    const outcome = await (isEndless ? sendShortly : send)(to(listed(server.port)));
    if (error === null) assert.equal(outcome.error, null);
    else assertFailed(outcome, error);
    // A receiver with any answer is not overloaded, and keeps its concurrency limit.
    if (error === NOT_HTTP) assert.equal(outcome.pressure, "failed");
    assert.ok(outcome.tookMs < PATIENT_MS);
    if (what === "redirects to a metadata address") return; // its answer is whole: the connection is kept
    const isClosed = () => [...server.sockets].every((socket) => socket.destroyed || socket.closed);
    await until("its connection is given up", isClosed);
  });

test("§6.2 a kept connection that the receiver closed meanwhile is no failure: the delivery goes on a new one", async (context) => {
  let requests = 0;
  await using server = await rawServer((socket) => {
    socket.on("data", () => {
      requests++;
      // Answers the first request of a connection, and closes on the second without an answer.
      if (requests === 2) socket.destroy();
      else socket.write(`${HEAD}Content-Length: 2\r\n\r\nok`);
    });
  });
  assert.equal((await sendAndKeep(listed(server.port))).error, null);
  // It is closed at once, however busy the machine is.
  context.mock.method(performance, "now", () => 1_000);
  assert.equal((await send(to(listed(server.port)))).error, null);
  assert.equal(server.sockets.size, 2);
});

for (const [what, answer] of [
  ["began to answer", (socket: TLSSocket) => void socket.write("HTTP/1.1 2", () => socket.destroy())],
  [
    "sent an interim answer",
    (socket: TLSSocket) => void socket.write("HTTP/1.1 102 Processing\r\n\r\n", () => socket.destroy()),
  ],
  ["was at work for a while", (socket: TLSSocket) => void setTimeout(() => socket.destroy(), 600)],
] as const)
  test(`§6.2 a request is not sent again on a new connection when the receiver ${what} before it closed the kept one`, async () => {
    let requests = 0;
    await using server = await rawServer((socket) => {
      socket.on("data", () => {
        if (++requests === 1) socket.write(`${HEAD}Content-Length: 2\r\n\r\nok`);
        else answer(socket);
      });
    });
    assert.equal((await sendAndKeep(listed(server.port))).error, null);
    assertFailed(await send(to(listed(server.port))), /closed|reset/);
    assert.equal(requests, 2);
    assert.equal(server.sockets.size, 1);
  });

test("a delivery that waits for a connection to be made goes on one that comes free before", async () => {
  const held: Socket[] = [];
  let answer: (() => void) | null = null;
  await using server = await rawServer((socket) => {
    socket.on("data", () => {
      const give = () => void socket.write(`${HEAD}Content-Length: 2\r\n\r\nok`);
      if (answer === null) answer = give;
      else give();
    });
  });
  // The second connection is accepted but does not become TLS for long, as if the receiver were overloaded.
  let accepted = 0;
  const door = createTcpServer((socket) => {
    if (accepted++ > 0) held.push(socket);
    else socket.pipe(connect(server.port, "127.0.0.1")).pipe(socket);
  });
  await once(door.listen(0, "127.0.0.1"), "listening");
  const { port } = door.address() as AddressInfo;
  const first = send(to(listed(port)));
  await until("the first request has come", () => answer !== null);
  const second = send(to(listed(port)));
  await until("a second connection is asked for", () => held.length === 1);
  answer!();
  assert.equal((await first).error, null);
  assert.equal((await second).error, null);
  assert.equal(accepted, 2);
  // Once it is made after all, it is kept for the next delivery.
  for (const socket of held) socket.pipe(connect(server.port, "127.0.0.1")).pipe(socket);
  await until("both connections are idle", () => connections.pool(HOST, listed(port)).stats.free === 2);
  assert.equal(accepted, 2);
  for (const socket of held) socket.destroy();
  door.close();
});
