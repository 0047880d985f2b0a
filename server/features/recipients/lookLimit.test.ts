import assert from "node:assert/strict";
import { test } from "node:test";
import { createLookLimit, LOOKS_MAX } from "./lookLimit.ts";

test("§13.11.2 a business looks so many addresses up in a minute, and holds up no other", () => {
  let now = 0;
  const look = createLookLimit(() => now);
  for (let count = 0; count < LOOKS_MAX; count++) look("biz_1");
  assert.throws(() => look("biz_1"), { code: "unavailable" });
  look("biz_2");
  now = 60_000;
  look("biz_1");
});
