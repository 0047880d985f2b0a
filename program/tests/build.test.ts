import assert from "node:assert/strict";
import { test } from "node:test";
import { checkProgram } from "../check.ts";

test("the committed program is what its sources make (rebuilt where the same tools are installed, else by hash)", async (t) => {
  const { problems, summary } = await checkProgram();
  t.diagnostic(summary);
  assert.deepEqual(problems, []);
});
