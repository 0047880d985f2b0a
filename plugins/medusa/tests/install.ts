// Builds the plugin against a stock Medusa. Medusa's packages are installed by the plugin's own lockfile, into .data, and
// never enter the installation of the project.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { buildPackage } from "../../../tools/packages.ts";

const run = promisify(execFile);
const PLUGIN = dirname(import.meta.dirname);
const FOLDER = join(PLUGIN, "../../.data/shops/medusa");
const INSTALL_MS_MAX = 900_000;
const BUILD_MS_MAX = 300_000;

/** The folder of an empty shop that has the plugin. */
export const SHOP = join(FOLDER, "shop");
/** The command of Medusa. */
export const MEDUSA = join(FOLDER, "node_modules/@medusajs/cli/cli.js");
export const QUIET = { MEDUSA_DISABLE_TELEMETRY: "1", NODE_ENV: "production" };

/** Builds the plugin, and packs it beside the project's packages. Returns the archive's path. */
export async function packPlugin(root: string): Promise<string> {
  await buildPlugin();
  await cp(join(PLUGIN, "README.md"), join(FOLDER, "README.md"));
  const packages = join(root, ".data/packages");
  await mkdir(packages, { recursive: true });
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", packages], { cwd: FOLDER });
  return join(packages, stdout.trim());
}

/** Makes an empty shop that has the plugin. */
export async function installShop(): Promise<void> {
  await buildPlugin();
  await rm(SHOP, { recursive: true, force: true });
  await cp(join(PLUGIN, "tests/shop"), SHOP, { recursive: true });
  // The command line asks the manifest whether this is a shop.
  const { devDependencies } = JSON.parse(await readFile(join(PLUGIN, "package.json"), "utf8"));
  const dependencies = { "@medusajs/medusa": devDependencies["@medusajs/medusa"] };
  await writeFile(join(SHOP, "package.json"), JSON.stringify({ name: "shop", private: true, dependencies }));
  await mkdir(join(SHOP, "node_modules/@holdfast"), { recursive: true });
  await symlink(FOLDER, join(SHOP, "node_modules/@holdfast/medusa"));
}

async function buildPlugin(): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const lockfile = await readFile(join(PLUGIN, "package-lock.json"));
  const stamp = createHash("sha256").update(lockfile).digest("hex");
  const stampFile = join(FOLDER, "installed");
  for (const name of ["package.json", "package-lock.json", "tsconfig.json"])
    await cp(join(PLUGIN, name), join(FOLDER, name));
  if ((await readFile(stampFile, "utf8").catch(() => null)) !== stamp) {
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: FOLDER, timeout: INSTALL_MS_MAX });
    await writeFile(stampFile, stamp);
  }
  await buildPackage("sdk", join(FOLDER, "node_modules/@holdfast/sdk"), FOLDER);
  await rm(join(FOLDER, "src"), { recursive: true, force: true });
  await cp(join(PLUGIN, "src"), join(FOLDER, "src"), { recursive: true });
  const { stdout } = await run(process.execPath, [MEDUSA, "plugin:build"], {
    ...{ cwd: FOLDER, timeout: BUILD_MS_MAX, env: { ...process.env, ...QUIET } },
  }).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`The plugin does not build.\n${error.stdout}${error.stderr}`);
  });
  if (/error TS/.test(stdout)) throw new Error(stdout);
}
