import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

test("every property names tests that there are", () => {
  const rows = read("../PROPERTIES.md")
    .split("\n")
    .filter((line) => /^\| P\d/.test(line));
  assert.deepEqual(
    rows.map((row) => row.split("|")[1]!.trim()),
    Array.from({ length: 14 }, (_, index) => `P${index + 1}`),
  );
  for (const row of rows) {
    const shownBy = row.split("|")[3]!;
    const files = [...shownBy.matchAll(/`(\w+\.test\.ts)`([^`]*)/g)];
    assert.ok(files.length > 0, row);
    for (const [, file, after] of files) {
      const source = read(file!);
      // In brackets: what it asserts, not what it is called.
      for (const [, part] of after!.replace(/\([^)]*\)/g, "").matchAll(/"([^"]+)"/g)) {
        const titles = [...source.matchAll(/test\(\s*[`"]([^`]*?)[`"],/g)].map(([, title]) => title!);
        assert.ok(
          titles.some((title) => title.includes(part!)),
          `${file} has no test "${part}"`,
        );
      }
    }
  }
});
