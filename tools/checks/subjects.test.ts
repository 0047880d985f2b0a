import assert from "node:assert/strict";
import { test } from "node:test";
import { findFault } from "./subjects.ts";

test("a commit's first line begins with a verb, and ends after 72 characters", () => {
  for (const subject of ["Fix a page", `Fix ${"a".repeat(68)}`, "Speed up a page"])
    assert.equal(findFault(subject), null);
  assert.match(findFault(`Fix ${"a".repeat(69)}`)!, /longer/);
  for (const subject of ["Fixes a page", "fix a page", ""]) assert.match(findFault(subject)!, /verb/);
});
