import assert from "node:assert/strict";
import { test } from "node:test";
import { isolate } from "./isolate.ts";

const away = Object.assign(new Error("away"), { outage: "database" });
const valuesOf = (outcomes: Awaited<ReturnType<typeof isolate<number, number>>>) =>
  outcomes.map((outcome) => (outcome.ok ? outcome.value : String(outcome.error)));

/** Doubles numbers, fails for odd ones, and reports an outage from 100 on. */
function doubling() {
  const calls: (readonly number[])[] = [];
  const all = async (items: readonly number[]) => {
    calls.push(items);
    if (items.some((item) => item >= 100)) throw away;
    const odd = items.find((item) => item % 2 === 1);
    if (odd !== undefined) throw new Error(`odd ${odd}`);
    return items.map((item) => item * 2);
  };
  return { calls, all };
}

test("items are done together, and after a failure each alone, in their order", async () => {
  const { calls, all } = doubling();
  assert.deepEqual(valuesOf(await isolate([2, 4], { all })), [4, 8]);
  assert.deepEqual(valuesOf(await isolate([2, 3, 4, 5], { all })), [4, "Error: odd 3", 8, "Error: odd 5"]);
  assert.deepEqual(calls, [[2, 4], [2, 3, 4, 5], [2], [3], [4], [5]]);
});

test("nothing is not tried, and a single item is tried once", async () => {
  const { calls, all } = doubling();
  assert.deepEqual(await isolate([], { all }), []);
  assert.deepEqual(valuesOf(await isolate([1], { all })), ["Error: odd 1"]);
  assert.deepEqual(calls, [[1]]);
});

test("an outage is thrown at once, and what is left is not tried", async () => {
  const { calls, all } = doubling();
  await assert.rejects(isolate([2, 100], { all }), away);
  const one = async (item: number) => (await all([item === 4 ? 100 : item]))[0]!;
  await assert.rejects(isolate([3, 4, 6], { all, one }), away);
  assert.deepEqual(calls, [[2, 100], [3, 4, 6], [3], [100]]);
});

test("a result too few is a mistake of the batch, and not of its items", async () => {
  await assert.rejects(isolate([1, 2], { all: async () => [1] }), /came back as 1/);
});

test("items alone are done as many at a time as is said", async () => {
  let [running, most] = [0, 0];
  const one = async (item: number) => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return item;
  };
  const all = () => Promise.reject(new Error("together"));
  assert.deepEqual(valuesOf(await isolate([1, 2, 3, 4, 5], { all, one, concurrency: 2 })), [1, 2, 3, 4, 5]);
  assert.equal(most, 2);
});
