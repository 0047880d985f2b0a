import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import fc from "fast-check";
import { type BatchOptions, createBatch, OverloadedError } from "./batch.ts";
import { fallbackCounts } from "./fallback.ts";
import type { Outcome } from "./isolate.ts";
import { traceBy, traced } from "./trace.ts";

const options = (more: Partial<BatchOptions<number, number>>): BatchOptions<number, number> => ({
  name: "doubles",
  runAll: async (items) => items.map((item): Outcome<number> => ({ ok: true, value: item * 2 })),
  runOne: async (item) => item * 2,
  itemsMax: 100,
  batchesMax: 2,
  waitingMax: 1_000,
  waitMsMax: 60_000,
  log: () => undefined,
  ...more,
});

/** Runs one call at a time; none ends before the gate opens. */
function gatedBatch(more: Partial<BatchOptions<number, number>>) {
  const gate = Promise.withResolvers<void>();
  const runOne = (item: number) => gate.promise.then(() => item);
  return { gate, call: createBatch(options({ batchesMax: 1, runOne, ...more })) };
}

test("every item gets its own result, whatever the sizes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -1000, max: 1000 }), { maxLength: 300 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 4 }),
      async (items, itemsMax, batchesMax) => {
        const sizes: number[] = [];
        const call = createBatch(
          options({
            itemsMax,
            batchesMax,
            runAll: async (batch) => {
              sizes.push(batch.length);
              return batch.map((item) => ({ ok: true, value: item * 2 }));
            },
          }),
        );
        assert.deepEqual(
          await Promise.all(items.map(call)),
          items.map((item) => item * 2),
        );
        assert.ok(sizes.every((size) => size <= itemsMax));
      },
    ),
    { numRuns: 100 },
  );
});

test("calls of one moment are one batch; a lone call runs alone", async () => {
  const calls: string[] = [];
  const call = createBatch(
    options({
      runAll: async (items) => {
        calls.push(`all ${items.length}`);
        return items.map((item) => ({ ok: true, value: item }));
      },
      runOne: async (item) => {
        calls.push("one");
        return item;
      },
    }),
  );
  await call(1);
  await Promise.all([call(1), call(2), call(3)]);
  assert.deepEqual(calls, ["one", "all 3"]);
});

test("an item that fails fails alone, in a batch and when the batch trips over it", async () => {
  const isBad = (item: number) => item % 7 === 0;
  const one = async (item: number) => {
    if (isBad(item)) throw new Error(`bad ${item}`);
    return item;
  };
  const byOutcome = createBatch(
    options({
      runOne: one,
      runAll: async (items) =>
        items.map((item) => (isBad(item) ? { ok: false, error: new Error(`bad ${item}`) } : { ok: true, value: item })),
    }),
  );
  const tripped = createBatch(
    options({
      runOne: one,
      runAll: async (items) => {
        if (items.some(isBad)) throw new Error("the statement failed");
        return items.map((item) => ({ ok: true, value: item }));
      },
    }),
  );
  for (const call of [byOutcome, tripped]) {
    const results = await Promise.allSettled(Array.from({ length: 30 }, (_, index) => call(index)));
    results.forEach((result, index) => {
      assert.equal(result.status, isBad(index) ? "rejected" : "fulfilled");
      if (result.status === "rejected") assert.equal(result.reason.message, `bad ${index}`);
    });
  }
});

test("a batch that fails and is done item by item is counted, and logged once a second", async (t) => {
  let now = 5_000;
  t.mock.method(performance, "now", () => now);
  const lines: string[] = [];
  const name = "counted in this test";
  const broken = new Error("the statement failed");
  const runAll = () => Promise.reject(broken);
  const call = createBatch(
    options({ name, runAll, log: (line, error) => void lines.push(`${line} ${error === broken}`) }),
  );
  const both = async () => assert.deepEqual(await Promise.all([call(1), call(2)]), [2, 4]);
  await both();
  await both();
  now += 1_000;
  await both();
  assert.equal(fallbackCounts.get(name), 3);
  assert.deepEqual(lines, [
    `A batch of 2 (${name}) failed and is done item by item; failed so far: 1. true`,
    `A batch of 2 (${name}) failed and is done item by item; failed so far: 3. true`,
  ]);
});

test("beyond its queue a call is refused at once, and the others are answered", async () => {
  const { call, gate } = gatedBatch({ waitingMax: 3 });
  const first = call(1);
  await new Promise((done) => setImmediate(done));
  const waiting = [call(2), call(3), call(4)];
  await assert.rejects(call(5), OverloadedError);
  gate.resolve();
  assert.equal(await first, 1);
  assert.deepEqual(await Promise.all(waiting), [4, 6, 8]);
});

test("what has waited too long is refused when its turn comes, and what came later is answered", async (t) => {
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  const { call, gate } = gatedBatch({ waitMsMax: 50 });
  const first = call(1);
  await new Promise((done) => setImmediate(done));
  const late = [call(2), call(3)];
  now += 51;
  const inTime = call(4);
  gate.resolve();
  for (const one of late) await assert.rejects(one, OverloadedError);
  assert.deepEqual(await Promise.all([first, inTime]), [1, 4]);
});

test("a batch that waited behind another is traced below its own first request", async (t) => {
  const current = new AsyncLocalStorage<string>();
  const spans: string[] = [];
  traceBy((name, _, work) => {
    spans.push(`${current.getStore() ?? "none"} > ${name}`);
    return current.run(name, work);
  });
  t.after(() => traceBy(null));
  const started = Promise.withResolvers<void>();
  const { gate, call } = gatedBatch({
    itemsMax: 1,
    runOne: (item) => {
      started.resolve();
      return gate.promise.then(() => item);
    },
  });
  const first = traced("request 1", {}, () => call(1));
  await started.promise;
  const second = traced("request 2", {}, () => call(2));
  gate.resolve();
  assert.deepEqual(await Promise.all([first, second]), [1, 2]);
  assert.deepEqual(
    spans.filter((span) => span.endsWith("doubles")),
    ["request 1 > batch doubles", "request 2 > batch doubles"],
  );
});
