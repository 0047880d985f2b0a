import assert from "node:assert/strict";
import { test } from "node:test";
import { RestList } from "./restList.ts";

function openResting(sizeMax = 10) {
  const clock = { ms: 0 };
  return { clock, resting: new RestList(100, 1_000, { sizeMax, now: () => clock.ms }) };
}

test("what failed rests twice as long after every failure in a row, up to a bound; each by itself", () => {
  const { clock, resting } = openResting();
  for (const ms of [100, 200, 400, 800, 1_000, 1_000]) {
    assert.equal(resting.rest("one"), ms);
    clock.ms += ms - 1;
    assert.deepEqual([resting.has("one"), resting.has("other"), resting.list()], [true, false, ["one"]]);
    clock.ms += 1;
    assert.deepEqual([resting.has("one"), resting.list()], [false, []]);
  }
});

test("what worked again, or was not heard of for long, begins with the first wait", () => {
  const { clock, resting } = openResting();
  const failTwice = () => assert.deepEqual([resting.rest("one"), resting.rest("one")], [100, 200]);
  failTwice();
  resting.forget("one");
  failTwice();
  clock.ms += 200 + 1_001;
  resting.list();
  failTwice();
});

test("no more rest at once than is bounded", () => {
  const { resting } = openResting(2);
  assert.deepEqual([resting.rest("one"), resting.rest("two"), resting.rest("three")], [100, 100, null]);
  assert.equal(resting.rest("two"), 200);
  assert.deepEqual(resting.list(), ["one", "two"]);
});

test("work that fails is reported and rests, one that succeeds is forgotten, and an outage is thrown", async () => {
  const list = new RestList(10, 100, { sizeMax: 1 });
  const reported: unknown[] = [];
  const attempt = (name: string, error: Error | null) =>
    list.attempt(
      name,
      () => (error === null ? Promise.resolve() : Promise.reject(error)),
      (given) => reported.push(given),
    );
  const broken = new Error("broken");
  assert.equal(await attempt("a", broken), true);
  assert.deepEqual([list.list(), reported], [["a"], [broken]]);
  assert.equal(await attempt("b", broken), false, "the list is full, so it is not skipped");
  assert.equal(await attempt("a", null), true);
  assert.deepEqual(list.list(), []);
  const outage = Object.assign(new Error("away"), { outage: "database" });
  await assert.rejects(attempt("c", outage), outage);
  assert.deepEqual([list.list(), reported.length], [[], 2]);
});
