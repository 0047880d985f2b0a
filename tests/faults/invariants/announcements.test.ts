import assert from "node:assert/strict";
import { test } from "node:test";
import { type Body, checkPrevious, type Shown } from "./announcements.ts";

const wrongsOf = (shown: Shown, data: Body["data"]): string[] => {
  const wrongs: string[] = [];
  checkPrevious({ occurredAt: "", data }, shown, (text) => wrongs.push(text));
  return wrongs;
};

test("a member that a newer release added is no lost change, and a member that was shown is", () => {
  const shown = { id: "one", status: "open" };
  const object = { id: "one", status: "closed", outcome: null };
  assert.deepEqual(wrongsOf(shown, { object, previousAttributes: { status: "open" } }), []);
  assert.deepEqual(wrongsOf(shown, { object }), ['status was "open", by the event "closed"']);
  const kept = { ...shown, outcome: "released" };
  assert.deepEqual(wrongsOf(kept, { object, previousAttributes: { status: "open" } }), [
    'outcome was "released", by the event null',
  ]);
});
