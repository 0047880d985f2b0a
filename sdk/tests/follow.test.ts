import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inForm } from "../../tests/harness/form.ts";
import { type Merchant, newMerchant, someTerms } from "../../tests/harness/merchant.ts";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { eventually } from "../../tests/harness/wait.ts";
import { type AnyEvent, EventsAheadError, EventsExpiredError, Holdfast, type NewPaymentIntent } from "../index.ts";
import { startBadNetwork } from "./badNetwork.ts";
import { runKilledFollower } from "./killedFollower.ts";

const RATE = 1_000_000;
/** Of three, one comes before the follower is at work. `npm run faults -- follower` kills it 50 times. */
const KILLS = inForm({ short: 3, long: 10 });
const EVENTS = 5;
/** The service holds a request for 25 s: while it holds another for 20 s, a reader sends one at most. */
const HELD_SECONDS = 20;
const IDLE_REQUESTS_MAX = 1;
const HOUR_MS = 3_600_000;
const REQUESTS_AN_HOUR_MAX = 180;

let service: RunningService;
before(async () => {
  service = await sharedService();
});
after(() => service?.remove());

const newShop = (): Promise<Merchant> => newMerchant(service, { rate: RATE });
const terms = (): NewPaymentIntent => someTerms(service) as NewPaymentIntent;

test(`a follower that is killed ${KILLS} times, stopped, cut off and left without a service deals with every event once, in order`, async (t) => {
  t.diagnostic(JSON.stringify(await runKilledFollower({ seed: 7, kills: KILLS })));
});

test("an event arrives before a request that came after its commit is given up, and an idle reader sends few requests", async (t) => {
  const [merchant, idle] = [await newShop(), await newShop()];
  await using network = await startBadNetwork(
    () => service.apiUrl,
    () => "none",
  );
  const client = new Holdfast({ apiKey: merchant.key, baseUrl: network.url });
  const stop = new AbortController();
  const stream = client.events.follow({ signal: stop.signal });
  const arrived = new Set<string>();
  const reading = (async () => {
    for await (const event of stream) arrived.add(intentOf(event));
  })();
  await eventually("it waits", () => network.passed.length === 3);
  const hold = async (signal?: AbortSignal): Promise<string> => {
    const headers = { Authorization: `Bearer ${idle.key}` };
    const url = `${service.apiUrl}/events?after_sequence=0&wait=${HELD_SECONDS}`;
    const { data } = (await (await fetch(url, { headers, signal: signal ?? null })).json()) as { data: unknown[] };
    return `held, ${data.length} events`;
  };
  const direct = new Holdfast({ apiKey: merchant.key, baseUrl: service.apiUrl });
  const latencies: number[] = [];
  for (let count = 0; count < EVENTS; count++) {
    const { id } = await direct.paymentIntents.create(terms());
    const committedAt = performance.now();
    const end = new AbortController();
    const held = hold(end.signal).catch(() => "ended");
    assert.equal(
      await Promise.race([eventually("the event arrives", () => arrived.has(id) && "arrived"), held]),
      "arrived",
    );
    latencies.push(performance.now() - committedAt);
    end.abort();
  }
  t.diagnostic(`median ${latencies.sort((a, b) => a - b)[2]!.toFixed(0)} ms after the create was answered`);
  await eventually("it waits again", () => network.passed.length >= 3 + EVENTS);
  const { length } = network.passed;
  assert.equal(await hold(), "held, 0 events");
  const sent = network.passed.length - length;
  assert.ok(sent <= IDLE_REQUESTS_MAX, `${sent} requests`);
  stop.abort();
  await reading;
  assert.equal(stream.position, String(EVENTS));
});

