import assert from "node:assert/strict";
import { test } from "node:test";
import { detailsOf, textOf } from "./entry.ts";

test("details read as pairs, whatever they hold; an action of another version stands for itself", () => {
  assert.deepEqual(detailsOf({ details: { name: "Shop server", last4: "x7k2", scope: "full" } }), [
    ["name", "Shop server"],
    ["ends in", "x7k2"],
    ["scope", "full"],
  ]);
  assert.deepEqual(detailsOf({ details: { returnUrl: null, intentLifetimeMinutes: 15, other: { a: [1] } } }), [
    ["return URL", "none"],
    ["time to pay (minutes)", "15"],
    ["other", '{"a":[1]}'],
  ]);
  assert.deepEqual(detailsOf({ details: {} }), []);
  const entry = { action: "something.newer" } as Parameters<typeof textOf>[0];
  assert.equal(textOf(entry), "something.newer");
});
