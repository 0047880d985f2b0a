import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { WebSocketServer } from "ws";
import { newAssociation } from "./mobileChannel.ts";
import { MobileSession } from "./mobileSession.ts";

test("§12.12 an app that never answers ends the wait, and so does one that closes before its hello", async (context) => {
  const association = await newAssociation();
  const server = new WebSocketServer({ host: "localhost", port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.on("connection", (socket) => socket.close());
  await assert.rejects(MobileSession.open(port, association, new AbortController().signal), /closed the connection/);
  await new Promise((resolve) => server.close(resolve));

  const gaveUp = new AbortController();
  const waiting = MobileSession.open(port, association, gaveUp.signal);
  gaveUp.abort(new Error("nobody is going to answer"));
  await assert.rejects(waiting, /nobody is going to answer/);

  // Stands for the end of the thirty seconds.
  const late = new AbortController();
  context.mock.method(AbortSignal, "timeout", (ms: number) => {
    assert.equal(ms, 30_000);
    return late.signal;
  });
  const tries = MobileSession.open(port, association, new AbortController().signal);
  late.abort(new Error("late"));
  await assert.rejects(tries, /late/);
});

test("§12.12 what asks for hello after hello is no app, and the page gives up", async () => {
  const server = new WebSocketServer({ host: "localhost", port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let hellos = 0;
  server.on("connection", (socket) =>
    socket.on("message", () => {
      if (++hellos <= 50) socket.send(Buffer.alloc(0));
      else socket.close();
    }),
  );
  const opened = MobileSession.open(port, await newAssociation(), new AbortController().signal);
  await assert.rejects(opened, /too many hellos/);
  assert.equal(hellos, 5);
  await new Promise((resolve) => server.close(resolve));
});
