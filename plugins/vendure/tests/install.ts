// Makes an empty Vendure shop that has the plugin.
import { dirname, join } from "node:path";
import { type Build, folderOf, installShop, packPlugin } from "../../../tools/shops/install.ts";

const PLUGIN = dirname(import.meta.dirname);
const BUILD: Build = { plugin: PLUGIN, command: ["typescript/bin/tsc"] };

/** The folder of an empty shop that has the plugin. */
export const SHOP = join(folderOf(PLUGIN), "shop");

export const packVendure = (): Promise<string> => packPlugin(BUILD);

export const installVendure = async (): Promise<void> => void (await installShop(BUILD));
