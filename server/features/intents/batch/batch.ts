import { createHash } from "node:crypto";
import { isAddress } from "../../../domain/addresses.ts";
import { parseTokenAmount } from "../../../domain/money.ts";
import { parsePrice } from "../../../domain/price.ts";
import { PROTECTION_PERIODS, PROTECTION_SECONDS, type ProtectionPeriod } from "../../../domain/terms.ts";
import { symbolOf } from "../../../domain/tokens.ts";
import type { WrittenTerms } from "../actions.ts";
import { isDescription, isReference, type NewIntent } from "../intent.ts";
import { parseCsv } from "./csv.ts";

/** §13.18.5. */
export const ROWS_MAX = 500;
/** Columns of a file, by the names that its header may have. */
const COLUMNS = ["amount", "price", "currency", "reference", "note", "token", "period", "recipient"] as const;
type ColumnName = (typeof COLUMNS)[number];

/** What is wrong with a row; `line` is that of the file. */
export interface RowError {
  readonly line: number;
  readonly message: string;
}

export interface WrittenRow {
  readonly line: number;
  readonly terms: WrittenTerms;
}

/** The terms of rows that do not say their own. */
export type Defaults = Pick<NewIntent, "asset" | "protectionPeriod" | "recipient">;

/** Parses the rows of a file, or says what is wrong with each. `tokens`: the mints that a symbol may name. */
export function parseRows(
  text: string,
  defaults: Defaults,
  tokens: readonly string[],
): { readonly rows: readonly WrittenRow[]; readonly errors: readonly RowError[] } {
  const fail = (message: string, line = 1) => ({ rows: [], errors: [{ line, message }] });
  if (text.includes("\uFFFD")) return fail("The file is not UTF-8. Save it as CSV UTF-8.");
  const parsed = parseCsv(text);
  if (parsed === null) return fail('A quoted cell does not end, or text follows its end. Write a quote in it as "".');
  const [header, ...lines] = parsed;
  const names = header?.cells.map((cell) => cell.trim().toLowerCase()) ?? [];
  const unknown = names.find((name) => !COLUMNS.some((known) => known === name));
  const value = names.includes("price") ? ["price", "currency"] : ["amount"];
  const missing = [...value, "reference"].find((name) => !names.includes(name));
  if (unknown !== undefined)
    return fail(`Unknown column "${unknown.slice(0, 40)}". Columns are ${COLUMNS.join(", ")}.`);
  if (missing !== undefined) return fail(`The first line has no column ${missing}.`);
  if (new Set(names).size < names.length) return fail("The first line names a column twice.");
  if (lines.length === 0) return fail("The file has no rows below its first line.");
  if (lines.length > ROWS_MAX) return fail(`The file has ${lines.length} rows. ${ROWS_MAX} are allowed.`);
  const rows: WrittenRow[] = [];
  const errors: RowError[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, cells } of lines) {
    const cell = (name: ColumnName): string => cells[names.indexOf(name)]?.trim() ?? "";
    const terms =
      cells.length > names.length ? "It has more cells than the first line." : readTerms(cell, defaults, tokens);
    const earlier = typeof terms === "string" ? undefined : lineOf.get(terms.merchantReference);
    if (typeof terms === "string") errors.push({ line, message: terms });
    else if (earlier !== undefined) errors.push({ line, message: `Line ${earlier} has the same reference.` });
    else {
      lineOf.set(terms.merchantReference, line);
      rows.push({ line, terms });
    }
  }
  return { rows, errors };
}

/** The terms of a row, or what is wrong with it. */
function readTerms(
  cell: (name: ColumnName) => string,
  defaults: Defaults,
  tokens: readonly string[],
): WrittenTerms | string {
  const value = readValue(cell("amount"), cell("price"), cell("currency"));
  if (typeof value === "string") return value;
  const merchantReference = cell("reference");
  if (!isReference(merchantReference)) return "Expected a reference of 1 to 255 characters.";
  const note = cell("note").replace(/\s+/g, " ");
  if (note !== "" && !isDescription(note)) return "Expected a note of 1 to 500 characters of plain text.";
  const asset = cell("token") === "" ? defaults.asset : mintOf(cell("token"), tokens);
  if (asset === null) return "Expected a token's symbol, or the address of its mint.";
  const protectionPeriod = cell("period") === "" ? defaults.protectionPeriod : periodOf(cell("period"));
  if (protectionPeriod === null) return `Expected a period: ${PROTECTION_PERIODS.map(periodText).join(", ")}.`;
  const recipient = cell("recipient") || defaults.recipient;
  if (!isAddress(recipient)) return "Expected the address of a wallet as recipient.";
  return { ...value, merchantReference, description: note || null, asset, protectionPeriod, recipient };
}

/** The amount of a row, or its price; or what is wrong with it. */
function readValue(amountText: string, priceText: string, currency: string) {
  if (amountText !== "" && priceText !== "") return "Give an amount or a price, not both.";
  if (priceText !== "") {
    const price = parsePrice(currency.toUpperCase(), priceText);
    return "reason" in price ? price.reason : { amount: null, price };
  }
  const amount = parseTokenAmount(amountText);
  if (amount === null) return "Expected an amount such as 48.50: digits, with a point before the decimal places.";
  return amount.digits === 0n ? "The amount is 0." : { amount, price: null };
}

/** The mint at an address, or the one that a symbol names; null if it names none of the tokens, or several. */
function mintOf(text: string, tokens: readonly string[]): string | null {
  if (isAddress(text)) return text;
  const named = tokens.filter((mint) => symbolOf(mint)?.toLowerCase() === text.toLowerCase());
  return named.length === 1 ? named[0]! : null;
}

/** "7 days", "1 hour". */
function periodText(period: ProtectionPeriod): string {
  const hours = PROTECTION_SECONDS[period] / 3_600;
  const [count, unit] = hours < 24 ? [hours, "hour"] : [hours / 24, "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

const periodOf = (text: string): ProtectionPeriod | null =>
  PROTECTION_PERIODS.find((period) => period === text || periodText(period) === text.toLowerCase()) ?? null;

/** Names the contents of a file: equal rows in one order, whatever their spelling. */
export const hashOf = (rows: readonly NewIntent[]): Buffer =>
  createHash("sha256")
    .update(
      JSON.stringify(
        rows.map(({ recipient, amount, price, asset, protectionPeriod, merchantReference, description }) => [
          // The same price may be another amount tomorrow.
          ...[recipient, price ?? amount, asset, protectionPeriod],
          ...[merchantReference, description],
        ]),
      ),
    )
    .digest();
