import assert from "node:assert/strict";
import dns from "node:dns/promises";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createServer } from "./server.ts";

const REQUEST = "HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

test("a client that hangs up before its answer leaves no status behind, as if it had been answered", async () => {
  const { app } = createServer([]);
  const statuses: number[] = [];
  app.afterEach((_request, reply) => void statuses.push(reply.statusCode));
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  app.get("/slow", async (_request, reply) => {
    arrived.resolve();
    await once(reply.raw, "close");
    left.resolve();
    return reply.code(201).send("made");
  });
  app.get("/fast", async (_request, reply) => reply.code(202).send("made"));
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const gone = connect(port, "127.0.0.1").on("error", () => undefined);
  gone.write(`GET /slow ${REQUEST}`);
  await arrived.promise;
  gone.resetAndDestroy();
  await left.promise;
  const whole = connect(port, "127.0.0.1");
  whole.write(`GET /fast ${REQUEST}`);
  await text(whole);
  await app.close();
  assert.deepEqual(statuses, [202]);
});

test("a hook that fails behind an answer is logged, and the process goes on", async () => {
  const failures: unknown[] = [];
  const { app } = createServer([], { logError: (_message, error) => failures.push(error) });
  app.afterEach(() => {
    throw new Error("the hook");
  });
  app.get("/", async () => "here");
  await app.listen({ host: "127.0.0.1", port: 0 });
  assert.equal(await (await fetch(app.localUrl)).text(), "here");
  await app.close();
  assert.deepEqual(failures.map(String), ["Error: the hook"]);
});

test("a stop waits for the requests on each address of localhost", async (t) => {
  const { mock } = t.mock.method(dns, "lookup", async () => [{ address: "127.0.0.1" }, { address: "127.0.0.2" }]);
  syncBuiltinESMExports();
  // The runner restores it only after this, so that the other files of the process would keep it.
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  const { app, connections } = createServer([]);
  const arrived = Promise.withResolvers<void>();
  let isAnswered = false;
  app.get("/slow", async () => {
    arrived.resolve();
    await sleep(300);
    isAnswered = true;
    return "done";
  });
  await app.listen({ host: "localhost", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.2");
  socket.write(`GET /slow ${REQUEST}`);
  const answer = text(socket);
  await arrived.promise;
  await connections.drain(() => app.close());
  assert.ok(isAnswered);
  assert.match(await answer, /done$/);
});
