import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { compressText } from "../edge/staff/dashboard.ts";
import { buildDashboard, SOURCES } from "./dashboardBuild.ts";

/** The bytes that a browser loads before it shows the first page. */
const FIRST_LOAD_BYTES_MAX = 150_000;

test("the dashboard's first load is at most 150 kB, compressed", async () => {
  const { files, script, style, preloads } = await buildDashboard();
  const sizes = new Map<string, number>();
  for (const { name, text } of files) sizes.set(name, (await compressText(Buffer.from(text))).get("br")!.length);
  const first = [script, style, ...preloads].map((name) => sizes.get(name)!);
  // Each page is a separate file: the largest one stands for it.
  const pages = [...sizes].filter(([name]) => ![script, style, ...preloads].includes(name)).map(([, size]) => size);
  const bytes = [...first, Math.max(...pages)].reduce((sum, size) => sum + size, 0);
  assert.ok(bytes <= FIRST_LOAD_BYTES_MAX, `${bytes} bytes`);
});

test("every package of ours that the pages contain is among the sources of a build, so that a change of it is one", async () => {
  const packages = await Promise.all(
    SOURCES.map(async (folder) => JSON.parse(await readFile(join(folder, "package.json"), "utf8"))),
  );
  const [dashboard] = packages;
  const imported = Object.keys(dashboard.devDependencies).filter((name) => name.startsWith("@holdfast/"));
  assert.deepEqual(packages.map(({ name }) => name).toSorted(), [dashboard.name, ...imported].toSorted());
});

test("the styles are those of the tokens alone: nothing reaches for another server, and no class is missing its scale", async () => {
  const { files, style } = await buildDashboard();
  const text = files.find(({ name }) => name === style)!.text;
  assert.ok(text.includes(".bg-accent"), "classes of the pages have styles");
  assert.ok(!/url\(|@import/.test(text));
  for (const { name, text } of files) assert.ok(!/sourceMappingURL|process\.env/.test(text), name);
});
