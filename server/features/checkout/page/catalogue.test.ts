import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ENGLISH } from "./catalogue.ts";

/** The code in a folder, without its tests and the catalogue. */
const sourcesOf = (folder: string): string =>
  globSync(`${folder}/**/*.ts`)
    .filter((file) => !/\.test\.ts$|catalogue\.ts$/.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");

const folderOf = (file: string): string => fileURLToPath(new URL(".", import.meta.resolve(file)));
const script = sourcesOf(folderOf("@holdfast/checkout/main.ts")) + sourcesOf(folderOf("@holdfast/wallet/wallet.ts"));
const amount = readFileSync(fileURLToPath(import.meta.resolve("@holdfast/ui/amount.ts")), "utf8");

for (const [where, texts, sources] of [
  ["the page", ENGLISH, sourcesOf(import.meta.dirname) + amount],
  // Some texts are chosen by name: steps, and the reasons why a wallet is not ready.
  ["the page's script", ENGLISH.script, script],
] as const)
  test(`every text of ${where} is shown somewhere`, () => {
    const unused = Object.keys(texts).filter((name) => !new RegExp(`[.?"]${name}\\b`).test(sources));
    assert.deepEqual(unused, []);
  });
