import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { tryHandler } from "./recipes.ts";

test("the handler in plain Node.js has no finding of the kit", async () => {
  const path = fileURLToPath(new URL("../node.mjs", import.meta.url));
  const report = await tryHandler("Node.js", process.execPath, [path]);
  assert.deepEqual(
    report.checks.filter(({ verdict }) => verdict !== "ok").map(({ name }) => name),
    [],
  );
});
