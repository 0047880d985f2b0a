import { ENGLISH_TEXTS } from "../../features/checkout/languages/english.ts";
import type { LanguageTexts } from "../../features/checkout/languages/language.ts";

const ACCENTED: Readonly<Record<string, string>> = Object.fromEntries(
  [..."abcdefghijklmnopqrstuvwxyz"].map((letter, at) => [letter, [..."àƀçđéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýž"][at]!]),
);
const accented = (text: string): string =>
  text.replaceAll(/[A-Za-z]/g, (letter) => {
    const small = ACCENTED[letter.toLowerCase()]!;
    return letter === letter.toLowerCase() ? small : small.toUpperCase();
  });

/** The share by which a text in another language may be longer than in English. */
const LONGER = 0.4;
const padded = (text: string): string => `${text} ${"ẋẋẋẋẋ ".repeat(Math.ceil((text.length * LONGER) / 6)).trim()}`;

/** A text whose words are not English any more: its gaps, and what stands for a value, stay. */
const disguise = (text: string): string =>
  padded(text.replaceAll(/(\{\w+\})|([^{]+)/g, (_, gap: string | undefined, rest: string) => gap ?? accented(rest)));

/** Marks the values of a function, so that its own words are told from them. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
function disguised<Texts>(texts: Texts): Texts {
  if (typeof texts === "string") return disguise(texts) as Texts;
  if (typeof texts === "function")
    return ((...values: unknown[]) => {
      const marked = values.map((value) => (value === null ? null : `${OPEN}${value}${CLOSE}`));
      const text = (texts as unknown as (...given: unknown[]) => string)(...marked);
      const parts = /\uE000([^\uE001]*)\uE001|(\{\w+\})|([^\uE000{]+)/g;
      return padded(text.replaceAll(parts, (_, value, gap, rest) => value ?? gap ?? accented(rest)));
    }) as Texts;
  if (Array.isArray(texts)) return texts.map(disguised) as Texts;
  if (typeof texts !== "object" || texts === null) return texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, disguised(text)])) as Texts;
}

const { tag: _, name: __, locale: ___, direction, ...TEXTS } = ENGLISH_TEXTS;

/**
 * English in disguise, for development and tests: a word that can be read comes from no catalogue, and texts are longer, as
 * in other languages. Its figures are those of a language without Latin letters.
 */
export const PSEUDO: LanguageTexts = {
  ...disguised(TEXTS),
  tag: "en-XA",
  name: "[Ƥšéûđö]",
  locale: "ja",
  direction,
  readBy: null,
};
