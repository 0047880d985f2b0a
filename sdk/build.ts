// Builds the package as it is published: JavaScript, types, and a manifest that names both.
import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = join(HERE, "..");
const BUILD_MS_MAX = 120_000;

interface Manifest {
  readonly exports: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** Writes the package into this folder, which is emptied first: `npm publish` or `npm pack` it from there. */
export async function buildPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const {
    private: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(await readFile(join(HERE, "package.json"), "utf8")) as Manifest;
  const entries = Object.values(manifest.exports);
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(
    process.execPath,
    [compiler, "-p", join(HERE, "tsconfig.build.json"), "--outDir", join(folder, "dist")],
    { cwd: HERE, timeout: BUILD_MS_MAX },
  ).catch((error: Error & { stdout?: string }) => {
    throw new Error(`The SDK was not built: ${error.stdout ?? ""}`, { cause: error });
  });
  await nameModules(join(folder, "dist"));
  const exported = Object.keys(manifest.exports).map((name, index) => {
    const file = entries[index]!.replace(/^\.\/(.*)\.ts$/, "./dist/$1");
    return [name, { types: `${file}.d.ts`, default: `${file}.js` }];
  });
  const published = {
    ...manifest,
    files: ["dist", "README.md", "LICENSE"],
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(join(HERE, "README.md"), join(folder, "README.md"));
  await copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
}

/** The compiler leaves the names of source files in types. */
async function nameModules(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".d.ts")) continue;
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), text.replaceAll(/(["']\.\/[\w-]+)\.ts(?=["'])/g, "$1.js"));
  }
}
