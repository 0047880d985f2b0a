import { UnexpectedBytesError } from "@holdfast/decoder";
import * as texts from "../catalogue/index.ts";

/** The bounds of a decision: what is bound to the buyer already, and the whole payment. Digits. */
export interface Bounds {
  readonly least: string;
  readonly most: string;
}

/** The slider has this many steps, since an amount may be larger than any exact number. */
export const STEPS = 1_000;

/** The amount at a step of the slider, in whole hundredths of a token; its ends are exact. */
export function amountAt(step: number, { least, most }: Bounds, decimals: number): string {
  const [low, high] = [BigInt(least), BigInt(most)];
  if (step <= 0) return least;
  if (step >= STEPS) return most;
  const amount = low + ((high - low) * BigInt(step)) / BigInt(STEPS);
  const unit = 10n ** BigInt(Math.max(0, decimals - 2));
  const rounded = (amount / unit) * unit;
  return String(rounded < low ? low : rounded);
}

/** The step of the slider that is nearest to an amount. */
export function stepOf(amount: string, { least, most }: Bounds): number {
  const [low, high] = [BigInt(least), BigInt(most)];
  return high === low ? STEPS : Number(((BigInt(amount) - low) * BigInt(STEPS)) / (high - low));
}

/** An amount as it is typed: "12.5" for 12500000 with 6 decimals. */
export function typedOf(amount: string, decimals: number): string {
  if (decimals === 0) return amount;
  const digits = amount.padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return `${digits.slice(0, -decimals)}.${fraction.padEnd(Math.min(2, decimals), "0")}`;
}

/** What a frozen record must say, by the page. */
export interface ShownDecision {
  readonly operator: string;
  readonly payment: string;
  readonly arbiter: string;
  /** Digits. */
  readonly total: string;
  /** The reasons are null if it carries out an agreement. */
  readonly reasons: string | null;
  /** The agreement's offer that it names; null for one with reasons. */
  readonly agreement: string | null;
}

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the SHA-256 of a record in hex digits. Throws `UnexpectedBytesError` unless it says what the page shows. */
export async function hashRecord(record: string, shown: ShownDecision): Promise<string> {
  const refuse = () => new UnexpectedBytesError(texts.desk.sign.otherRecord);
  let said: Readonly<Record<string, unknown>>;
  try {
    said = JSON.parse(record) as typeof said;
  } catch {
    throw refuse();
  }
  const { operator, payment, arbiter, total, reasons, agreement } = shown;
  const own = { v: 1, operator, payment, arbiter, total, reasons, ...(agreement === null ? {} : { agreement }) };
  const isOwn = Object.entries(own).every(([name, value]) => said[name] === value);
  if (!isOwn || (agreement === null && said.agreement !== undefined)) throw refuse();
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(record))));
}
