import { existsSync } from "node:fs";
import { join } from "node:path";
import { isText, readText } from "./files.ts";

const SPECIFICATION = "docs/specification.md";
const HEADING = /^#{2,} (\d+(?:\.\d+)*)\.? /;
const RULE = /^(\d+)\. /;
/** A section or rule; `§3.1.7–9` cites a range of rules, whose first and last must exist. */
const CITATION = /\u00a7(?:(\d+(?:\.\d+)*)(?:–(\d+))?)?/g;
/** Other documents number their sections too; the code is held to the specification alone. */
const FOREIGN = /\b(contract|reliability):? \u00a7/i;

/** The sections and numbered rules of the specification, as they are cited: `4.5`, `4.5.3`. */
function sectionsOf(specification: string): Set<string> {
  const sections = new Set<string>();
  let section = "";
  for (const line of specification.split("\n")) {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) section = heading;
    const rule = heading ?? RULE.exec(line)?.[1];
    if (rule !== undefined) sections.add(heading ?? `${section}.${rule}`);
  }
  return sections;
}

/** Every citation of a section or rule that the specification does not have. */
export function checkSections(root: string, files: readonly string[]): string[] {
  if (!existsSync(join(root, SPECIFICATION))) return [`${SPECIFICATION} is missing.`];
  const sections = sectionsOf(readText(root, SPECIFICATION));
  if (sections.size === 0) return [`The section check saw no sections in ${SPECIFICATION}.`];
  return files.filter(isText).flatMap((path) =>
    readText(root, path)
      .split("\n")
      .flatMap((line, index) => unknownIn(line, sections).map((problem) => `${path}:${index + 1}: ${problem}`)),
  );
}

function unknownIn(line: string, sections: ReadonlySet<string>): string[] {
  if (!line.includes("\u00a7")) return [];
  const foreign = FOREIGN.exec(line);
  if (foreign !== null) return [`"${foreign[0]}" cites another document: cite ${SPECIFICATION} by its number alone.`];
  return [...line.matchAll(CITATION)].flatMap(([text, first, last]) => {
    if (first === undefined) return [`"${text}" without a number: name the section or rule.`];
    const cited = last === undefined ? [first] : [first, first.replace(/\d+$/, last)];
    return cited.every((name) => sections.has(name)) ? [] : [`${text} is no section or rule of ${SPECIFICATION}.`];
  });
}
