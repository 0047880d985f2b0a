import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { tryHandler } from "./recipes.ts";

test("the handler in plain Node.js has no finding of the kit", async () => {
  const path = fileURLToPath(new URL("../node.mjs", import.meta.url));
  const report = await tryHandler("Node.js", process.execPath, [path]);
  assert.deepEqual(
    report.checks.filter(({ verdict }) => verdict !== "ok").map(({ name }) => name),
    // They need what the recipes do not have: a page, a restart, and sums of refunds.
    ["return_url", "restart", "refund_total", "large_amount"],
  );
  assert.equal(report.passed, true);
});
