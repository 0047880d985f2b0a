import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (url: string): string => readFileSync(fileURLToPath(url), "utf8");

/** The shared tokens, then the page's own rules, in one inline element, so that no request delays the first paint. */
export const CHECKOUT_STYLES = `${read(import.meta.resolve("@holdfast/ui/tokens.css"))}\n${read(import.meta.resolve("@holdfast/checkout/checkout.css"))}`;
