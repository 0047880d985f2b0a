import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { followCheckout, StateRefusedError, StateStream } from "../checkout.ts";

interface State {
  readonly final: boolean;
  readonly state: string;
}

/** A browser's connection, of which the test says what comes. */
class TestStream extends EventTarget {
  static readonly all: TestStream[] = [];
  onmessage: ((event: { readonly data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  readyState = 0;

  constructor() {
    super();
    TestStream.all.push(this);
  }

  open(): void {
    this.readyState = 1;
  }

  beat(): void {
    this.dispatchEvent(new Event("beat"));
  }

  send(state: State): void {
    this.onmessage!({ data: JSON.stringify(state) });
  }

  close(): void {
    this.readyState = 2;
  }
}

const URL = "https://pay.example.com/pay/i/pi_1";
const waiting = { final: false, state: "waiting", version: 1, at: 1 } as const;
const settled = { final: true, state: "settled", version: 2, at: 2 } as const;

/** The platform, by a clock that the test moves. */
function startWorld() {
  TestStream.all.length = 0;
  const polls: string[] = [];
  const told: string[] = [];
  let answer: State | Response | null = waiting;
  let nowMs = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => nowMs);
  mock.method(globalThis, "fetch", async (input: string) => {
    polls.push(input);
    if (answer === null) throw new TypeError("fetch failed");
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  });
  Object.assign(globalThis, { EventSource: TestStream });
  return {
    polls,
    told,
    follow: () => {
      const onLost = (isLost: boolean) => void told.push(isLost ? "lost" : "well");
      const onRefused = ({ status }: StateRefusedError) => void told.push(`refused ${status}`);
      return new StateStream<State>({ url: URL, onState: ({ state }) => void told.push(state), onLost, onRefused });
    },
    set: (next: State | Response | null) => {
      answer = next;
    },
    pass: async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1_000;
        mock.timers.tick(1_000);
        // A timer started this work: an answer, its JSON, and the steps behind it.
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        await new Promise(setImmediate);
      }
    },
    [Symbol.dispose]: () => {
      mock.timers.reset();
      mock.restoreAll();
    },
  };
}

test("§12.5 a stream that connects and brings nothing is made up for by asking every three seconds, and opened again", async () => {
  using world = startWorld();
  world.follow().open();
  TestStream.all[0]!.open();
  await world.pass(10);
  assert.deepEqual([...new Set(world.polls)], [`${URL}/state`]);
  assert.equal(world.polls.length, 3);
  await world.pass(26);
  assert.deepEqual(
    TestStream.all.map(({ readyState }) => readyState),
    [2, 0],
    "it is opened again, once",
  );
});

test("§12.5 beats keep a stream alive: nothing is asked for; once they stop, the state is asked for", async () => {
  using world = startWorld();
  world.follow().open();
  const [stream] = TestStream.all;
  stream!.open();
  stream!.send(waiting);
  for (let beat = 0; beat < 6; beat++) {
    await world.pass(15);
    stream!.beat();
  }
  assert.deepEqual([world.polls.length, TestStream.all.length], [0, 1]);
  await world.pass(36);
  assert.ok(world.polls.length > 0);
  assert.equal(TestStream.all.length, 2);
  TestStream.all[1]!.open();
  TestStream.all[1]!.beat();
  const asked = world.polls.length;
  await world.pass(12);
  assert.equal(world.polls.length, asked, "a living stream is enough");
});

test("§12.5 an outage is said, asked about ever more rarely, and over with the first answer; a final state ends it all", async () => {
  using world = startWorld();
  const stream = world.follow();
  stream.open();
  world.set(null);
  await world.pass(60);
  assert.ok(world.polls.length >= 3 && world.polls.length <= 6, `${world.polls.length} in a minute`);
  assert.deepEqual([...new Set(world.told)], ["lost"]);
  world.set(settled);
  await world.pass(31);
  assert.deepEqual(world.told.slice(-2), ["settled", "well"]);
  const asked = world.polls.length;
  await world.pass(60);
  assert.equal(world.polls.length, asked);
  // A late payment of an expired order.
  world.set(waiting);
  await stream.poll();
  assert.equal(TestStream.all.at(-1)!.readyState, 0, "it follows again");
  stream.close();
  await stream.poll();
  assert.equal(TestStream.all.at(-1)!.readyState, 2, "closed is for good");
});

const refusedBy = (status: number) => Response.json({ error: { code: "not_found", message: "Gone." } }, { status });

test("§12.5 a refusal of the service is no outage: it is said once, and asked about again only when the page is looked at", async () => {
  using world = startWorld();
  const stream = world.follow();
  stream.open();
  for (const status of [401, 403, 404, 410]) {
    world.told.length = 0;
    stream.open();
    world.set(refusedBy(status));
    await world.pass(10);
    assert.deepEqual(world.told, [`refused ${status}`]);
  }
  const asked = world.polls.length;
  await world.pass(120);
  assert.deepEqual([world.polls.length, TestStream.all.at(-1)!.readyState], [asked, 2]);
  world.set(waiting);
  stream.resume();
  await world.pass(1);
  assert.deepEqual([world.told.at(-1), TestStream.all.at(-1)!.readyState], ["well", 0], "it follows again");
  // A proxy whose service restarts.
  world.set(new Response("<h1>404 Not Found</h1>", { status: 404 }));
  await world.pass(10);
  assert.equal(world.told.at(-1), "lost");
});

test("followCheckout throws once the service shows the checkout no more", async () => {
  using world = startWorld();
  const walk = followCheckout(URL);
  const first = walk.next();
  await world.pass(4);
  assert.equal((await first).value?.state, "waiting");
  world.set(refusedBy(404));
  const refused = assert.rejects(walk.next(), StateRefusedError);
  await world.pass(4);
  await refused;
  assert.equal(TestStream.all.at(-1)!.readyState, 2);
});

test("followCheckout yields the state that a held stream does not bring, and ends with a final one", async () => {
  using world = startWorld();
  const walk = followCheckout(`${URL}?a=b`);
  const first = walk.next();
  await world.pass(4);
  assert.equal((await first).value?.state, "waiting");
  world.set(settled);
  const last = walk.next();
  await world.pass(4);
  assert.equal((await last).value?.state, "settled");
  assert.equal((await walk.next()).done, true);
});
