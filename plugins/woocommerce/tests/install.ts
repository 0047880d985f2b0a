// Makes a WordPress with WooCommerce and the plugin, from folders of both that whoever runs it has unpacked.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const PLUGIN = dirname(import.meta.dirname);
export const FOLDER = join(PLUGIN, "../../.data/shops/woocommerce");
export const SHOP = join(FOLDER, "shop");
const NAME = "holdfast-for-woocommerce";
const FILES = [`${NAME}.php`, "src", "assets", "README.md"];

/** Packs the plugin as WordPress takes it. Returns the archive's path. */
export async function packWooCommerce(root: string): Promise<string> {
  const archive = join(root, `.data/packages/${NAME}.zip`);
  await rm(FOLDER, { recursive: true, force: true });
  await copyPlugin(FOLDER);
  await mkdir(dirname(archive), { recursive: true });
  await rm(archive, { force: true });
  await run("zip", ["-q", "-r", archive, NAME], { cwd: FOLDER });
  return archive;
}

/** Puts the plugin into a folder of plugins, in place of what is there of it. */
export async function copyPlugin(plugins: string): Promise<void> {
  const folder = join(plugins, NAME);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of FILES) await cp(join(PLUGIN, name), join(folder, name), { recursive: true });
}

export async function installWordPress(folders: { wordpress: string; woocommerce: string }): Promise<void> {
  const { wordpress, woocommerce } = folders;
  if (!existsSync(join(wordpress, "wp-load.php")) || !existsSync(join(woocommerce, "woocommerce.php")))
    throw new Error("Give the folders of an unpacked WordPress and WooCommerce: --wordpress … --woocommerce …");
  await rm(FOLDER, { recursive: true, force: true });
  await cp(wordpress, SHOP, { recursive: true });
  await rm(join(SHOP, "wp-config.php"), { force: true });
  await cp(woocommerce, join(SHOP, "wp-content/plugins/woocommerce"), { recursive: true });
  await copyPlugin(join(SHOP, "wp-content/plugins"));
  await cp(join(PLUGIN, "tests/shop"), SHOP, { recursive: true });
}
