import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageAsset } from "../features/checkout/page/buyer.ts";

type Assets = readonly [PageAsset, ...PageAsset[]];

const MAIN = fileURLToPath(import.meta.resolve("@holdfast/checkout/main.ts"));
/** Next to the packages: what is built belongs to the installed versions. */
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/holdfast", import.meta.url));

/**
 * The script of the checkout page as browsers get it. It is built once for each state of its sources and then kept; where
 * the project's folder cannot be written, at every start.
 */
export async function buildCheckoutScript(): Promise<Assets> {
  const path = join(CACHE, `checkout-${await hashSources()}.json`);
  const kept = await readFile(path, "utf8").catch(() => null);
  if (kept !== null) return JSON.parse(kept) as Assets;
  const assets = await bundle();
  const part = `${path}.${process.pid}`;
  await mkdir(CACHE, { recursive: true })
    .then(() => writeFile(part, JSON.stringify(assets)))
    .then(() => rename(part, path))
    .catch(() => undefined); // a read-only installation: the next start builds again
  return assets;
}

async function hashSources(): Promise<string> {
  const folder = dirname(dirname(MAIN));
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.ts$/.test(name) && !/\.test\.ts$|node_modules/.test(name),
  );
  const hash = createHash("sha256").update(import.meta.resolve("rolldown"));
  for (const name of names.sort()) hash.update(`\n${name}\n`).update(await readFile(join(folder, name)));
  // The builder itself, and the version of what it builds with.
  hash.update(await readFile(fileURLToPath(import.meta.url)));
  hash.update(await readFile(fileURLToPath(import.meta.resolve("rolldown/package.json"))));
  return hash.digest("hex").slice(0, 32);
}

async function bundle(): Promise<Assets> {
  // Loaded only where something is to be built.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({ input: { checkout: MAIN }, platform: "browser", logLevel: "warn" });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    entryFileNames: "[name]-[hash].js",
    chunkFileNames: "[name]-[hash].js",
  });
  await build.close();
  const chunks = output.filter((one) => one.type === "chunk").sort((a, b) => Number(b.isEntry) - Number(a.isEntry));
  return chunks.map(({ fileName, code }) => ({
    path: `/pay/assets/${fileName}`,
    integrity: `sha256-${createHash("sha256").update(code).digest("base64")}`,
    text: code,
  })) as unknown as Assets;
}
