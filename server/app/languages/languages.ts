import { Languages } from "../../edge/buyer/languages.ts";
import { ENGLISH } from "../../features/checkout/languages/english.ts";
import { draftLanguage, type Language, type LanguageTexts } from "../../features/checkout/languages/language.ts";
import { ARABIC } from "./arabic.ts";
import { BRAZILIAN_PORTUGUESE } from "./brazilianPortuguese.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { JAPANESE } from "./japanese.ts";
import { PSEUDO } from "./pseudo.ts";
import { SPANISH } from "./spanish.ts";

/** Every language but English, a file each: docs/how-to/add-a-language.md. */
export const LANGUAGES: readonly LanguageTexts[] = [
  ARABIC,
  BRAZILIAN_PORTUGUESE,
  FRENCH,
  GERMAN,
  JAPANESE,
  PSEUDO,
  SPANISH,
];

/** The languages of a deployment: English, those that somebody has read, and those that the operator named. */
export const openLanguages = (named: readonly string[]): Languages<Language> =>
  new Languages([
    ENGLISH,
    ...LANGUAGES.filter(({ tag, readBy }) => readBy !== null || named.includes(tag)).map(draftLanguage),
  ]);
