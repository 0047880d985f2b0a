import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CHECKOUT_STYLES } from "../page/styles.ts";

const read = (name: string): string =>
  readFileSync(fileURLToPath(import.meta.resolve(`@holdfast/checkout/${name}`)), "utf8");

/** The checkout's rules, then the receipt's own, then those of its actions. */
export const RECEIPT_STYLES = [CHECKOUT_STYLES, read("receipt.css"), read("action.css")].join("\n");
