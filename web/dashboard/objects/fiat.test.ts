import assert from "node:assert/strict";
import { test } from "node:test";
import { rateDayOf } from "./fiat.ts";

test("§13.23.3 a value waits for the rate of its day of UTC, that of a weekend for Monday's", () => {
  for (const [time, day] of [
    ["2026-11-27T23:59:59.000Z", "Friday"],
    ["2026-11-28T00:00:00.000Z", "Monday"],
    ["2026-11-29T12:00:00.000Z", "Monday"],
    ["2026-11-30T00:00:00.000Z", "Monday"],
  ] as const)
    assert.equal(rateDayOf(time), day);
});
