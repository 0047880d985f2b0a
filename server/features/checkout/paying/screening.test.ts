import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { eventually } from "../../../../tests/harness/wait.ts";
import { createScreen, type ScreeningSettings } from "./screening.ts";

const PAYMENT = { environment: "live", sender: "buyer", recipient: "shop", asset: "USDC", amount: "5" } as const;
type Handler = (response: ServerResponse, request: IncomingMessage) => void;
const say =
  (text: string, status = 200): Handler =>
  (response) =>
    response.writeHead(status).end(text);

/** A busy machine answers late, so only silence is waited for as long as the service waits. */
async function openScreening(silence: ScreeningSettings["silence"], answerMsMax = 30_000) {
  const asked: { body: unknown; authorization: string | undefined }[] = [];
  const lines: string[] = [];
  const world = { handler: say('{"allowed":true}'), atMs: 0 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push({ body: JSON.parse(Buffer.concat(chunks).toString()), authorization: request.headers.authorization });
    world.handler(response, request);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/screen`;
  const screen = createScreen({
    settings: { url, token: "secret", silence },
    log: (line) => void lines.push(line),
    answerMsMax,
    now: () => world.atMs,
  });
  return {
    asked,
    lines,
    world,
    screen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
const withCode = (code: string) => ({ name: "BuyerError", code });

test("§4.14.10 the screening hears who pays whom how much of what; its answer is kept for five minutes", async () => {
  await using screening = await openScreening("refuse");
  const { asked, world, screen } = screening;
  await screen(PAYMENT);
  await screen(PAYMENT);
  assert.deepEqual(asked, [{ body: PAYMENT, authorization: "Bearer secret" }]);
  world.handler = say('{"allowed":false}');
  world.atMs = 299_999;
  await screen(PAYMENT);
  world.atMs = 300_000;
  await assert.rejects(screen(PAYMENT), withCode("not_accepted"));
  await assert.rejects(screen(PAYMENT), withCode("not_accepted"));
  assert.equal(asked.length, 2);
  world.handler = say('{"allowed":true}');
  await screen({ ...PAYMENT, sender: "another" });
  await screen({ ...PAYMENT, amount: "6" });
  assert.equal(asked.length, 4, "no answer counts for another question");
});

const SILENCES: Readonly<Record<string, Handler>> = {
  "an error": say("{}", 500),
  "a redirect": (response) => response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
  "no JSON": say("yes"),
  "another JSON": say('{"allowed":"yes"}'),
  null: say("null"),
  "too long": say(`{"allowed":true,"more":"${"x".repeat(2_000)}"}`),
  "a reset": (_, request) => void request.socket.destroy(),
};

test("§4.14.10 silence means what the setting says, is not kept, and is logged once and when it ends", async () => {
  for (const silence of ["allow", "refuse"] as const) {
    await using screening = await openScreening(silence);
    const { lines, world, screen, asked } = screening;
    for (const [name, handler] of Object.entries(SILENCES)) {
      world.handler = handler;
      if (silence === "allow") await screen(PAYMENT);
      else await assert.rejects(screen(PAYMENT), withCode("unavailable"), name);
    }
    assert.equal(asked.length, Object.keys(SILENCES).length, "each was asked anew");
    assert.equal(lines.length, 1);
    world.handler = say('{"allowed":true}');
    await screen(PAYMENT);
    assert.equal(lines.length, 2);
  }
});

test("§4.14.10 an answer that takes longer than a second is silence", async () => {
  await using screening = await openScreening("refuse", 1_000);
  screening.world.handler = () => undefined;
  await assert.rejects(screening.screen(PAYMENT), withCode("unavailable"));
});

test("§4.14.10 many questions at once let nobody pass unasked while the service answers", async () => {
  await using screening = await openScreening("allow");
  const { world, screen, lines } = screening;
  const held: ServerResponse[] = [];
  world.handler = (response) => void held.push(response);
  const asked = Array.from({ length: 64 }, (_, n) => screen({ ...PAYMENT, sender: `stranger ${n}` }));
  await assert.rejects(screen(PAYMENT), withCode("unavailable"));
  await eventually("all questions arrived", () => held.length === asked.length);
  world.handler = say('{"allowed":false}');
  for (const response of held) response.end('{"allowed":true}');
  await Promise.all(asked);
  await assert.rejects(screen(PAYMENT), withCode("not_accepted"));
  assert.deepEqual(lines, []);
});

test("§4.14.10 without a screening nobody is asked", async () => {
  await createScreen({ settings: null, log: () => assert.fail() })(PAYMENT);
});
