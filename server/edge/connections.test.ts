import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { followConnections } from "./connections.ts";
import { createServer } from "./server.ts";

const REQUEST = "GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n";

test("a server closes at once where nothing is asked, and answers what is under way first", async () => {
  const app = createServer();
  const connections = followConnections(app.server, 60_000);
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  app.get("/held", async () => {
    arrived.resolve();
    await held.promise;
    return "held";
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const open = async (first: string): Promise<Socket> => {
    const accepted = once(app.server, "connection");
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    await accepted;
    socket.write(first);
    return socket;
  };
  const silent = await open("");
  const halfAHeader = await open("GET /held HTT");
  const busy = await open(REQUEST);
  let answer = "";
  busy.on("data", (chunk) => {
    answer += chunk;
  });
  await arrived.promise;

  const ended = Promise.all([once(silent, "close"), once(halfAHeader, "close")]);
  const closed = connections.drain(() => app.close());
  await ended;
  assert.equal(busy.readyState, "open", "what is under way is not cut");
  held.resolve();
  await closed;
  assert.match(answer, /^HTTP\/1\.1 200 .*held$/s);
});

test("a server does not wait longer than it may for a request that does not end", async () => {
  const app = createServer();
  const connections = followConnections(app.server, 50);
  const arrived = Promise.withResolvers<void>();
  app.get("/held", async () => {
    arrived.resolve();
    await new Promise(() => undefined);
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  socket.write(REQUEST);
  await arrived.promise;
  const cut = once(socket, "close");
  await connections.drain(() => app.close());
  await cut;
});
