import assert from "node:assert/strict";
import { once } from "node:events";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { endOfSteps, listLoops, startLoop } from "./loop.ts";

const HOUR_MS = 3_600_000;
const overdue = (name: string): number => listLoops().find((one) => one.name === name)!.seconds;

/** Starts an hourly loop under timers of the test's own; returns the number of its steps so far. */
async function startHourly(context: TestContext, step: () => Promise<boolean>): Promise<() => number> {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let steps = 0;
  const run = () => {
    steps++;
    return step();
  };
  const loop = startLoop(context.name, HOUR_MS, run, () => undefined);
  context.after(() => loop.stop());
  await turn();
  return () => steps;
}

test("a loop that runs hourly owes nothing while it waits", async (context) => {
  const steps = await startHourly(context, async () => false);
  const until = performance.now() + 20;
  while (performance.now() < until) await turn();
  assert.equal(overdue(context.name), 0);
  context.mock.timers.tick(HOUR_MS - 1);
  await turn();
  assert.equal(steps(), 1);
});

test("a loop that runs hourly tries again soon after an error, later each time, and is overdue until a step ends well", async (context) => {
  let isBroken = true;
  const steps = await startHourly(context, async () => {
    if (isBroken) throw new Error("It is broken.");
    return false;
  });
  while (overdue(context.name) < 0.02) await turn();
  const stepsAfter = async (ms: number): Promise<number> => {
    context.mock.timers.tick(ms);
    await turn();
    return steps();
  };
  assert.equal(await stepsAfter(4_999), 1);
  assert.equal(await stepsAfter(5_001), 2);
  assert.equal(await stepsAfter(9_999), 2);
  assert.equal(await stepsAfter(10_001), 3);
  for (const most of [40_000, 60_000, 60_000]) await stepsAfter(most);
  assert.equal(await stepsAfter(29_999), 6);
  isBroken = false;
  assert.equal(await stepsAfter(30_001), 7);
  assert.equal(overdue(context.name), 0);
});

test("a frequent loop waits for longer after each error, for five seconds at most, and works at its pace afterwards", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let [isBroken, steps] = [true, 0];
  const step = async () => {
    steps++;
    if (isBroken) throw new Error("It is broken.");
    return false;
  };
  const loop = startLoop(context.name, 100, step, () => undefined);
  context.after(() => loop.stop());
  /** Lets the time pass; returns the number of steps in it. */
  const pass = async (ms: number): Promise<number> => {
    const before = steps;
    for (let passed = 0; passed < ms; passed += 50) {
      await turn();
      context.mock.timers.tick(50);
    }
    await turn();
    return steps - before;
  };
  const first = await pass(60_000);
  assert.ok(first < 40, `${first} steps in the first minute`);
  assert.ok((await pass(60_000)) >= 12);
  isBroken = false;
  await pass(5_000);
  assert.ok((await pass(60_000)) > 500);
});

test("a loop that runs hourly is overdue while a step hangs for which it was woken", async (context) => {
  let hangs = false;
  const step = async (signal: AbortSignal) => {
    if (hangs) await once(signal, "abort");
    return false;
  };
  const loop = startLoop(context.name, HOUR_MS, step, () => undefined);
  context.after(() => loop.stop());
  await turn();
  hangs = true;
  loop.wake();
  const until = performance.now() + 20;
  while (performance.now() < until) await turn();
  assert.ok(overdue(context.name) > 0.01);
});

test("the end of the steps that run now is awaited, also where a step fails, and no other loop's", async (context) => {
  const steps = { "test sweep": Promise.withResolvers<boolean>(), "live sweep": Promise.withResolvers<boolean>() };
  for (const [name, { promise }] of Object.entries(steps)) {
    const loop = startLoop(
      name,
      HOUR_MS,
      () => promise,
      () => undefined,
    );
    context.after(() => loop.stop());
  }
  let hasEnded = false;
  const ended = endOfSteps("test ").then(() => {
    hasEnded = true;
  });
  await turn();
  assert.equal(hasEnded, false);
  steps["test sweep"].reject(new Error("It is broken."));
  await ended;
  await endOfSteps("test ");
  steps["live sweep"].resolve(false);
});
