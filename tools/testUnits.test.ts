import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { listTestFiles } from "./testFiles.ts";
import { draftUnits } from "./testUnits.ts";

test("files that only call a service share a process with others on the same pace; one that starts its own has its own", () => {
  const root = dirname(import.meta.dirname);
  const units = draftUnits(root, listTestFiles(root), 1, {});
  const unitOf = (path: string) => units.find(({ paths }) => paths.includes(`tests/${path}.test.ts`))!.name;
  assert.match(unitOf("journeys/late"), /^service files, \d$/);
  assert.match(unitOf("interface/7-errors"), /^service files, \d$/);
  assert.equal(unitOf("journeys/paying"), "lasting files, 1");
  for (const path of ["journeys/sponsoredActions", "journeys/production", "e2e/pay"])
    assert.equal(unitOf(path), `tests/${path}.test.ts`);
});
