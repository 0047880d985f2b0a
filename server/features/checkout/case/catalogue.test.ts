import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CASE_ENGLISH } from "./catalogue.ts";

const sourcesIn = (folder: string): string =>
  globSync(`${folder}/*.ts`)
    .filter((file) => !/\.test\.ts$|catalogue\.ts$/.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");

test("every text of the case is shown somewhere", () => {
  const { script, ...page } = CASE_ENGLISH;
  const scripts = ["@holdfast/checkout/main.ts", "@holdfast/wallet/wallet.ts"].map((file) =>
    sourcesIn(fileURLToPath(new URL(".", import.meta.resolve(file)))),
  );
  for (const [texts, sources] of [
    [page, sourcesIn(import.meta.dirname)],
    [script, scripts.join("\n")],
  ] as const)
    assert.deepEqual(
      Object.keys(texts).filter((name) => !new RegExp(`\\b${name}\\b`).test(sources)),
      [],
    );
});

test("no text of a buyer's page calls the dispute a case", () => {
  const texts = ["pageTexts", "receiptTexts", "disputeFormTexts", "actionTexts"].map((name) => `languages/${name}.ts`);
  for (const file of ["case/catalogue.ts", ...texts]) {
    const lines = readFileSync(`${import.meta.dirname}/../${file}`, "utf8").split("\n");
    assert.deepEqual(
      lines.filter((line) => /\bcases?\b/i.test(line) && !/^\s*(\/?\*|case ")/.test(line)),
      [],
      file,
    );
  }
});
