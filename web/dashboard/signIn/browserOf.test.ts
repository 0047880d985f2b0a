import assert from "node:assert/strict";
import { test } from "node:test";
import { browserOf } from "./browserOf.ts";

test("a session's browser is named in two words, and in its own where it says none", () => {
  const safari =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 Version/18.4 Safari/604.1";
  const edge = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0";
  assert.deepEqual([safari, edge, "curl/8.5.0", ""].map(browserOf), [
    "Safari on iOS",
    "Edge on Windows",
    "curl/8.5.0",
    "Unknown",
  ]);
});
