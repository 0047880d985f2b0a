import assert from "node:assert/strict";
import { test } from "node:test";
import { localTarget } from "./localTarget.ts";

test("a link returns to a path of these pages; to another site, by any spelling, it leads home", () => {
  for (const next of [
    undefined,
    "//evil.example/x",
    "https://evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "evil.example",
    "",
  ])
    assert.deepEqual(localTarget(next), { to: "/" }, String(next));
  assert.deepEqual(localTarget("/biz_1/test/payments?status=disputed"), {
    to: "/biz_1/test/payments",
    search: { status: "disputed" },
  });
});