test(`an hour without events is at most ${REQUESTS_AN_HOUR_MAX} requests of a follower, by a clock that jumps`, async (t) => {
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  const stop = new AbortController();
  let requests = 0;
  const client = new Holdfast({
    apiKey: "sk_test_1",
    baseUrl: "https://pay.example.com",
    // The service holds a request for as long as it may.
    fetch: async (input) => {
      requests++;
      nowMs += 1_000 * Number(new URL(String(input)).searchParams.get("wait") ?? 0);
      if (nowMs >= HOUR_MS) stop.abort();
      return Response.json({ object: "list", data: [], hasMore: false, oldestSequence: null, lastSequence: "7" });
    },
  });
  for await (const _ of client.events.follow({ after: "7", signal: stop.signal })) assert.fail("an event");
  assert.ok(nowMs >= HOUR_MS && requests > 1 && requests <= REQUESTS_AN_HOUR_MAX, `${requests} requests`);
});

const intentOf = ({ data }: AnyEvent): string => String((data.object as { readonly id?: string }).id);

test("a filtered reader moves on with the others' events; positions that are gone, or of another business, are errors", async () => {
  const merchant = await newShop();
  const client = new Holdfast({ apiKey: merchant.key, baseUrl: service.apiUrl });
  const [first] = await Promise.all(Array.from({ length: 5 }, () => client.paymentIntents.create(terms())));
  const stop = new AbortController();
  const stream = client.events.follow({ after: "0", types: "payment_intent.canceled", signal: stop.signal });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const event of stream) seen.push(`${event.type} ${event.sequence}`);
  })();
  await client.paymentIntents.cancel(first!.id);
  await eventually("the cancellation arrives", () => seen.length > 0);
  await client.paymentIntents.create(terms());
  await client.paymentIntents.cancel((await client.paymentIntents.create(terms())).id);
  await eventually("the second arrives", () => seen.length > 1);
  stop.abort();
  await reading;
  assert.deepEqual(seen, ["payment_intent.canceled 6", "payment_intent.canceled 9"]);
  const next = async (after: string) => client.events.follow({ after })[Symbol.asyncIterator]().next();
  await assert.rejects(next("1000"), EventsAheadError);
  // A service that keeps nothing so old.
  const expired = new Holdfast({ apiKey: merchant.key, baseUrl: service.apiUrl, fetch: withoutEventsBefore(4) });
  const lost = expired.events.follow({ after: "1" })[Symbol.asyncIterator]().next();
  await assert.rejects(lost, (error) => error instanceof EventsExpiredError && error.oldestSequence === "4");
  const { value } = await expired.events.follow({ after: "3" })[Symbol.asyncIterator]().next();
  assert.equal((value as AnyEvent).sequence, "4");
});

/** The service as it is once the events before this one are deleted. */
const withoutEventsBefore =
  (oldest: number): typeof fetch =>
  async (input, init) => {
    const answer = await fetch(input, init);
    const page = (await answer.json()) as { readonly data: readonly { readonly sequence: string }[] };
    const data = page.data.filter(({ sequence }) => Number(sequence) >= oldest);
    return new Response(JSON.stringify({ ...page, data, oldestSequence: String(oldest) }), answer);
  };

test("the gap of a restore is no loss, and hides none: not to a reader whose filter leaves out the events before it", async () => {
  const restored = { object: "event", id: "evt_1", type: "events.restored", sequence: "1000500", data: { object: {} } };
  const next = async (oldestSequence: string) => {
    const page = { object: "list", data: [restored], hasMore: false, oldestSequence, lastSequence: "1000500" };
    const client = new Holdfast({
      apiKey: "sk_test_1",
      baseUrl: "https://pay.example.com",
      fetch: async () => Response.json(page),
    });
    const stream = client.events.follow({ after: "100", types: "payment_intent.canceled" });
    return (await stream[Symbol.asyncIterator]().next()).value as AnyEvent;
  };
  assert.equal((await next("1000500")).sequence, "1000500");
  await assert.rejects(next("500"), (error) => error instanceof EventsExpiredError && error.oldestSequence === "500");
});
