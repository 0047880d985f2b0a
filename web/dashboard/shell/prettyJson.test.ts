import assert from "node:assert/strict";
import { test } from "node:test";
import { prettyJson } from "./prettyJson.ts";

test("JSON is laid out as JSON.stringify does it", () => {
  for (const value of [{}, [], "a", 1, null, { a: { b: [] }, c: [1, { d: '}, "]:\\ {' }], e: {} }, [[], [[]]]])
    assert.equal(prettyJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
});

test("numbers and escapes stay as they are written", () => {
  const json = '{"metadata":{"n":123456789012345678901234567890,"x":1.0,"e":1e400,"u":"\\u0041"}}';
  assert.equal(prettyJson(json).replace(/\s/g, ""), json);
});
