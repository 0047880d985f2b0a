import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const NPM_MS_MAX = 300_000;
const NATIVE = `node-linux-${process.arch}`;
const FOREIGN = `node-linux-${process.arch === "x64" ? "arm64" : "x64"}`;
/** A project with this bootstrap and packages from archives of its own, so that npm needs no registry. */
const project = mkdtempSync(join(tmpdir(), "holdfast-install-"));
after(() => rmSync(project, { recursive: true }));

const write = (path: string, content: string | object): void => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), typeof content === "string" ? content : JSON.stringify(content), { mode: 0o755 });
};
const npm = (words: readonly string[], cwd: string) => run("npm", words, { cwd, timeout: NPM_MS_MAX });

async function pack(name: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [path, text] of Object.entries({ "index.js": "", "index.js.map": "{}", ...more }))
    write(`sources/${name}/${path}`, text);
  const isNode = [NATIVE, FOREIGN].includes(name);
  const limits = isNode ? { os: ["linux"], cpu: [name.slice("node-linux-".length)], bin: { node: "bin/node" } } : {};
  write(`sources/${name}/package.json`, { name, version: "1.0.0", ...limits });
  await npm(["pack", join(project, "sources", name)], project);
}

before(async () => {
  const tools = dirname(import.meta.dirname);
  for (const path of ["bootstrap.mjs", "bootstrap"])
    cpSync(join(tools, path), join(project, "tools", path), { recursive: true });
  const node = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;
  await Promise.all([
    ...["production", "local", "development"].map((name) => pack(name)),
    pack(FOREIGN, { "bin/node": "" }),
    pack(NATIVE, { "bin/node": node, "include/node.h": "" }),
  ]);
  write("package.json", {
    name: "project",
    workspaces: ["server", "devnet"],
    devDependencies: { development: "file:development-1.0.0.tgz" },
  });
  write("server/package.json", {
    ...{ name: "@a/server", version: "0.1.0" },
    dependencies: { production: "file:../production-1.0.0.tgz" },
    optionalDependencies: Object.fromEntries([NATIVE, FOREIGN].map((name) => [name, `file:../${name}-1.0.0.tgz`])),
  });
  write("devnet/package.json", {
    ...{ name: "@a/devnet", version: "0.1.0" },
    devDependencies: { local: "file:../local-1.0.0.tgz" },
  });
  for (const path of ["server/main.ts", "cli/pay.ts", "tools/test.ts", "tools/setup.ts"]) write(path, "");
  await npm(["install", "--package-lock-only", "--ignore-scripts", "--no-audit"], project);
});

/** Runs a script by the bootstrap; returns what the installation said. */
async function start(script: string, ...args: string[]): Promise<string> {
  const argv = [join(project, "tools/bootstrap.mjs"), script, ...args];
  return (await run(process.execPath, argv, { cwd: project, timeout: NPM_MS_MAX })).stderr;
}

const isThere = (path: string) => existsSync(join(project, "node_modules", path));
/** Marks packages; one that npm replaces loses its mark. */
const mark = (...names: string[]) => names.map((name) => write(`node_modules/${name}/mark`, ""));
const areMarked = (...names: string[]) => names.map((name) => isThere(`${name}/mark`));
const lockfile = () => readFileSync(join(project, "package-lock.json"), "utf8");

test("a start installs what it runs, without what only tests need, and without what nothing reads", async () => {
  const wanted = lockfile();
  assert.match(await start("server/main.ts"), /^Installing what it runs /);
  assert.deepEqual(["production", "local", "development"].map(isThere), [true, true, false]);
  assert.deepEqual([".bin/node", `${NATIVE}/bin/node`, `${NATIVE}/include`].map(isThere), [true, true, false]);
  assert.deepEqual(["production/index.js", "production/index.js.map"].map(isThere), [true, false]);
  assert.equal(lockfile(), wanted);
  assert.equal(await start("cli/pay.ts"), "");
});

test("development adds its packages, replaces none of those that run, and mends what an interruption left", async () => {
  const wanted = lockfile();
  mark("production", "local", NATIVE);
  // A killed npm leaves folders of packages that are not whole.
  mkdirSync(join(project, "node_modules/development"));
  cpSync(join(project, "sources/development/package.json"), join(project, "node_modules/development/package.json"));
  const said = await Promise.all([start("tools/test.ts"), start("tools/test.ts"), start("server/main.ts")]);
  assert.equal(said.join("").match(/Installing what tests and builds need /g)?.length, 1);
  assert.ok(isThere("development/index.js"));
  assert.deepEqual(areMarked("production", "local", NATIVE), [true, true, true]);
  assert.equal(lockfile(), wanted);
  assert.equal(await start("tools/test.ts"), "");
});

test("packages of an older lockfile are installed anew", async () => {
  const list = join(project, "node_modules/.package-lock.json");
  mark("production");
  writeFileSync(list, readFileSync(list, "utf8").replaceAll('"version": "1.0.0"', '"version": "0.9.0"'));
  assert.match(await start("server/main.ts"), /^Installing what it runs /);
  assert.deepEqual(areMarked("production"), [false]);
  assert.equal(isThere("development"), false);
});

test("--omit=dev installs what production needs, a start is content with it, and a payment adds the local chain", async () => {
  rmSync(join(project, "node_modules"), { recursive: true });
  assert.match(await start("tools/setup.ts", "--omit=dev"), /^Installing what production needs /);
  assert.deepEqual(["production", "local"].map(isThere), [true, false]);
  // As `npm ci` of npm 9 and 10 leaves it.
  rmSync(join(project, "node_modules/.bin/node"));
  assert.equal(await start("server/main.ts"), "");
  assert.ok(isThere(".bin/node"));
  mark("production");
  assert.match(await start("cli/pay.ts"), /^Installing what it runs /);
  assert.deepEqual(areMarked("production"), [true]);
  assert.deepEqual(["local", "development"].map(isThere), [true, false]);
});
