import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssetOverview } from "../api/schema.ts";
import { releaseDays, sumOf, timeLeft, volumeWeeks } from "./figures.ts";

const point = (from: string, amount: string) => ({ from, amount, payments: 1 });
const anAsset = (releases: AssetOverview["releases"]) => ({ releases }) as unknown as AssetOverview;

test("every day of the next thirty is there, today first, and later ones are not", () => {
  const days = releaseDays(anAsset([point("2026-11-26", "5"), point("2027-02-01", "7")]), "2026-11-25");
  assert.deepEqual([days[0]!.from, days[1], days.at(-1)!.from], ["2026-11-25", point("2026-11-26", "5"), "2026-12-25"]);
  assert.equal(sumOf(days), "5");
});

test("the weeks begin on Mondays, and the last one is that of the day, also on a Sunday", () => {
  for (const today of ["2026-11-23", "2026-11-29"]) {
    const weeks = volumeWeeks([point("2026-11-23", "9")], today);
    assert.equal(weeks.length, 24);
    assert.deepEqual([weeks[0]!.from, weeks.at(-1)], ["2026-06-15", point("2026-11-23", "9")]);
  }
});

test("the time left is in whole minutes, and none once it is over", () => {
  const at = "2026-11-25T08:00:00.000Z";
  assert.deepEqual(timeLeft(at, "2026-11-27T10:05:59.000Z"), { days: 2, hours: 2, minutes: 5 });
  assert.deepEqual(timeLeft(at, at), { days: 0, hours: 0, minutes: 0 });
  assert.equal(timeLeft(at, "2026-11-25T07:58:59.000Z"), null);
});
