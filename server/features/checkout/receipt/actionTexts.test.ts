import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { ACTION_TEXTS } from "./actionTexts.ts";

const folderOf = (file: string): string => fileURLToPath(new URL(".", import.meta.resolve(file)));
const SCRIPT = ["@holdfast/checkout/main.ts", "@holdfast/wallet/wallet.ts"]
  .flatMap((file) => globSync(`${folderOf(file)}*.ts`))
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

test("every text for the script of actions is shown somewhere", () => {
  const unused = Object.keys(ACTION_TEXTS).filter((name) => !new RegExp(`[.?"]${name}\\b`).test(SCRIPT));
  assert.deepEqual(unused, []);
});
