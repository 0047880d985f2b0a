import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RECEIPT_STYLES } from "../receipt/styles.ts";

/** The receipt's rules, then the case's own. */
export const CASE_STYLES = [
  RECEIPT_STYLES,
  readFileSync(fileURLToPath(import.meta.resolve("@holdfast/checkout/case.css")), "utf8"),
].join("\n");
