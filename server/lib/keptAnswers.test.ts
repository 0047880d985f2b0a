import assert from "node:assert/strict";
import { test } from "node:test";
import { KeptAnswers } from "./keptAnswers.ts";

test("who asks within the time shares one read, and a failure is read again", async () => {
  let [now, reads] = [0, 0];
  const kept = new KeptAnswers<number>({ keptMs: 100, keysMax: 10, now: () => now });
  const read = (key: string) => kept.read(key, async () => ++reads);
  assert.deepEqual(await Promise.all([read("a"), read("a"), read("b")]), [1, 1, 2]);
  now = 99;
  assert.equal(await read("a"), 1);
  now = 100;
  assert.equal(await read("a"), 3);
  await assert.rejects(
    kept.read("c", () => Promise.reject(new Error("away"))),
    /away/,
  );
  assert.equal(await read("c"), 4);
});
