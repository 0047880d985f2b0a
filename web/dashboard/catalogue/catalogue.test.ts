import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PART_TEXTS } from "@holdfast/ui/texts.ts";
import * as texts from "./index.ts";

const folder = dirname(import.meta.dirname);
const root = dirname(dirname(folder));

type Texts = { readonly [name: string]: string | Texts | ((...values: never[]) => string) };

/** The names of all texts, such as `["keys", "title"]`. */
const namesOf = (part: Texts, path: readonly string[] = []): (readonly string[])[] =>
  Object.entries(part).flatMap(([name, text]) =>
    typeof text === "object" ? namesOf(text, [...path, name]) : [[...path, name]],
  );

/** Returns true if the sources name the text in full, or its group, of which one is chosen by name. */
const isUsed = (sources: string, path: readonly string[]): boolean =>
  path.slice(1).some((_, index) => {
    const name = ["texts", ...path.slice(0, index + 2)].join("\\??\\s*\\.\\s*");
    return new RegExp(index + 2 === path.length ? `\\b${name}\\b` : `\\b${name}\\b(?!\\s*\\.)`).test(sources);
  });

const sourcesOf = (files: string): string =>
  globSync(files)
    .filter((file) => !/\.test\.ts$|\/catalogue\//.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");

test("every text of the dashboard and of its parts is shown somewhere", () => {
  const sources = sourcesOf(`${folder}/**/*.{ts,tsx}`);
  const unused = namesOf(texts).filter((path) => !isUsed(sources, path));
  const parts = sourcesOf(fileURLToPath(new URL("*.tsx", import.meta.resolve("@holdfast/ui/texts.ts"))));
  const unusedParts = Object.keys(PART_TEXTS).filter((name) => !parts.includes(`PART_TEXTS.${name}`));
  assert.deepEqual([...unused.map((path) => path.join(".")), ...unusedParts], []);
});

const PLANTED = [
  "export const Child = () => <p>two words</p>;",
  'export const Attribute = () => <input placeholder="name" />;',
  'export const Expression = ({ at }: { at: string | null }) => <p>{at ?? "Never"}</p>;',
  'export const columns = [{ title: "Name" }];',
  "export const template = `Revoke it?`;",
];

test("the linter finds every text that stands outside the catalogue, and no other string", async (t) => {
  const copy = await mkdtemp(join(tmpdir(), "catalogue-"));
  t.after(() => rm(copy, { recursive: true }));
  const plugin = "web/dashboard/catalogue/literals.grit";
  await mkdir(dirname(join(copy, plugin)), { recursive: true });
  for (const path of ["biome.json", plugin]) await copyFile(join(root, path), join(copy, path));
  const others = ['export const Class = () => <p className="grid gap-1" />;', 'export const kind = "primary";'];
  await writeFile(join(copy, "web/dashboard/planted.tsx"), [...PLANTED, ...others].join("\n"));
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, "node_modules/@biomejs/biome/bin/biome"), "lint", "--reporter=json", "."],
    { cwd: copy, encoding: "utf8", timeout: 60_000 },
  );
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
  const found = diagnostics.filter(({ message }) => /belongs into web\/dashboard\/catalogue/.test(message));
  assert.deepEqual(
    found.map(({ location }) => location.start.line).sort(),
    PLANTED.map((_, index) => index + 1),
  );
});

interface Diagnostic {
  readonly message: string;
  readonly location: { readonly start: { readonly line: number } };
}
