import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { PageAsset } from "../features/checkout/context.ts";
import { hashSources, keepBuilt } from "./builtAssets.ts";

type Assets = readonly [PageAsset, ...PageAsset[]];

const MAIN = fileURLToPath(import.meta.resolve("@holdfast/checkout/main.ts"));
const DECODER = fileURLToPath(import.meta.resolve("@holdfast/decoder"));
const WORDS = fileURLToPath(import.meta.resolve("@holdfast/ui/amount.ts"));
const WALLET = fileURLToPath(import.meta.resolve("@holdfast/wallet/wallet.ts"));

/** Modules that every page loads at once; the rules of other acts than a payment are not among them. */
const MAINS = /^(?!.*decoder.(action|proof|ruling)\.ts$)/;

/** Builds the script of the checkout page for browsers, once for each state of its sources, and caches it. */
export async function buildCheckoutScript(): Promise<Assets> {
  const folders = [MAIN, DECODER, WALLET, WORDS].map(dirname);
  const hash = await hashSources(folders, /\.ts$/, [fileURLToPath(import.meta.url)]);
  return keepBuilt("checkout", hash, bundle);
}

async function bundle(): Promise<Assets> {
  // Loaded only for a build.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: { checkout: MAIN },
    preserveEntrySignatures: false,
    platform: "browser",
    logLevel: "warn",
  });
  const { output } = await build.generate({
    format: "esm",
    minify: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: "initial", tags: ["$initial"], test: MAINS }],
    },
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
