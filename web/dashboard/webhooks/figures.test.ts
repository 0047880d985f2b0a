import assert from "node:assert/strict";
import { test } from "node:test";
import type { WebhookHour } from "../api/schema.ts";
import { seriesOf, showDuration, showRate, spanOf, sumOf } from "./figures.ts";

const NOW = Date.parse("2026-11-20T08:30:00.000Z");
const anHour = (differs: Partial<WebhookHour>): WebhookHour => ({
  object: "webhook_hour",
  hour: "2026-11-20T08:00:00.000Z",
  attempts: 4,
  succeeded: 3,
  tookMs: 400,
  tookMsMax: 250,
  firstAttempts: 2,
  waitedMs: 30,
  ...differs,
});

test("§13.8.6 a chart has a place for each hour from the first attempt to now, and a gap where nothing was sent", () => {
  const from = Date.parse("2026-11-19T09:00:00.000Z");
  const hours = [anHour({ hour: "2026-11-20T06:00:00.000Z", firstAttempts: 0, waitedMs: 0 }), anHour({})];
  const { at, successRate, answered, waited } = seriesOf(hours, from, NOW);
  assert.deepEqual([at.length, at[0], at[2]], [3, ...hours.map(({ hour }) => Date.parse(hour) / 1_000)]);
  assert.deepEqual(successRate, [75, null, 75]);
  assert.deepEqual(answered, [100, null, 100]);
  assert.deepEqual(waited, [null, null, 15], "retries alone have not waited");
  const whole = seriesOf([anHour({ hour: new Date(from).toISOString() }), ...hours], from, NOW);
  assert.deepEqual([whole.at.length, whole.at[0]], [24, from / 1_000]);
});

test("§13.8.6 hours are summed by their attempts, not by their averages", () => {
  const sum = sumOf([anHour({ attempts: 96, succeeded: 96, tookMs: 0, tookMsMax: 9 }), anHour({ succeeded: 0 })]);
  assert.deepEqual(sum, { attempts: 100, succeeded: 96, tookMs: 400, tookMsMax: 250, firstAttempts: 4, waitedMs: 60 });
});

test("only what never failed is shown as 100 %, and times in the unit that they fill", () => {
  assert.equal(showRate(99.99), "99.9 %");
  assert.equal(showRate(100), "100 %");
  assert.equal(showRate(null), "–");
  assert.deepEqual([0.4, 84, 1_900, 75_000, 5_400_000, null].map(showDuration), [
    "0 ms",
    "84 ms",
    "1.9 s",
    "1.3 min",
    "1.5 h",
    "–",
  ]);
});

test("a span that the URL does not know is a week", () => {
  assert.deepEqual([spanOf("30"), spanOf("9999"), spanOf(undefined)], ["30", "7", "7"]);
});
