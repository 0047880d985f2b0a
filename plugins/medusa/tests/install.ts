// Makes an empty Medusa shop that has the plugin.
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Build, folderOf, installShop, packPlugin } from "../../../tools/shops/install.ts";

const PLUGIN = dirname(import.meta.dirname);
const FOLDER = folderOf(PLUGIN);
const CLI = "@medusajs/cli/cli.js";

/** The folder of an empty shop that has the plugin. */
export const SHOP = join(FOLDER, "shop");
/** The command of Medusa. */
export const MEDUSA = join(FOLDER, "node_modules", CLI);
export const QUIET = { MEDUSA_DISABLE_TELEMETRY: "1", NODE_ENV: "production" };
const BUILD: Build = { plugin: PLUGIN, command: [CLI, "plugin:build"], env: QUIET };

export const packMedusa = (): Promise<string> => packPlugin(BUILD);

export async function installMedusa(): Promise<void> {
  await installShop(BUILD);
  // The command line asks the manifest whether this is a shop.
  const { devDependencies } = JSON.parse(await readFile(join(PLUGIN, "package.json"), "utf8"));
  const dependencies = { "@medusajs/medusa": devDependencies["@medusajs/medusa"] };
  await writeFile(join(SHOP, "package.json"), JSON.stringify({ name: "shop", private: true, dependencies }));
}
