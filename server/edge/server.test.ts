import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { createServer } from "./server.ts";

test("a request on an open connection while the server stops is answered as ever, and ends the connection", async () => {
  const app = createServer();
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  app.get("/first", async () => {
    arrived.resolve();
    await held.promise;
    return "first";
  });
  app.get("/second", async () => "second");
  await app.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

  ask("/first");
  await arrived.promise;
  const closed = app.close();
  const came = once(app.server, "request");
  ask("/second");
  await came;
  held.resolve();
  await once(socket, "close");
  await closed;

  const answers = text.split(/(?=HTTP\/1\.1 )/);
  assert.deepEqual(
    answers.map((answer) => [answer.slice(9, 12), /connection: (\S+)/i.exec(answer)?.[1], answer.split("\r\n\r\n")[1]]),
    [
      ["200", "keep-alive", "first"],
      ["200", "close", "second"],
    ],
  );
});
