// Builds a shop's plugin against the stock packages of the shop. They are installed by the plugin's own lockfile, into .data,
// and never enter the installation of the project.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { buildPackage } from "../packages.ts";

const run = promisify(execFile);
const DATA = join(import.meta.dirname, "../../.data");
const INSTALL_MS_MAX = 900_000;
const BUILD_MS_MAX = 300_000;

/** The folder in which a plugin is built. */
export const folderOf = (plugin: string): string => join(DATA, "shops", basename(plugin));

export interface Build {
  /** The folder of the plugin's source. */
  readonly plugin: string;
  /** The script that builds it, below the installed packages, and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
}

/** Installs what the plugin's lockfile names, and builds the plugin. */
export async function buildPlugin({ plugin, command, env }: Build): Promise<void> {
  const folder = folderOf(plugin);
  await mkdir(folder, { recursive: true });
  const lockfile = await readFile(join(plugin, "package-lock.json"));
  const stamp = createHash("sha256").update(lockfile).digest("hex");
  const stampFile = join(folder, "installed");
  for (const name of ["package.json", "package-lock.json", "tsconfig.json"])
    await cp(join(plugin, name), join(folder, name));
  if ((await readFile(stampFile, "utf8").catch(() => null)) !== stamp) {
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, timeout: INSTALL_MS_MAX });
    await writeFile(stampFile, stamp);
  }
  await buildPackage("sdk", join(folder, "node_modules/@holdfast/sdk"), folder);
  await rm(join(folder, "src"), { recursive: true, force: true });
  await cp(join(plugin, "src"), join(folder, "src"), { recursive: true });
  const [script, ...words] = command;
  const { stdout } = await run(process.execPath, [join(folder, "node_modules", script), ...words], {
    ...{ cwd: folder, timeout: BUILD_MS_MAX, env: { ...process.env, ...env } },
  }).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`The plugin does not build.\n${error.stdout}${error.stderr}`);
  });
  if (/error TS/.test(stdout)) throw new Error(stdout);
}

/** Builds the plugin, and packs it beside the project's packages. Returns the archive's path. */
export async function packPlugin(build: Build): Promise<string> {
  await buildPlugin(build);
  const folder = folderOf(build.plugin);
  await cp(join(build.plugin, "README.md"), join(folder, "README.md"));
  const packages = join(DATA, "packages");
  await mkdir(packages, { recursive: true });
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", packages], { cwd: folder });
  return join(packages, stdout.trim());
}

/** Builds the plugin, and makes an empty shop that has it from the files of `tests/shop`. Returns the shop's folder. */
export async function installShop(build: Build): Promise<string> {
  await buildPlugin(build);
  const folder = folderOf(build.plugin);
  const shop = join(folder, "shop");
  await rm(shop, { recursive: true, force: true });
  await cp(join(build.plugin, "tests/shop"), shop, { recursive: true });
  const { name } = JSON.parse(await readFile(join(build.plugin, "package.json"), "utf8"));
  await mkdir(join(shop, "node_modules/@holdfast"), { recursive: true });
  await symlink(folder, join(shop, "node_modules", name));
  return shop;
}
