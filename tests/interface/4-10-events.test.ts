import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ENVELOPE } from "../harness/expectEvents.ts";
import { assertError, type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { type RunningService, sharedService } from "../harness/service.ts";

let service: RunningService;
before(async () => {
  service = await sharedService();
});
after(() => service?.remove());

const list = async (merchant: Merchant, query: string): Promise<Wire> => {
  const answer = await merchant.get(`/events?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const sequences = (page: Wire): number[] => page.data.map((event: Wire) => Number(event.sequence));

/** Five intents, the first two canceled: events 1 to 7. */
async function withEvents(): Promise<{ merchant: Merchant; intents: Wire[] }> {
  const merchant = await newMerchant(service);
  const intents: Wire[] = [];
  for (let index = 0; index < 5; index++) intents.push(await merchant.create());
  for (const intent of intents.slice(0, 2)) await merchant.cancel(intent.id);
  return { merchant, intents };
}

test("§4.10 events are listed newest first, numbered from 1 without gaps, in the bytes of a single read", async () => {
  const { merchant } = await withEvents();
  const page = await list(merchant, "limit=100");
  assert.deepEqual(sequences(page), [7, 6, 5, 4, 3, 2, 1]);
  assert.equal(page.hasMore, false);
  for (const event of page.data) {
    const one = await merchant.get(`/events/${event.id}`);
    assert.equal(one.text, JSON.stringify(event));
    assert.deepEqual(Object.keys(event), ENVELOPE);
  }
  const other = await newMerchant(service);
  assertError(await other.get(`/events/${page.data[0].id}`), 404, "not_found");
});

test("§4.10 pages both ways, and the events just above a sequence", async () => {
  const { merchant } = await withEvents();
  const all = (await list(merchant, "limit=100")).data;
  const walked = await merchant.walk("/events", 2);
  assert.deepEqual(walked, all);
  const newer = await list(merchant, `limit=2&ending_before=${all.at(-1).id}`);
  assert.deepEqual([sequences(newer), newer.hasMore], [[3, 2], true]);
  const above = await list(merchant, "limit=3&after_sequence=2");
  assert.deepEqual([sequences(above), above.hasMore], [[5, 4, 3], true]);
  const last = await list(merchant, "limit=3&after_sequence=5");
  assert.deepEqual([sequences(last), last.hasMore], [[7, 6], false]);
  assert.deepEqual(sequences(await list(merchant, "after_sequence=7")), []);
});

test("§4.10.7–8 after a sequence, a list says what is stored, and how far it has been read whatever the filter", async () => {
  const fresh = await newMerchant(service);
  const bounds = ({ oldestSequence, lastSequence }: Wire) => [oldestSequence, lastSequence];
  assert.deepEqual(bounds(await list(fresh, "after_sequence=0")), [null, null]);
  const { merchant } = await withEvents();
  for (const query of ["after_sequence=0&limit=2", "after_sequence=7", "after_sequence=0&type=payment.*"])
    assert.deepEqual(bounds(await list(merchant, query)), ["1", "7"], query);
  assert.deepEqual(Object.keys(await list(merchant, "limit=2")), ["object", "data", "hasMore"]);
  const waiting = list(merchant, "after_sequence=7&wait=2&type=payment.reverted");
  await merchant.create();
  assert.deepEqual(bounds(await waiting), ["1", "8"]);
  // Whenever the create commits, the bounds are those of the events that are listed.
  for (let after = 0; after < 20; after++) {
    const next = list(fresh, `after_sequence=${after}&wait=25`);
    await fresh.create();
    assert.deepEqual(bounds(await next), ["1", String(after + 1)]);
  }
});

test("§4.10 filters by type, group, intent and time; a value that matches nothing is an empty list", async () => {
  const { merchant, intents } = await withEvents();
  const types = async (query: string) =>
    (await list(merchant, `limit=100&${query}`)).data.map((event: Wire) => event.type);
  assert.deepEqual(await types("type=payment_intent.canceled"), ["payment_intent.canceled", "payment_intent.canceled"]);
  assert.equal((await types("type=payment_intent.canceled&type=payment_intent.created")).length, 7);
  assert.equal((await types("type=payment_intent.*")).length, 7);
  assert.equal((await types("type=payment.*")).length, 0);
  assert.deepEqual(await types(`intent=${intents[0].id}`), ["payment_intent.canceled", "payment_intent.created"]);
  assert.deepEqual(await types("payment=nothing"), []);
  const [newest] = (await list(merchant, "limit=1")).data;
  assert.equal((await types(`occurred_after=${newest.occurredAt}`)).length, 0);
  assert.ok((await types(`occurred_before=${newest.occurredAt}`)).length < 7);
});

test("§4.10 a wrong parameter is refused by its name", async () => {
  const { merchant } = await withEvents();
  const wrong: [string, string][] = [
    ["type=payment", "type"],
    ["type=*", "type"],
    ["wait=1", "wait"],
    ["wait=26&after_sequence=1", "wait"],
    ["wait=&after_sequence=1", "wait"],
    ["after_sequence=-1", "after_sequence"],
    ["after_sequence=01", "after_sequence"],
    ["after_sequence=1&after_sequence=2", "after_sequence"],
    ["occurred_after=yesterday", "occurred_after"],
    ["sequence=1", "sequence"],
    ["limit=0", "limit"],
    ["after_sequence=x&type=y", "type"],
    ["wait=05&after_sequence=1", "wait"],
  ];
  for (const [query, param] of wrong)
    assertError(await merchant.get(`/events?${query}`), 400, "invalid_request", param);
  assertError(await merchant.get(`/events?starting_after=evt_test_${"0".repeat(36)}`), 404, "not_found");
});

test("§4.10 wait holds the request open until there is something newer, and no longer than asked", async () => {
  const { merchant } = await withEvents();
  const waiting = list(merchant, "after_sequence=7&wait=25");
  const startedAt = performance.now();
  await merchant.create();
  assert.deepEqual(sequences(await waiting), [8]);
  assert.ok(performance.now() - startedAt < 24_000, "before its time is over");

  const idle = performance.now();
  assert.deepEqual(sequences(await list(merchant, "after_sequence=8&wait=1")), []);
  assert.ok(performance.now() - idle >= 990);
});

test("§4.10 a third waiting request of a key is answered at once", async () => {
  const { merchant } = await withEvents();
  const three = Array.from({ length: 3 }, async () => sequences(await list(merchant, "after_sequence=7&wait=25")));
  // The third request is answered at once with nothing; the other two wait for an event.
  assert.deepEqual(await Promise.race(three), []);
  await merchant.create();
  const pages = (await Promise.all(three)).sort((a, b) => a.length - b.length);
  assert.deepEqual(pages, [[], [8], [8]]);
});

test("§4.10.4 a waiting request whose client hangs up counts no longer, in whatever way it goes", async () => {
  const { merchant } = await withEvents();
  const held = async () => {
    const startedAt = performance.now();
    assert.deepEqual(sequences(await list(merchant, "after_sequence=7&wait=1")), []);
    return performance.now() - startedAt;
  };
  for (const how of ["end", "destroy", "resetAndDestroy"] as const) {
    const three = await Promise.all([1, 2, 3].map(() => startWaiting(merchant)));
    // The third is answered at once: from then on the other two wait.
    const third = await Promise.race(three.map((socket) => once(socket, "data").then(() => socket)));
    const gone = three.filter((socket) => socket !== third);
    third.destroy();
    for (const socket of gone) socket[how]();
    for (let tries = 0; (await held()) < 900; tries++) {
      assert.ok(tries < 100, `${how}: the place of a request that has gone stays taken`);
      await sleep(20);
    }
  }
});

/** Sends a request that waits, on a connection of its own. */
async function startWaiting(merchant: Merchant): Promise<Socket> {
  const socket = connect({ port: service.port, host: "localhost" }).on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    `GET /api/v1/events?after_sequence=7&wait=25 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${merchant.key}\r\n\r\n`,
  );
  return socket;
}

test("§4.10 events that its filter leaves out, and other requests, do not end a waiting request", async () => {
  const { merchant, intents } = await withEvents();
  const canceled = "after_sequence=7&wait=25&type=payment_intent.canceled";
  let answered = 0;
  const three = Array.from({ length: 3 }, async () => {
    const found = sequences(await list(merchant, canceled));
    answered++;
    return found;
  });
  // The third is answered at once: from then on the other two wait.
  assert.deepEqual(await Promise.race(three), []);
  for (let times = 0; times < 5; times++) {
    await merchant.create();
    assert.deepEqual(sequences(await list(merchant, "after_sequence=999999&wait=1")), []);
  }
  assert.equal(answered, 1);
  await merchant.cancel(intents.at(-1).id);
  assert.deepEqual((await Promise.all(three)).sort(), [[], [13], [13]]);

  const startedAt = performance.now();
  const waiting = list(merchant, "after_sequence=13&wait=1&type=payment.reverted");
  await merchant.create();
  assert.deepEqual(sequences(await waiting), []);
  assert.ok(performance.now() - startedAt >= 990, "as long as it was asked to");
});
