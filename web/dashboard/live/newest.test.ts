import assert from "node:assert/strict";
import { test } from "node:test";
import { compareNewest } from "./newest.ts";

const row = (id: string, state = "pending") => ({ id, state });
const idOf = ({ id }: { readonly id: string }) => id;
const SHOWN = [row("5"), row("3"), row("2")];

test("shown rows stay where they are and take on their new state; newer and late ones are counted", () => {
  const newest = { data: [row("6"), row("5", "done"), row("4"), row("3"), row("2"), row("1")], hasMore: true };
  const { rows, newCount, isMore, gone } = compareNewest(SHOWN, newest, idOf);
  assert.deepEqual(rows, [row("5", "done"), row("3"), row("2")]);
  assert.deepEqual([newCount, isMore, gone.size], [2, false, 0], "6 is newer, 4 came late, 1 is the next page's");
});

test("a shown row that the list has no more is gone, unless it is older than what was read", () => {
  const { gone, newCount } = compareNewest(SHOWN, { data: [row("5"), row("3")], hasMore: true }, idOf);
  assert.deepEqual([[...gone], newCount], [[], 0]);
  assert.deepEqual([...compareNewest(SHOWN, { data: [row("5"), row("2")], hasMore: true }, idOf).gone], ["3"]);
  assert.deepEqual([...compareNewest(SHOWN, { data: [], hasMore: false }, idOf).gone], ["5", "3", "2"]);
  assert.deepEqual([...compareNewest(SHOWN, { data: [], hasMore: true }, idOf).gone], [], "only older rows match");
  // All shown rows have left the filter: older rows that moved up are not new.
  assert.equal(compareNewest(SHOWN, { data: [row("1"), row("0")], hasMore: false }, idOf).newCount, 0);
});

test("where nothing is shown everything is new, and a full page may have more behind it", () => {
  assert.equal(compareNewest([], { data: [row("1")], hasMore: false }, idOf).newCount, 1);
  const { newCount, isMore } = compareNewest(SHOWN, { data: [row("8"), row("7")], hasMore: true }, idOf);
  assert.deepEqual([newCount, isMore], [2, true]);
  assert.equal(compareNewest(SHOWN, undefined, idOf).newCount, 0);
});
