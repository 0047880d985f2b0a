import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isText } from "./files.ts";

interface Unwanted {
  readonly pattern: RegExp;
  readonly why: string;
  /** The files that are looked at; all text files without it. */
  readonly within?: RegExp;
}

/** Text that no file may hold. The patterns are put together from parts, so that this file passes its own check. */
const UNWANTED: readonly Unwanted[] = [
  {
    pattern: new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|")})\\b`),
    why: "is left undone: do it or open an issue",
  },
  { pattern: /(?<![\w.~/$}-])\/(work|root|home\/\w+|Users\/\w+)\//, why: "is a path of one machine" },
  { pattern: /\bregistry\.[a-z0-9-]+\.[a-z]/, why: "names a package registry: that is each machine's own setting" },
  { pattern: /(?<!\w)(\.\.\/)*shared\/[a-z]/, why: "is not part of this repository" },
];

const CODE_AND_DOCUMENTS = /\.(ts|tsx|mjs|sql|md|sh|py)$/;
const SERVICE = /^(server|tests|docs|web|sdk|cli)\/.*\.(ts|tsx|sql|md)$|^[A-Z]+\.md$/;

/** Words that the glossary in ARCHITECTURE.md replaces, in names too: `toldBusinesses`, `IntentStory`. */
const PRIVATE_WORDS: readonly Unwanted[] = [
  { pattern: word("a" + "new"), why: 'is "again" or "new"', within: CODE_AND_DOCUMENTS },
  { pattern: word("who" + "ever"), why: "names nobody: say who", within: CODE_AND_DOCUMENTS },
  { pattern: word("m" + "end(s|ed|ing)?"), why: 'is "fix", "correct" or "repair"', within: CODE_AND_DOCUMENTS },
  {
    pattern: new RegExp(`(\\b|[a-z])${"Happen" + "ing"}|\\b${"happen" + "ings"}\\b`),
    why: "is a pending event",
    within: CODE_AND_DOCUMENTS,
  },
  { pattern: word("t(old|ells|elling)"), why: 'is "announced", "notified" or "sent"', within: SERVICE },
  { pattern: word("stor(" + "y|ies)"), why: "is an intent's state, a flow or a scenario", within: SERVICE },
  {
    pattern: new RegExp(`[a-z]${"Stand" + "ing"}s?\\b|\\b[Ss]${"tand" + "ings"}\\b`),
    why: "is a status",
    within: CODE_AND_DOCUMENTS,
  },
];

/** The word by itself, or as a part of a name in camel case or with underscores. */
function word(text: string): RegExp {
  const capital = (first: string) => first.toUpperCase();
  return new RegExp(
    `(?<![A-Za-z])(${text}|${text.replace(/[a-z]/, capital)})(?![a-z])|(?<=[a-z])${text.replace(/[a-z]/, capital)}(?![a-z])`,
  );
}

/** Each unwanted word with its file and line. */
export const checkWords = (root: string, files: readonly string[]): string[] => unwantedOf(root, files, UNWANTED);

/** Each private word, in lines and in the names of files. */
export const checkPrivateWords = (root: string, files: readonly string[]): string[] => [
  ...unwantedOf(root, files, PRIVATE_WORDS),
  ...files.flatMap((path) =>
    unwantedIn(
      path,
      path,
      PRIVATE_WORDS.filter((one) => one.within?.test(path)),
    ),
  ),
];

function unwantedOf(root: string, files: readonly string[], unwanted: readonly Unwanted[]): string[] {
  return files.filter(isText).flatMap((path) => {
    const here = unwanted.filter(({ within }) => within === undefined || within.test(path));
    if (here.length === 0) return [];
    return readFileSync(join(root, path), "utf8")
      .split("\n")
      .flatMap((line, index) => unwantedIn(line, `${path}:${index + 1}`, here));
  });
}

const unwantedIn = (line: string, position: string, unwanted: readonly Unwanted[]): string[] =>
  unwanted.flatMap(({ pattern, why }) => {
    const found = pattern.exec(line);
    return found === null ? [] : [`${position}: "${found[0]}" ${why}.`];
  });
