import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildPackage } from "../../tools/packages.ts";
import { Holdfast } from "../index.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const README = fileURLToPath(new URL("../README.md", import.meta.url));
const TYPES = fileURLToPath(new URL("./types.ts", import.meta.url));

/** A project of somebody else with the package installed. */
let project: string;
let installed: string;
before(async () => {
  project = await mkdtemp(join(tmpdir(), "holdfast-consumer-"));
  installed = join(project, "node_modules/@holdfast/sdk");
  await mkdir(join(project, "node_modules/@holdfast"), { recursive: true });
  await buildPackage("sdk", installed, installed);
});
after(() => rm(project, { recursive: true, force: true }));

const SETTINGS: Readonly<Record<string, object>> = {
  "Node.js": { module: "nodenext", moduleResolution: "nodenext", lib: ["es2022"], types: ["node"] },
  "Node.js in CommonJS": { module: "node16", moduleResolution: "node16", lib: ["es2022"], types: ["node"] },
  "a bundler": { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"], types: [] },
};

for (const [name, settings] of Object.entries(SETTINGS))
  test(`the README's examples and the promises of the types hold under the strictest settings of ${name}`, async () => {
    const folder = await mkdtemp(join(project, "case-"));
    const snippets = [...(await readFile(README, "utf8")).matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text!);
    assert.ok(snippets.length >= 6);
    const isCommonjs = name === "Node.js in CommonJS";
    // Only a module may wait at its top.
    const isAllowed = (text: string) => !isCommonjs || /\basync\b/.test(text) || !/\bawait\b/.test(text);
    for (const [index, text] of snippets.filter(isAllowed).entries())
      await writeFile(join(folder, `readme${index}.ts`), text);
    await writeFile(join(folder, "types.ts"), await readFile(TYPES, "utf8"));
    // A browser's project has no process; its server's part has Node's types.
    await writeFile(
      join(folder, "environment.d.ts"),
      name.startsWith("Node.js")
        ? ""
        : "declare const process: { readonly env: Readonly<Record<string, string | undefined>> };",
    );
    await writeFile(join(folder, "package.json"), `{ "type": "${isCommonjs ? "commonjs" : "module"}" }`);
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
          ...{ target: "es2022", skipLibCheck: false, typeRoots: [join(ROOT, "node_modules/@types")], ...settings },
        },
      }),
    );
    const compiler = join(ROOT, "node_modules/tsc/bin/tsc");
    await run(process.execPath, [compiler, "-p", folder]).catch(({ stdout }: { stdout: string }) =>
      assert.fail(stdout),
    );
  });

test("the README names every call", async () => {
  const calls = /^## Calls\n\n(.*)$/m.exec(await readFile(README, "utf8"))![1]!;
  for (const [resource, members] of Object.entries(
    new Holdfast({ apiKey: "sk_test_1", baseUrl: "http://localhost" }),
  )) {
    const listed = new RegExp(`\`${resource}(?:\\.(\\w+))?\`(?:: ([^.]*))?`).exec(calls);
    const named = [...`${listed?.[1] ?? ""} ${listed?.[2] ?? ""}`.matchAll(/\w+/g)].map(([name]) => name);
    assert.deepEqual(named.sort(), Object.keys(members as object).sort(), resource);
  }
});

test("every file that the manifest names is there, every import of a file has one, and nothing else is published", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const files = (await readdir(installed, { recursive: true })).filter((path) => /\.\w+$|LICENSE/.test(path));
  type Named = string | { readonly [condition: string]: Named };
  const listPaths = (named: Named): string[] =>
    typeof named === "string" ? [named] : Object.values(named).flatMap(listPaths);
  const named = listPaths(manifest.exports);
  for (const path of named) assert.ok(files.includes(path.replace("./", "")), path);
  for (const path of files.filter((one) => one.startsWith("dist/"))) {
    if (path === "dist/cjs/package.json") continue;
    assert.match(path, /\.(d\.ts|js)$/);
    const text = await readFile(join(installed, path), "utf8");
    for (const [, to] of text.matchAll(/(?:from|import\(|require\()\s*["']([^"']+)["']/g)) {
      assert.match(to!, /^\.\/\w+\.js$/, `${path} imports ${to}`);
      const target = `${dirname(path)}/${to!.slice(2)}`;
      assert.ok(
        files.includes(path.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target),
        `${path} imports ${to}`,
      );
    }
  }
  const { stdout } = await run("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: installed });
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  assert.deepEqual(packed.files.map(({ path }) => path).sort(), files.sort());
});

test("a program in CommonJS requires files in CommonJS, by every entry, and gets the same members as by import", async () => {
  const entries = ["@holdfast/sdk", "@holdfast/sdk/webhooks", "@holdfast/sdk/checkout"];
  const members = 'JSON.stringify(all.map((one) => Object.keys(one).filter((name) => name !== "__esModule").sort()))';
  await writeFile(
    join(project, "required.cjs"),
    `const all = ${JSON.stringify(entries)}.map((one) => require(one)); console.log(${members})`,
  );
  await writeFile(
    join(project, "imported.mjs"),
    `const all = await Promise.all(${JSON.stringify(entries)}.map((one) => import(one))); console.log(${members})`,
  );
  // As Jest, which loads no ES module by require().
  const required = await run(process.execPath, ["--no-experimental-require-module", "required.cjs"], { cwd: project });
  const imported = await run(process.execPath, ["imported.mjs"], { cwd: project });
  assert.match(required.stdout, /"Holdfast".*"verifyWebhook"/);
  assert.equal(required.stdout, imported.stdout);
});
