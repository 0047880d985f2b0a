import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { type WebSocket, WebSocketServer } from "ws";
import { newConsensus } from "../consensus.ts";
import { subscribe } from "./activity.ts";
import { aSignature, operator, programId } from "./testing/chain.ts";
import { createManualClock } from "./testing/manualClock.ts";

async function startServer() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: false });
  await once(server, "listening");
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Awaits the next connection and its first message, and replies with `answer`. */
    async subscriber(answer: object = { jsonrpc: "2.0", id: 1, result: 7 }) {
      const [socket] = (await once(server, "connection")) as [WebSocket];
      const [message] = await once(socket, "message");
      socket.send(JSON.stringify(answer));
      return { socket, request: JSON.parse(String(message)) };
    },
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, "close");
    },
  };
}

/** Subscribes; `woken()` settles at the next wake. */
function watch(wsUrls: readonly string[], consensus = newConsensus()) {
  const clock = createManualClock();
  const logged: string[] = [];
  let onWake: (signature: string | null) => void = () => {};
  const settings = {
    rpcUrls: [],
    wsUrls,
    programId,
    operator,
    clock,
    consensus,
    log: (text: string) => logged.push(text),
  };
  const stop = subscribe(settings, (signature) => onWake(signature));
  const woken = () => new Promise<string | null>((resolve) => (onWake = resolve));
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise(setImmediate);
  };
  return { clock, logged, stop, woken, until, throwOnWake: () => (onWake = () => assert.fail("thrown by the caller")) };
}

test("the operator's transactions wake, and so does the beginning of a subscription", async () => {
  await using server = await startServer();
  const watched = watch([server.url]);
  const woken = watched.woken();
  const { socket, request } = await server.subscriber();
  assert.deepEqual(request, {
    jsonrpc: "2.0",
    id: 1,
    method: "logsSubscribe",
    params: [{ mentions: [operator] }, { commitment: "confirmed" }],
  });
  assert.equal(await woken, null);
  for (const [value, signature] of [
    [undefined, null],
    [{ signature: aSignature, err: null, logs: [] }, aSignature],
    [{ signature: aSignature, err: { InstructionError: [0, "Custom"] } }, null],
    [{ signature: "../accounts", err: null }, null],
  ]) {
    const again = watched.woken();
    const params = { result: { context: { slot: 5 }, value }, subscription: 7 };
    socket.send(JSON.stringify({ jsonrpc: "2.0", method: "logsNotification", params }));
    assert.equal(await again, signature);
  }

  watched.throwOnWake();
  socket.send("not even JSON");
  await watched.until(() => watched.logged.includes("Waking on chain activity failed."));

  watched.stop();
  await once(socket, "close");
  assert.deepEqual(watched.clock.due, []);
});

test("a lost connection is made again, with growing waits, going through the addresses", async () => {
  await using first = await startServer();
  await using second = await startServer();
  const watched = watch([first.url, second.url]);
  const { socket } = await first.subscriber();
  socket.terminate();

  await watched.until(() => watched.clock.due.includes(250));
  const refused = second.subscriber({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "no subscriptions" } });
  watched.clock.advance(250);
  await refused;

  await watched.until(() => watched.clock.due.includes(500));
  const again = first.subscriber();
  const woken = watched.woken();
  watched.clock.advance(500);
  await Promise.all([again, woken]);
  assert.deepEqual(watched.logged, [
    "The subscription to chain activity at WebSocket address 0 ended; it is made again.",
  ]);
  watched.stop();
});

test("§4.5.10 when the consensus changes, a subscription at its commitment takes the place of the one before", async () => {
  await using server = await startServer();
  const consensus = newConsensus();
  const watched = watch([server.url], consensus);
  const change = () => {
    consensus.kind = "alpenglow";
    for (const listener of consensus.changes) listener();
  };
  const before = await server.subscriber();
  const closed = once(before.socket, "close");
  const next = server.subscriber();
  change();
  const after = await next;
  await closed;
  assert.deepEqual(
    [before, after].map(({ request }) => request.params[1]),
    [{ commitment: "confirmed" }, { commitment: "finalized" }],
  );
  assert.deepEqual(watched.logged, []);
  watched.stop();
  assert.equal(consensus.changes.size, 0);
});

test("a connection that went silent is noticed by its missing pong", async () => {
  await using server = await startServer();
  const watched = watch([server.url]);
  const { socket } = await server.subscriber();
  await watched.until(() => watched.clock.due.includes(20_000));
  const closed = once(socket, "close");
  watched.clock.advance(20_000);
  await closed;
  watched.stop();
});

test("invalid addresses, or none at all, cause no error", async () => {
  watch([]).stop();
  const watched = watch(["no address", "ws://127.0.0.1:1"]);
  watched.clock.advance(0);
  watched.clock.advance(250);
  await watched.until(() => watched.clock.due.includes(500));
  watched.stop();
  assert.deepEqual(watched.clock.due, []);
});
