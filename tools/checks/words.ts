import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isText } from "./files.ts";

/** Text that no file may hold. The patterns are put together from parts, so that this file passes its own check. */
const UNWANTED: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X"].join("|")})\\b`),
    "is left undone: do it or open an issue",
  ],
  [/(?<![\w.~/$}-])\/(work|root|home\/\w+|Users\/\w+)\//, "is a path of one machine"],
  [/\bregistry\.[a-z0-9-]+\.[a-z]/, "names a package registry: that is each machine's own setting"],
  [/(?<!\w)(\.\.\/)*shared\/[a-z]/, "is not part of this repository"],
];

/** Each unwanted word with its file and line. */
export function checkWords(root: string, files: readonly string[]): string[] {
  return files.filter(isText).flatMap((path) =>
    readFileSync(join(root, path), "utf8")
      .split("\n")
      .flatMap((line, index) => unwantedIn(line, `${path}:${index + 1}`)),
  );
}

function unwantedIn(line: string, place: string): string[] {
  return UNWANTED.flatMap(([pattern, why]) => {
    const found = pattern.exec(line);
    return found === null ? [] : [`${place}: "${found[0]}" ${why}.`];
  });
}
