import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildPackage } from "../../tools/packages.ts";

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
  "a bundler": { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"], types: [] },
};

for (const [name, settings] of Object.entries(SETTINGS))
  test(`the README's examples and the promises of the types hold under the strictest settings of ${name}`, async () => {
    const folder = await mkdtemp(join(project, "case-"));
    const snippets = [...(await readFile(README, "utf8")).matchAll(/```ts\n(.*?)```/gs)].map(([, text]) => text!);
    assert.ok(snippets.length >= 6);
    for (const [index, text] of snippets.entries()) await writeFile(join(folder, `readme${index}.ts`), text);
    await writeFile(join(folder, "types.ts"), await readFile(TYPES, "utf8"));
    // A browser's project has no process; its server's part has Node's types.
    await writeFile(
      join(folder, "environment.d.ts"),
      name === "Node.js"
        ? ""
        : "declare const process: { readonly env: Readonly<Record<string, string | undefined>> };",
    );
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
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

test("every file that the manifest names is there, every import of a file has one, and nothing else is published", async () => {
  const manifest = JSON.parse(await readFile(join(installed, "package.json"), "utf8"));
  const files = (await readdir(installed, { recursive: true })).filter((path) => /\.\w+$|LICENSE/.test(path));
  const named = Object.values<string | Record<string, string>>(manifest.exports).flatMap((one) =>
    typeof one === "string" ? [one] : Object.values(one),
  );
  for (const path of named) assert.ok(files.includes(path.replace("./", "")), path);
  for (const path of files.filter((one) => one.startsWith("dist/"))) {
    assert.match(path, /\.(d\.ts|js)$/);
    const text = await readFile(join(installed, path), "utf8");
    for (const [, to] of text.matchAll(/(?:from|import\()\s*["']([^"']+)["']/g)) {
      assert.match(to!, /^\.\/\w+\.js$/, `${path} imports ${to}`);
      const target = `dist/${to!.slice(2)}`;
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

test("the package works where it is required, too: require() gives the same members", async () => {
  const script =
    'const sdk = require("@holdfast/sdk"); console.log(typeof sdk.Holdfast, typeof require("@holdfast/sdk/webhooks").verifyWebhook)';
  await writeFile(join(project, "required.cjs"), script);
  const { stdout } = await run(process.execPath, ["required.cjs"], { cwd: project });
  assert.equal(stdout, "function function\n");
});
