import { ENGLISH_TEXTS } from "../../features/checkout/languages/english.ts";
import { type LanguageTexts, rewrite } from "../../features/checkout/languages/language.ts";

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

/** Marks the values of a function, so that its own words are told from them. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const mark = (value: unknown): unknown =>
  typeof value === "string" || typeof value === "number" ? `${OPEN}${value}${CLOSE}` : value;

const PARTS = /\uE000([^\uE001]*)\uE001|(\{\w+\})|([^\uE000{]+)/g;
/** A text whose words are not English any more: its gaps and values stay. */
const disguise = (text: string): string =>
  padded(text.replaceAll(PARTS, (_, value, gap, rest) => value ?? gap ?? accented(rest)));

const { tag: _, name: __, locale: ___, direction, ...TEXTS } = ENGLISH_TEXTS;

/**
 * English in disguise, for development and tests: a word that can be read comes from no catalogue, and texts are longer, as
 * in other languages. Its figures are those of a language without Latin letters.
 */
export const PSEUDO: LanguageTexts = {
  ...rewrite(TEXTS, disguise, mark),
  tag: "en-XA",
  name: "[Ƥšéûđö]",
  locale: "ja",
  direction,
  readBy: null,
};
