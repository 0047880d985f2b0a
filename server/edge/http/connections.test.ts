import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { createServer } from "./server.ts";

/** Starts a server that answers `/held` when it is released, and `/second` at once. */
async function startHeld() {
  const { app, connections } = createServer([]);
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  app.get("/held", async () => {
    arrive();
    await held;
    return "held";
  });
  app.get("/second", async () => "second");
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  /** Opens a connection that sends `first`, and collects all bytes that come back. */
  const open = async (first: string): Promise<{ socket: Socket; text(): string }> => {
    const accepted = once(app.server, "connection");
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    await accepted;
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.write(first);
    return { socket, text: () => text };
  };
  return { app, connections, arrived, letGo, open };
}
const asking = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test("a server cuts idle connections at once, and answers requests under way before it closes", async () => {
  const { app, connections, arrived, letGo, open } = await startHeld();
  const [silent, halfAHeader, busy] = [await open(""), await open("GET /held HTT"), await open(asking("/held"))];
  await arrived;

  const ended = Promise.all([once(silent.socket, "close"), once(halfAHeader.socket, "close")]);
  const closed = connections.drain(() => app.close(), 60_000);
  await ended;
  assert.equal(busy.socket.readyState, "open", "a request under way is not cut");
  const answered = once(busy.socket, "close");
  letGo();
  await Promise.all([closed, answered]);
  assert.match(busy.text(), /^HTTP\/1\.1 200 .*held$/s);
});

test("a server does not wait longer than it may for a request that does not end", async () => {
  const { app, connections, arrived, open } = await startHeld();
  const { socket } = await open(asking("/held"));
  await arrived;
  const cut = once(socket, "close");
  await connections.drain(() => app.close(), 50);
  await cut;
});

test("a request on an open connection while the server stops is answered as ever, and ends the connection", async () => {
  const { app, arrived, letGo, open } = await startHeld();
  const { socket, text } = await open(asking("/held"));
  await arrived;
  const closed = app.close();
  const came = once(app.server, "request");
  socket.write(asking("/second"));
  await came;
  letGo();
  await once(socket, "close");
  await closed;

  const answers = text().split(/(?=HTTP\/1\.1 )/);
  assert.deepEqual(
    answers.map((answer) => [answer.slice(9, 12), /connection: (\S+)/i.exec(answer)?.[1], answer.split("\r\n\r\n")[1]]),
    [
      ["200", "keep-alive", "held"],
      ["200", "close", "second"],
    ],
  );
});

test("a malformed request behind a whole one is refused after the answer to that, not in its place", async () => {
  const { app, connections, arrived, letGo, open } = await startHeld();
  const { socket, text } = await open(`${asking("/held")}no HTTP at all\r\n\r\n`);
  await arrived;
  socket.write("and more of it\r\n\r\n");
  const ended = once(socket, "close");
  // Earlier bytes on other connections are handled by now, and this one got no answer.
  const other = await open(asking("/second"));
  await once(other.socket, "data");
  assert.equal(text(), "");
  letGo();
  await ended;
  assert.match(text(), /^HTTP\/1\.1 200 .*heldHTTP\/1\.1 400 .*"bad_request"/s);
  await connections.drain(() => app.close());
});

/** Sends a request with a body that the server refuses unread; returns what came back, and how the connection ended. */
async function sendRefused(bodyBytes: number, announcedBytes = bodyBytes) {
  const { app } = createServer([]);
  let requests = 0;
  app.on("PUT", "/refused", (_, reply) => {
    requests++;
    reply.code(413).header("connection", "close").send("too large");
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  let [text, error] = ["", null as NodeJS.ErrnoException | null];
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", (one: NodeJS.ErrnoException) => {
    error = one;
  });
  const closed = new Promise<void>((done) => socket.once("close", () => done()));
  socket.write(`PUT /refused HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${announcedBytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bodyBytes, "PUT /refused HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"));
  await closed;
  await app.close();
  return { text, code: error?.code ?? null, requests };
}

test("§11.7 a client that still sends a refused body reads its answer, and nothing of the body is a request", async () => {
  assert.deepEqual(
    await sendRefused(1_000_000).then(({ text, code, requests }) => [text.slice(0, 12), code, requests]),
    ["HTTP/1.1 413", null, 1],
  );
});

test("§11.7 a refused body that does not end, and one of many megabytes, is dropped for a second and 1 MiB at most", async () => {
  const [slow, large] = [await sendRefused(100, 1_000_000), await sendRefused(64_000_000)];
  assert.deepEqual([slow.text.slice(0, 12), slow.requests, large.requests], ["HTTP/1.1 413", 1, 1]);
});
