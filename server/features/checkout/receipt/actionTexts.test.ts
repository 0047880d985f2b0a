import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ACTION_TEXTS } from "./actionTexts.ts";
import { DISPUTE_ENGLISH } from "./disputeTexts.ts";

const folderOf = (file: string): string => fileURLToPath(new URL(".", import.meta.resolve(file)));
const SCRIPT = ["@holdfast/checkout/main.ts", "@holdfast/wallet/wallet.ts"]
  .flatMap((file) => globSync(`${folderOf(file)}*.ts`))
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

const FORM = readFileSync(`${import.meta.dirname}/disputeForm.ts`, "utf8");

for (const [what, texts, sources] of [
  ["the script of actions", ACTION_TEXTS, SCRIPT],
  ["the script of the form of a dispute", DISPUTE_ENGLISH.script, SCRIPT],
  ["the form of a dispute", DISPUTE_ENGLISH, FORM],
] as const)
  test(`every text of ${what} is shown somewhere`, () => {
    // The state of the form chooses its heading.
    const states = ["open", "disputed", "over"];
    const unused = Object.keys(texts).filter((name) => !new RegExp(`[.?"]${name}\\b`).test(sources));
    assert.deepEqual(
      unused.filter((name) => !states.includes(name)),
      [],
    );
  });
