import assert from "node:assert/strict";
import { test } from "node:test";
import { measureTime } from "./measureTime.ts";
import { createManualClock } from "./testing/manualClock.ts";

function aMeasure() {
  const clock = createManualClock();
  const measure = measureTime(clock);
  /** Records so many blocks, one every 400 ms. */
  const pass = (from: number, blocks: number) => {
    for (let number = from; number < from + blocks; number++) {
      measure.record(number);
      clock.advance(400);
    }
  };
  return { clock, measure, pass };
}

test("one number far ahead makes no time shorter than the shortest, and is forgotten after a minute", () => {
  const { clock, measure, pass } = aMeasure();
  pass(1_000, 30);
  assert.equal(measure.ms(), 400);
  measure.record(9_000_000);
  assert.equal(measure.ms(), 100);
  pass(1_030, 10);
  assert.equal(measure.ms(), 100);
  clock.advance(60_000);
  pass(1_200, 30);
  assert.equal(measure.ms(), 400);
});

test("a pause in which nothing was asked is part of a measurement", () => {
  const { clock, measure, pass } = aMeasure();
  pass(1_000, 30);
  clock.advance(400 * 300);
  measure.record(1_330);
  assert.equal(measure.ms(), 400);
});
