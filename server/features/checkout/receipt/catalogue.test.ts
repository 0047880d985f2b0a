import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { RECEIPT_ENGLISH } from "./catalogue.ts";

test("every text of the receipt is shown somewhere", () => {
  const sources = globSync(`${import.meta.dirname}/*.ts`)
    .filter((file) => !/\.test\.ts$|catalogue\.ts$/.test(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const unused = Object.keys(RECEIPT_ENGLISH).filter((name) => !new RegExp(`\\b${name}\\b`).test(sources));
  assert.deepEqual(unused, []);
});
