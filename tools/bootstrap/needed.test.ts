import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { packageOf, readText } from "../checks/files.ts";
import { type Import, readImports } from "../checks/imports.ts";

type Kind = "production" | "local" | "development";
type Entry = Readonly<Record<string, unknown>>;
type Packages = Readonly<Record<string, Entry>>;

interface Needed {
  kindOf(script: string, omitDev: boolean): Kind;
  findState(wanted: Packages, installed: Packages, kind: Kind, arch: string): "complete" | "missing" | "stale";
  listNeeded(packages: Packages, kind: Kind, arch: string): string[];
}

const ROOT = dirname(dirname(import.meta.dirname));
// Plain JavaScript, without types of its own.
const { kindOf, findState, listNeeded }: Needed = await import(join(import.meta.dirname, "needed.mjs"));

const WANTED: Packages = {
  "": { devDependencies: { knip: "1.0.0" } },
  server: {
    version: "0.1.0",
    dependencies: { pg: "1.0.0" },
    devDependencies: { chain: "1.0.0" },
    optionalDependencies: { "node-x64": "24.0.0", "node-arm64": "24.0.0" },
  },
  "node_modules/@holdfast/server": { link: true, resolved: "server" },
  "node_modules/pg": { version: "1.0.0", integrity: "pg" },
  "node_modules/chain": { version: "1.0.0", integrity: "chain", dev: true, dependencies: { part: "^1.0.0" } },
  "node_modules/chain/node_modules/part": { version: "1.0.0", integrity: "part", dev: true },
  "node_modules/part": { version: "2.0.0", integrity: "part2", dev: true },
  "node_modules/knip": { version: "1.0.0", integrity: "knip", dev: true, dependencies: { part: "^2.0.0" } },
  "node_modules/knip-x64": { version: "1.0.0", dev: true, optional: true, cpu: ["x64"] },
  "node_modules/node-x64": { version: "24.0.0", integrity: "node", optional: true, cpu: "x64" },
  "node_modules/node-arm64": { version: "24.0.0", optional: true, cpu: "arm64" },
};
const PRODUCTION = ["server", "node_modules/@holdfast/server", "node_modules/pg", "node_modules/node-x64"];
const LOCAL = [...PRODUCTION, "node_modules/chain", "node_modules/chain/node_modules/part"];
const DEVELOPMENT = [...LOCAL, "node_modules/part", "node_modules/knip"];

const installed = (paths: readonly string[], changes: Packages = {}): Packages => ({
  ...Object.fromEntries(paths.map((path) => [path, WANTED[path]!])),
  ...changes,
});
const statesOf = (packages: Packages) =>
  (["production", "local", "development"] as const).map((kind) => findState(WANTED, packages, kind, "x64"));

test("each kind is complete with its own packages, and adds what a larger one lacks", () => {
  assert.deepEqual(statesOf(installed(PRODUCTION)), ["complete", "missing", "missing"]);
  assert.deepEqual(statesOf(installed(LOCAL)), ["complete", "complete", "missing"]);
  assert.deepEqual(statesOf(installed(DEVELOPMENT)), ["complete", "complete", "complete"]);
});

test("every package of a kind is needed for it", () => {
  for (const [kind, paths] of Object.entries({ production: PRODUCTION, local: LOCAL, development: DEVELOPMENT }))
    for (const path of paths) {
      const rest = installed(paths.filter((one) => one !== path));
      assert.equal(findState(WANTED, rest, kind as Kind, "x64"), "missing", `${kind} without ${path}`);
    }
});

test("a package of an older lockfile is stale for every kind, also one that only development needs", () => {
  const stale = ["stale", "stale", "stale"];
  assert.deepEqual(
    statesOf(installed(PRODUCTION, { "node_modules/pg": { version: "0.9.0", integrity: "old" } })),
    stale,
  );
  assert.deepEqual(statesOf(installed(DEVELOPMENT, { "node_modules/knip": { version: "0.9.0" } })), stale);
  assert.deepEqual(statesOf(installed(LOCAL, { "node_modules/pg": { version: "1.0.0", integrity: "forged" } })), stale);
});

test("a package that the lockfile does not name, or names without its hash, changes nothing", () => {
  const more = {
    "node_modules/extra": { version: "1.0.0" },
    "node_modules/knip-x64": { version: "1.0.0", integrity: "a" },
  };
  assert.deepEqual(statesOf(installed(LOCAL, more)), ["complete", "complete", "missing"]);
});

test("README's walk needs no development packages; tests and unknown scripts need all", () => {
  const scripts: Record<string, string> = JSON.parse(readText(ROOT, "package.json")).scripts;
  const kinds = Object.entries(scripts).map(([name, command]) => [name, kindOf(command.split(" ").at(-1)!, false)]);
  const small = kinds.filter(([, kind]) => kind !== "development");
  assert.deepEqual(Object.fromEntries(small), {
    build: "local",
    start: "production",
    pay: "local",
    receipt: "production",
    admin: "production",
    holdfast: "production",
    mcp: "production",
  });
  assert.equal(kindOf("tools/setup.ts", true), "production");
});

/** All modules that a script loads, and the packages that these import, each with its importer. */
function listImports(script: string, follows: (one: Import) => boolean): Map<string, string> {
  const packages = new Map<string, string>();
  const modules = [script];
  for (const path of modules) {
    const imports = /\.(ts|tsx|mjs)$/.test(path) ? readImports(path, readText(ROOT, path)) : [];
    for (const { to, specifier, isPackage } of imports.filter((one) => !one.isTypeOnly && follows(one))) {
      if (specifier.startsWith("node:") || specifier.startsWith("(computed")) continue;
      if (isPackage) packages.set(/^(@[^/]+\/)?[^/]+/.exec(to)![0], path);
      else if (!modules.includes(to)) modules.push(to);
    }
  }
  return packages;
}

test("what the scripts of the small installation import, directly or not, is in it", () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  const check = (script: string, kind: Kind, follows: (one: Import) => boolean) => {
    const needed = new Set(listNeeded(packages, kind, process.arch));
    const imported = listImports(script, follows);
    for (const [name, importer] of imported)
      assert.ok(
        [`${packageOf(importer)}/node_modules/${name}`, `node_modules/${name}`].some((path) => needed.has(path)),
        `${importer} imports ${name}, which ${script} would start without`,
      );
    return imported.size;
  };
  const all = () => true;
  assert.ok(check("server/main.ts", "production", ({ isOnDemand }) => !isOnDemand) > 10);
  for (const script of ["server/main.ts", "server/admin.ts", "devnet/main.ts"])
    assert.ok(check(script, "local", all) > 2, script);
  for (const page of ["web/dashboard/main.tsx", "web/checkout/main.ts"]) assert.ok(check(page, "local", all) > 0, page);
  assert.ok(check("tools/build.ts", "local", all) > 2);
  for (const script of ["receipt/main.ts", "cli/main.ts", "cli/pay.ts"])
    assert.ok(check(script, "production", all) > 0, script);
});
