import assert from "node:assert/strict";
import { test } from "node:test";
import { draftLine, draftRequestLine } from "./log.ts";
import { startLoop } from "./loop.ts";
import { Outages } from "./outages.ts";

const now = new Date("2026-11-22T06:30:00.000Z");

class AwayError extends Error {
  override readonly name = "AwayError";
  readonly outage = "database";
  readonly reason: string;

  constructor(message: string, reason = "away", options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

test("a line of JSON is one line, with its level, and with the stack of a fault but not of an outage", () => {
  const fault = new Error("it broke\nin two", { cause: new Error("because") });
  const line = draftLine("json", now, "Something failed.", fault);
  assert.doesNotMatch(line, /\n/);
  const { error, ...rest } = JSON.parse(line);
  assert.deepEqual(rest, { time: now.toISOString(), level: "error", message: "Something failed." });
  assert.match(error, /it broke\nin two\n +at .*caused by Error: because/s);
  assert.deepEqual(JSON.parse(draftLine("json", now, "sweep: away", new AwayError("away"))), {
    time: now.toISOString(),
    level: "warn",
    message: "sweep: away",
    error: "away",
  });
  assert.deepEqual(JSON.parse(draftLine("json", now, "works again", undefined, "warn")).level, "warn");
});

test("a line of text has time and level; an outage has neither a stack nor its sentence twice", () => {
  const away = new AwayError("The database did not answer.", "away", { cause: new Error("ECONNREFUSED") });
  assert.equal(draftLine("text", now, "Ready."), "2026-11-22T06:30:00.000Z info Ready.");
  assert.equal(
    draftLine("text", now, "sweep: The database did not answer.", away),
    "2026-11-22T06:30:00.000Z warn sweep: The database did not answer.",
  );
  assert.equal(draftLine("text", now, "No.", away), "2026-11-22T06:30:00.000Z warn No.\nThe database did not answer.");
  assert.match(draftLine("text", now, "No.", new Error("bug")), /error No\.\nError: bug\n +at /);
});

test("a request is one line, with its parts as members in JSON", () => {
  const request = { method: "GET", route: "/pay/i/:id", status: 200, ms: 12, requestId: "req_1" };
  assert.equal(draftRequestLine("text", now, request), "2026-11-22T06:30:00.000Z info GET /pay/i/:id 200 12 ms req_1");
  const message = "GET /pay/i/:id 200 12 ms req_1";
  assert.deepEqual(JSON.parse(draftRequestLine("json", now, request)), {
    time: now.toISOString(),
    level: "info",
    message,
    ...request,
  });
  const none = { ...request, route: null, status: 404, requestId: null };
  assert.match(draftRequestLine("text", now, none), / info GET \(no route\) 404 12 ms$/);
});

/** Starts loops that fail or work as the test says; every step is awaited. */
function startLoops(names: readonly string[]) {
  const outages = new Outages();
  const logged: string[] = [];
  let failure: (name: string) => Error | null = () => null;
  let stepped = new Map<string, () => void>();
  const loops = names.map((name) =>
    startLoop(
      name,
      60_000,
      async () => {
        const error = failure(name);
        queueMicrotask(() => stepped.get(name)?.());
        if (error !== null) throw error;
        return false;
      },
      (message) => void logged.push(message),
      outages,
    ),
  );
  return {
    logged,
    /** Runs one step of each loop. */
    async step(how: (name: string) => Error | null): Promise<void> {
      failure = how;
      const done = names.map((name) => new Promise<void>((resolve) => stepped.set(name, resolve)));
      for (const loop of loops) loop.wake();
      await Promise.all(done);
      await new Promise((resolve) => setImmediate(resolve));
      stepped = new Map();
    },
    stop: () => Promise.all(loops.map((loop) => loop.stop())),
  };
}

test("an outage that all loops see is one line, and one when it is over for all", async () => {
  const { logged, step, stop } = startLoops(["test sweep", "test feed", "purge"]);
  try {
    await step(() => new AwayError("refused"));
    await step(() => new AwayError("terminated"));
    await step(() => new AwayError("refused"));
    assert.deepEqual(logged, ["test sweep: refused"]);
    await step(() => new AwayError("too slow", "slow"));
    assert.deepEqual(logged, ["test sweep: refused", "test sweep: too slow"], "of another reason: another outage");
    await step((name) => (name === "purge" ? new AwayError("refused") : null));
    assert.equal(logged.length, 2, "it is not over for all");
    await step(() => null);
    assert.deepEqual(logged.slice(2), ["The database works again."]);
    await step(() => new AwayError("refused"));
    assert.equal(logged.length, 4, "the next outage is another");
    await step(() => null);
    logged.length = 0;
    await step((name) => (name === "purge" ? new Error("a bug") : null));
    await step((name) => (name === "purge" ? new Error("a bug") : null));
    await step(() => null);
    assert.deepEqual(logged, ["purge: a bug", "purge: works again."]);
  } finally {
    await stop();
  }
});

test("a failure without retries shares the line of an outage that loops meet, and ends with it", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const outages = new Outages();
  assert.ok(outages.mention("database", "away"), "an idle connection broke");
  assert.ok(!outages.mention("database", "away"), "and another");
  assert.ok(!outages.record("sweep", "database", "away"), "and a loop found it away");
  now = 3_600_000;
  assert.ok(!outages.mention("database", "away"), "for as long as the loop fails");
  assert.deepEqual(outages.recover("sweep"), ["database"]);
  assert.ok(outages.mention("database", "away"), "the next outage is another");
  now += 59_000;
  assert.ok(!outages.mention("database", "away"));
  now += 61_000;
  assert.ok(outages.mention("database", "away"), "nobody has met it for a minute");
  assert.deepEqual(outages.recover("sweep"), [], "and no loop ever did");
});

test("a loop that runs once an hour hides neither the end of an outage nor the next one", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const outages = new Outages();
  assert.ok(outages.record("sweep", "database", "away"));
  assert.ok(!outages.record("hourly", "database", "away"));
  now = 60_000;
  assert.deepEqual(outages.recover("sweep"), [], "the other may fail still");
  assert.deepEqual(outages.recover("feed"), [], "one that never met it says nothing of it");
  now = 151_000;
  assert.deepEqual(outages.recover("sweep"), ["database"]);
  assert.deepEqual(outages.recover("sweep"), [], "said once");
  assert.ok(outages.record("sweep", "database", "away"), "the next outage is another");
});
