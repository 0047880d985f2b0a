// Builds the packages as they are published: JavaScript, types, and a manifest that names both.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const ROOT = dirname(import.meta.dirname);
const BUILD_MS_MAX = 120_000;

/** The packages that are published, each after those that it depends on. */
export const PUBLISHED = ["sdk", "escrow-client", "receipt", "testing", "cli"] as const;
export type PublishedName = (typeof PUBLISHED)[number];

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

export const readManifest = async (name: PublishedName): Promise<Manifest> =>
  JSON.parse(await readFile(join(ROOT, name, "package.json"), "utf8"));

/** Builds all packages, each into a folder of its own name. */
export async function buildPackages(folder: string): Promise<void> {
  for (const name of PUBLISHED) await buildPackage(name, join(folder, name), folder);
}

/** Builds a package into a folder, which is emptied first; those that it depends on are built in `others`. */
export async function buildPackage(name: PublishedName, folder: string, others: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { private: _, devDependencies: __, exports = {}, bin = {}, ...manifest } = await readManifest(name);
  const entries = [...Object.values(exports), ...Object.values(bin)];
  await compile(name, entries, folder, others);
  await nameModules(join(folder, "dist"));
  const built = (path: string) => path.replace(/^\.\/(.*)\.ts$/, "./dist/$1");
  const exported = Object.entries(exports).map(([path, file]) => [
    path,
    { types: `${built(file)}.d.ts`, default: `${built(file)}.js` },
  ]);
  const commands = Object.entries(bin).map(([command, file]) => [command, `${built(file)}.js`] as const);
  for (const [, file] of commands) await chmod(join(folder, file), 0o755);
  const published = {
    ...manifest,
    files: ["dist", "README.md", "LICENSE"],
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    ...(commands.length === 0 ? {} : { bin: Object.fromEntries(commands) }),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  const readme = join(ROOT, name, "README.md");
  if (existsSync(readme)) await copyFile(readme, join(folder, "README.md"));
  await copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
}

async function compile(name: PublishedName, entries: readonly string[], folder: string, others: string) {
  const paths = PUBLISHED.filter((one) => one !== name).flatMap((one) => [
    [`@holdfast/${one}`, [join(others, one, "dist/index.d.ts")]],
    [`@holdfast/${one}/*`, [join(others, one, "dist/*.d.ts")]],
  ]);
  // The SDK runs in browsers and workers, too: it is compiled without the names of Node.js.
  const platform = name === "sdk" ? { target: "es2022", lib: ["es2022"] } : {};
  const config = join(folder, "tsconfig.json");
  await writeFile(
    config,
    JSON.stringify({
      extends: join(ROOT, "tsconfig.json"),
      compilerOptions: {
        ...platform,
        ...{
          noEmit: false,
          declaration: true,
          allowImportingTsExtensions: false,
          rewriteRelativeImportExtensions: true,
        },
        ...{ rootDir: join(ROOT, name), outDir: join(folder, "dist"), typeRoots: [join(ROOT, "node_modules/@types")] },
        paths: Object.fromEntries(paths),
      },
      include: [],
      files: entries.map((path) => join(ROOT, name, path)),
    }),
  );
  await promisify(execFile)(process.execPath, [join(ROOT, "node_modules/tsc/bin/tsc"), "-p", config], {
    cwd: join(ROOT, name),
    timeout: BUILD_MS_MAX,
  }).catch((error: Error & { stdout?: string }) => {
    throw new Error(`@holdfast/${name} was not built: ${error.stdout ?? ""}`, { cause: error });
  });
  await rm(config);
}

/** The compiler leaves the names of source files in types. */
async function nameModules(folder: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const text = await readFile(join(folder, path), "utf8");
    await writeFile(join(folder, path), text.replaceAll(/(["']\.\.?\/[\w./-]+)\.ts(?=["'])/g, "$1.js"));
  }
}

/** Packs all packages into a folder; returns the paths of the archives by name. */
export async function packPackages(folder: string): Promise<Readonly<Record<PublishedName, string>>> {
  const built = join(folder, "built");
  await buildPackages(built);
  const packed = await packFolders(built, PUBLISHED, folder);
  await rm(built, { recursive: true });
  return packed;
}

/** Packs built packages; returns the paths of their archives by name. */
export async function packFolders<Name extends PublishedName>(
  built: string,
  names: readonly Name[],
  folder: string,
): Promise<Readonly<Record<Name, string>>> {
  // One npm for all: starting it takes longer than packing.
  const places = names.map((name) => join(built, name));
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder, ...places];
  const { stdout } = await promisify(execFile)("npm", words, { cwd: built, timeout: BUILD_MS_MAX });
  const archives = JSON.parse(stdout) as readonly { readonly filename: string }[];
  return Object.fromEntries(names.map((name, index) => [name, join(folder, archives[index]!.filename)])) as Record<
    Name,
    string
  >;
}
