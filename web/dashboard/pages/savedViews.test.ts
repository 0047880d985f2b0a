import assert from "node:assert/strict";
import { test } from "node:test";
import { isSameView, readViews, SAVED_VIEWS_MAX, withView } from "./savedViews.ts";

const view = (title: string, filters: Record<string, string> = { status: "paid" }) => ({ title, filters });

test("§13.10.11 saved views are read again, and whatever else is stored in their place counts as none", () => {
  const views = [view("Mine"), view("Late", { late: "true" })];
  assert.deepEqual(readViews(JSON.stringify(views)), views);
  for (const text of [null, "", "{", "1", "null", '{"title":"x"}', '[1,null,{"title":1,"filters":{}},{"title":"x"}]'])
    assert.deepEqual(readViews(text), [], String(text));
  assert.deepEqual(readViews('[{"title":"x","filters":{"status":1}}]'), []);
});

test("§13.10.11 a view of the same name is replaced, and the oldest makes room", () => {
  assert.deepEqual(withView([view("a"), view("b")], view("a", {})), [view("b"), view("a", {})]);
  const many = Array.from({ length: SAVED_VIEWS_MAX }, (_, at) => view(String(at)));
  const next = withView(many, view("new"));
  assert.deepEqual([next.length, next[0]!.title, next.at(-1)!.title], [SAVED_VIEWS_MAX, "1", "new"]);
});

test("§13.10.11 a view is the current one when all filters are equal, in any order", () => {
  assert.ok(isSameView({ a: "1", b: "2" }, { b: "2", a: "1" }));
  assert.ok(isSameView({ a: undefined }, {}));
  assert.ok(!isSameView({ a: "1" }, { a: "1", b: "2" }));
  assert.ok(!isSameView({ a: "1" }, {}));
});
