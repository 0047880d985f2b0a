import type { ActEnding } from "@holdfast/wallet/act.ts";

type Texts = Readonly<Record<string, string>>;

/** Fills the gaps of a catalogue text. */
export const fill = (text: string | undefined, values: Texts): string =>
  (text ?? "").replaceAll(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap);

export const solText = (lamports: string, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }).format(Number(lamports) / 1e9);

/** "14o8…okqP", as the page writes it. */
export const shortAddress = (address: string): string => `${address.slice(0, 4)}…${address.slice(-4)}`;

/** Says how the use of a wallet ended. `no_way`: it cannot sign what a proof needs. */
export function endText(texts: Texts, ending: ActEnding | { readonly kind: "no_way" }, wallet: string): string {
  if (ending.kind === "refused") return ending.message;
  const { reason = "", given = "", needed = "" } = ending as Texts;
  const values = { wallet, reason, given: shortAddress(given), needed: shortAddress(needed) };
  return fill(texts[ending.kind], { ...values, nothing: texts.nothing ?? "" });
}
