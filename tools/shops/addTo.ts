// Adds a plugin to a shop on this machine (`npm run shop -- medusa --into <folder>`).
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { MINTED_ASSETS } from "@holdfast/devnet/assets.ts";
import { packPackages } from "../packages.ts";

const INSTALL_MS_MAX = 900_000;
const TOKENS = [
  ["Token for dollars", "USDC"],
  ["Token for euros  ", "EURC"],
] as const;

interface Ready {
  readonly apiUrl: string;
  readonly testKey: string;
  readonly recipient: string;
}

/**
 * Installs the SDK and a plugin in a shop's folder, and names the Holdfast that runs here (`npm start`) in the shop's `.env`;
 * variables that are there stay. Returns what the shop's admin is to be told.
 */
export async function addToShop(data: string, pack: () => Promise<string>, given: string): Promise<string> {
  const shop = resolve(given);
  const ready = await readReady(data);
  const plugin = await pack();
  const { sdk } = await packPackages(join(data, "packages"), ["sdk"]);
  const words = ["install", "--no-audit", "--no-fund", sdk, plugin];
  await promisify(execFile)("npm", words, { cwd: shop, timeout: INSTALL_MS_MAX });
  const path = join(shop, ".env");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  await writeFile(path, withVariables(text, { HOLDFAST_API_URL: ready.apiUrl, HOLDFAST_API_KEY: ready.testKey }));
  return `The plugin is in ${shop}, and ${path} names this Holdfast.\n\n${entriesOf(ready)}`;
}

/** Puts the plugin into a WordPress's folder. Returns what its settings are to be told. */
export async function addToWordPress(data: string, copy: (folder: string) => Promise<void>, given: string) {
  const site = resolve(given);
  const ready = await readReady(data);
  await readFile(join(site, "wp-load.php")).catch(() => {
    throw new Error(`There is no WordPress in ${site}: wp-load.php is missing.`);
  });
  await copy(join(site, "wp-content/plugins"));
  return `The plugin is in ${site}: activate it in WordPress, under Plugins.

  Address of the API ${ready.apiUrl}
  API key            ${ready.testKey}
${entriesOf(ready)}`;
}

const entriesOf = ({ recipient }: Ready): string => {
  const mints = TOKENS.map(([label, symbol]) => {
    const mint = MINTED_ASSETS.find((one) => one.symbol === symbol)!.address;
    return `  ${label}  ${mint}`;
  });
  return `  Recipient          ${recipient}\n${mints.join("\n")}`;
};

/** A `.env` with these variables; those that it has stay. */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  const missing = Object.entries(variables).filter(([name]) => !new RegExp(`^${name}=`, "m").test(text));
  const end = text === "" || text.endsWith("\n") ? "" : "\n";
  return `${text}${end}${missing.map(([name, value]) => `${name}=${value}\n`).join("")}`;
}

async function readReady(data: string): Promise<Ready> {
  const text = await readFile(join(data, "ready.json"), "utf8").catch(() => null);
  if (text === null) throw new Error("No Holdfast runs here: begin with `npm start` in another terminal.");
  return JSON.parse(text) as Ready;
}
