import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CHECKOUT_STYLES } from "../page/styles.ts";

/** The checkout's rules, then the receipt's own. */
export const RECEIPT_STYLES = `${CHECKOUT_STYLES}\n${readFileSync(fileURLToPath(import.meta.resolve("@holdfast/checkout/receipt.css")), "utf8")}`;
