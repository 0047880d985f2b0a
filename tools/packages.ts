// Builds the packages as they are published: JavaScript, types, and a manifest that names both.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, cp, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { rolldown } from "rolldown";

const ROOT = dirname(import.meta.dirname);
const BUILD_MS_MAX = 120_000;

/** The packages that are published, each after those that it depends on. */
export const PUBLISHED = ["sdk", "escrow-client", "receipt", "testing", "cli", "x402", "mcp"] as const;
export type PublishedName = (typeof PUBLISHED)[number];

/** Those that programs in CommonJS load, too, as their tests do in Jest: built a second time, into a folder of their own. */
const IN_COMMONJS: readonly PublishedName[] = ["sdk"];

/** Commands that nobody imports: one file, with no more than what it uses of ours. */
const BUNDLED: readonly PublishedName[] = ["mcp"];

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

/** Builds a package into a folder, which is emptied first; those that it depends on are built in `others`. */
export async function buildPackage(name: PublishedName, folder: string, others: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { private: _, devDependencies: __, exports = {}, bin = {}, ...manifest } = await readManifest(name);
  const entries = [...Object.values(exports), ...Object.values(bin)];
  const dist = join(folder, "dist");
  const dependencies = BUNDLED.includes(name)
    ? await bundle(name, entries, dist, manifest.dependencies ?? {})
    : await compileWithSiblings(name, entries, folder, others, manifest.dependencies ?? {});
  const hasCommonjs = IN_COMMONJS.includes(name);
  if (hasCommonjs) {
    await compile(name, entries, folder, others, "dist/cjs", COMMONJS);
    await nameModules(join(dist, "cjs"));
    await writeFile(join(dist, "cjs/package.json"), '{ "type": "commonjs" }\n');
  }
  const built = (path: string) => path.replace(/^\.\/(.*)\.ts$/, "./dist/$1");
  const filesOf = (stem: string) => ({ types: `${stem}.d.ts`, default: `${stem}.js` });
  const exported = Object.entries(exports).map(([path, file]) => [
    path,
    hasCommonjs
      ? { import: filesOf(built(file)), require: filesOf(built(file).replace("./dist/", "./dist/cjs/")) }
      : filesOf(built(file)),
  ]);
  const commands = Object.entries(bin).map(([command, file]) => [command, `${built(file)}.js`] as const);
  for (const [, file] of commands) await chmod(join(folder, file), 0o755);
  const published = {
    ...manifest,
    ...(Object.keys(dependencies).length === 0 ? { dependencies: undefined } : { dependencies }),
    files: ["dist", "README.md", "LICENSE"],
    exports: { ...Object.fromEntries(exported), "./package.json": "./package.json" },
    ...(commands.length === 0 ? {} : { bin: Object.fromEntries(commands) }),
  };
  await writeFile(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  const readme = join(ROOT, name, "README.md");
  if (existsSync(readme)) await copyFile(readme, join(folder, "README.md"));
  await copyFile(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
}

async function compileWithSiblings(
  name: PublishedName,
  entries: readonly string[],
  folder: string,
  others: string,
  wanted: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  await compile(name, entries, folder, others, "dist", {});
  await nameModules(join(folder, "dist"));
  return takeSiblings(join(folder, "dist"), others, wanted);
}

/** Joins each entry and all of ours that it uses; returns the dependencies that are left. */
async function bundle(
  name: PublishedName,
  entries: readonly string[],
  dist: string,
  wanted: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const left = Object.entries(wanted).filter(([one]) => !one.startsWith("@holdfast/"));
  const isLeft = (specifier: string) =>
    specifier.startsWith("node:") || left.some(([one]) => specifier === one || specifier.startsWith(`${one}/`));
  const build = await rolldown({
    input: entries.map((path) => join(ROOT, name, path)),
    cwd: ROOT,
    platform: "node",
    external: isLeft,
  });
  await build.write({ dir: dist, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name].js" });
  await build.close();
  return Object.fromEntries(left);
}

const COMMONJS = { module: "commonjs", moduleResolution: "bundler", verbatimModuleSyntax: false };

async function compile(
  name: PublishedName,
  entries: readonly string[],
  folder: string,
  others: string,
  place: "dist" | "dist/cjs",
  form: Partial<typeof COMMONJS>,
): Promise<void> {
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
        ...form,
        ...{
          noEmit: false,
          declaration: true,
          allowImportingTsExtensions: false,
          rewriteRelativeImportExtensions: true,
        },
        ...{ rootDir: join(ROOT, name), outDir: join(folder, place), typeRoots: [join(ROOT, "node_modules/@types")] },
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

/** An import or an export of a package of ours. Texts of the kit name packages, too, and stay. */
const SIBLING_IMPORT = /(^(?:import|export)\b[^;'"`]*|\bimport\()"@holdfast\/([\w-]+)(\/\w+)?"/gm;

/**
 * Copies the packages that this one depends on into it, since one package manager takes them from the archives beside it and
 * the next asks a registry, where others could own their names. Returns the dependencies that are left, theirs included.
 */
async function takeSiblings(
  dist: string,
  others: string,
  wanted: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const siblings = PUBLISHED.filter((name) => `@holdfast/${name}` in wanted);
  if (siblings.length === 0) return wanted;
  const left: Record<string, string> = {};
  for (const name of siblings) {
    await cp(join(others, name, "dist"), join(dist, "siblings", name), { recursive: true });
    await rm(join(dist, "siblings", name, "cjs"), { recursive: true, force: true });
    const manifest = await readFile(join(others, name, "package.json"), "utf8");
    Object.assign(left, (JSON.parse(manifest) as Manifest).dependencies);
  }
  for (const path of await readdir(dist, { recursive: true })) {
    if (!/\.(js|d\.ts)$/.test(path)) continue;
    const text = await readFile(join(dist, path), "utf8");
    const toSibling = (_: string, before: string, name: string, file = "/index") =>
      `${before}"./${relative(dirname(path), join("siblings", name))}${file}.js"`;
    await writeFile(join(dist, path), text.replaceAll(SIBLING_IMPORT, toSibling));
  }
  const own = Object.entries(wanted).filter(([name]) => !siblings.some((one) => name === `@holdfast/${one}`));
  return { ...left, ...Object.fromEntries(own) };
}

/** The compiler leaves the names of source files in types. */
async function nameModules(folder: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const text = await readFile(join(folder, path), "utf8");
    await writeFile(join(folder, path), text.replaceAll(/(["']\.\.?\/[\w./-]+)\.ts(?=["'])/g, "$1.js"));
  }
}

/** Packs packages into a folder, each after those that it depends on; returns the paths of the archives by name. */
export async function packPackages(
  folder: string,
  names: readonly PublishedName[] = PUBLISHED,
): Promise<Readonly<Record<PublishedName, string>>> {
  const built = join(folder, "built");
  // An interrupted pack leaves it behind.
  await rm(built, { recursive: true, force: true });
  await mkdir(built, { recursive: true });
  // The types of a built package name packages that the compiler has to find from there.
  await symlink(join(ROOT, "node_modules"), join(built, "node_modules"));
  for (const name of names) await buildPackage(name, join(built, name), built);
  const packed = await packFolders(built, names, folder);
  await rm(built, { recursive: true });
  return packed;
}

/** Packs built packages; returns the paths of their archives by name. */
async function packFolders<Name extends PublishedName>(
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
