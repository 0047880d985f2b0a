import assert from "node:assert/strict";
import { test } from "node:test";
import { datedText, exactText, rowText, waitText } from "./timeText.ts";

/** Makes a time in the reader's zone, whichever it is here. */
const at = (day: number, year = 2026) => new Date(year, 10, day, 22, 47, 5);
const parts = (text: string) => text.replaceAll(/\s+/g, " ");

test("a row has the seconds of today, the day of this year, and the year of another; pointed at, all of it", () => {
  const now = at(22);
  assert.match(parts(rowText(at(22), now)), /^(10:47:05 PM|22:47:05)$/);
  assert.match(parts(rowText(at(21), now)), /21.*:47/);
  assert.ok(!/2026|:05/.test(rowText(at(21), now)));
  assert.match(rowText(at(22, 2025), now), /2025.*:47/);
  assert.match(datedText(at(22)), /2026.*:47.*(?:UTC|GMT|[A-Z]{2,5}T)/, "without a tooltip, too");
  assert.match(exactText(at(22)), /2026.*:05.*\(2026-11-2\dT\d\d:\d\d:05\.000Z\)$/);
});

test("a wait has its two largest units, and never claims more than is left", () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  for (const [ms, text] of [
    [2 * day + 7 * hour + 59 * minute, "2 days 7 hours"],
    [day + 20 * minute, "1 day"],
    [day - 1, "23 hours 59 minutes"],
    [61 * minute, "1 hour 1 minute"],
    [minute - 1, "1 minute"],
    [-day, "1 minute"],
  ] as const)
    assert.equal(waitText(ms), text);
});
