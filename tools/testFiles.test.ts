import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { listTestFiles } from "./testFiles.ts";

const TESTS = [
  "cli/commands/listen.test.ts",
  "examples/shop/shop.test.ts",
  "sdk/x.test.ts",
  "server/lib/loop.test.ts",
  "tests/journeys/confirm.test.ts",
  "web/dashboard/page.test.tsx",
];

test("npm test runs the test files of every package, .tsx included, and nothing else", () => {
  const root = mkdtempSync(join(tmpdir(), "holdfast-tests-"));
  try {
    for (const path of [...TESTS, "sdk/client.ts", "tests/harness/service.ts", "node_modules/x/x.test.ts", "test.ts"]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "");
    }
    assert.deepEqual(listTestFiles(root), TESTS);
    assert.deepEqual(listTestFiles(root, ["./sdk", "page"]), ["sdk/x.test.ts", "web/dashboard/page.test.tsx"]);
    assert.deepEqual(listTestFiles(root, ["nowhere"]), []);
  } finally {
    rmSync(root, { recursive: true });
  }
});
