import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createServer, type ServerOptions } from "./server.ts";

/** Longer than the first bytes of a connection take to a busy server. */
const HEADERS_WAIT_MS = 500;
const DRIP_MS = 30;

async function open(options: ServerOptions = {}) {
  const { app } = createServer([], options);
  app.get("/", async () => "here");
  app.on("POST", "/", async ({ raw }) => text(raw));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    /** Sends the text, then a byte of it again and again. Returns everything received until the connection ends. */
    async converse(text: string, dripped = "") {
      const socket = connect(port, "127.0.0.1").on("error", () => undefined);
      let received = "";
      socket.setEncoding("latin1").on("data", (piece: string) => {
        received += piece;
      });
      socket.write(text);
      const drip = dripped === "" ? undefined : setInterval(() => socket.write(dripped), DRIP_MS);
      await once(socket, "close");
      clearInterval(drip);
      return received;
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

test("§8 headers that do not arrive in their time are 400, also when they drip, and the connection ends", async () => {
  await using server = await open({ headersWaitMs: HEADERS_WAIT_MS });
  for (const [sent, dripped] of [
    ["GET / HTTP/1.1\r\nHost: x\r\n", ""],
    ["GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a"],
  ] as const) {
    const received = await server.converse(sent, dripped);
    assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n.*"bad_request".*did not arrive in time/s);
  }
});

test("§8 a connection on which no byte of a request has come is closed without a word", async () => {
  await using server = await open({ headersWaitMs: HEADERS_WAIT_MS });
  assert.equal(await server.converse(""), "");
});

test("§11.16 a client that shuts its sending side and never gets its answer is cut off; one that reads a stream, at once", async () => {
  const { app } = createServer([], { halfOpenMs: 200 });
  const gone = Promise.withResolvers<void>();
  app.get("/never", () => new Promise(() => {}));
  app.get("/stream", (_request, reply) => {
    const stream = reply.hijack();
    stream.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
    stream.once("close", () => gone.resolve());
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  for (const path of ["/never", "/stream"]) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).on("error", () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    if (path === "/stream") await once(socket, "data");
    socket.end();
    socket.resume();
    await once(socket, "close");
  }
  await gone.promise;
  await app.close();
});

test("§11.11 an HTTP/1.0 request in chunks ends its connection, whatever comes behind it", async () => {
  await using server = await open();
  const hidden = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  for (const method of ["GET", "POST"]) {
    const head = `${method} / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const received = await server.converse(`${head}2\r\n{}\r\n0\r\n\r\n${hidden}`);
    assert.equal(received.match(/HTTP\/1\.1 /g)?.length, 1, received);
    assert.match(received, /\r\nconnection: close\r\n/i);
  }
});

test("§11.15 a body that no door judges is asked for at once", async () => {
  await using server = await open();
  const received = await server.converse(
    "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}",
  );
  assert.match(received, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
});

test("§11.11 a body sent to a path without a route is not read on: the connection ends with the 404", async () => {
  await using server = await open();
  const head = "POST /none HTTP/1.1\r\nHost: x\r\n";
  const received = await server.converse(`${head}Content-Length: 99999\r\n\r\n{`, "x");
  assert.match(received.split("\r\n\r\n")[0]!, /^HTTP\/1\.1 404 Not Found\r\n(.*\r\n)*connection: close(\r\n|$)/i);
  // A body that came whole is passed over.
  const next = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  assert.match(
    await server.converse(`${head}Content-Length: 2\r\n\r\n{}${next}`),
    / 404 Not Found\r\n.*HTTP\/1\.1 200 OK/s,
  );
});
