import { isText, readText } from "./files.ts";

interface Unwanted {
  readonly pattern: RegExp;
  readonly why: string;
}

/** Text that no file may hold. The patterns are put together from parts, so that this file passes its own check. */
const UNWANTED: readonly Unwanted[] = [
  {
    pattern: new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|")})\\b`),
    why: "is left undone: do it or open an issue",
  },
  { pattern: /(?<![\w.~/$}-])\/(work|root|home\/\w+|Users\/\w+)\//, why: "is a path of one machine" },
  { pattern: /"description": "(What|How|Whether|Who) /, why: "describes a thing without its noun" },
  { pattern: /\bregistry\.[a-z0-9-]+\.[a-z]/, why: "names a package registry: that is each machine's own setting" },
  { pattern: /(?<!\w)(\.\.\/)*shared\/[a-z]/, why: "is not part of this repository" },
];

/** Each unwanted word with its file and line. */
export const checkWords = (root: string, files: readonly string[]): string[] =>
  files.filter(isText).flatMap((path) =>
    readText(root, path)
      .split("\n")
      .flatMap((line, index) =>
        UNWANTED.flatMap(({ pattern, why }) => {
          const found = pattern.exec(line);
          return found === null ? [] : [`${path}:${index + 1}: "${found[0]}" ${why}.`];
        }),
      ),
  );
