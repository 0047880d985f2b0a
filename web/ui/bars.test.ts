import assert from "node:assert/strict";
import { test } from "node:test";
import { barHeights, ticksOf, topOf } from "./bars.ts";

test("a small amount and a 0 are low bars above 0, beside one that is a million times as high; a day without a value has none", () => {
  const heights = barHeights([12_000_000, 12, 0, null], undefined);
  assert.deepEqual([heights[0], heights[3]], [12_000_000, null]);
  for (const low of heights.slice(1, 3)) assert.ok(low! > 0 && low! < 0.05 * topOf(undefined, 12_000_000));
  assert.ok(barHeights([0, 0], undefined)[0]! > 0);
  assert.ok(barHeights([0], 100)[0]! < 5);
});

test("each label of an axis of days stands below a value, as many as have room", () => {
  const weeks = Array.from({ length: 12 }, (_, week) => week * 7);
  assert.deepEqual(ticksOf(weeks, 720, 60), weeks);
  assert.deepEqual(ticksOf(weeks, 300, 60), [0, 21, 42, 63]);
  assert.deepEqual(ticksOf(weeks, 0, 60), [0]);
});
