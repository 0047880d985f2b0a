import { readText } from "./files.ts";

/** Files that merchants read: documents, and the texts of the API and of pages. Decisions are about the project, not for them. */
const READ_BY_MERCHANTS =
  /^(README|SECURITY|SKILL)\.md$|^docs\/(?!decisions\/).*\.md$|^(server|web)\/.*\.(ts|tsx|html)$|^testing\/mend\.ts$|^examples\/.*\.(mjs|js|py)$/;
const TEST = /\.test\.ts$/;
/** Programs that merchants copy: each is one unit. */
const PROGRAM = /\.(mjs|js|py)$|^testing\/mend\.ts$/;

/** Words that say an order is to be fulfilled; "not to ship" harms nobody. */
const ADVICE = /(?<!\bnot to )\b(ship|ships|fulfil|fulfils|fulfill|fulfills|fulfilling|shipping)\b/i;

/** The whole condition (§6.5.7): without any part of it an order is shipped that its buyer has been given back. */
const CONDITION: readonly (readonly [pattern: RegExp, missing: string])[] = [
  [/\benvironment\b/i, "that `environment` is yours"],
  [/payment\b.*status\W.*protected/s, "`payment.status` is `protected`"],
  [/outcome\W.*\b(null|None)\b/s, "`outcome` is null"],
  [/refundTotal\W.*"0/s, '`refundTotal` is "0"'],
  [/overLimit\b/, "`overLimit` is false"],
  [/\b(later|newer) event/, "that no later event of the payment says otherwise"],
  [/read the intent|fetch\(.*\/payment-intents\//is, "to read the intent before shipping"],
];
/** The places that have it whole. */
const REFERENCE = /#when-to-ship\b|§6\.5\.7\b|\bshouldFulfill\(/;

/** Finds places that say when to ship and neither have the whole condition nor link to it. */
export function checkWhenToShip(root: string, files: readonly string[]): string[] {
  const read = files.filter((path) => READ_BY_MERCHANTS.test(path) && !TEST.test(path));
  return read.flatMap((path) => {
    const text = readText(root, path);
    const lines = path.endsWith(".md") ? paragraphsOf(text) : linesOf(text);
    const units = PROGRAM.test(path) ? [{ line: 1, text }] : lines;
    return units.flatMap(({ line, text: unit }) => {
      const advice = ADVICE.exec(unit)?.[0];
      if (advice === undefined || unit.startsWith("#") || REFERENCE.test(unit)) return [];
      const missing = CONDITION.filter(([pattern]) => !pattern.test(unit)).map(([, name]) => name);
      if (missing.length === 0) return [];
      return [`${path}:${line}: "${advice}" without the whole condition of §6.5.7: ${missing.join(", ")}.`];
    });
  });
}

interface Unit {
  readonly line: number;
  readonly text: string;
}

const linesOf = (text: string): Unit[] => text.split("\n").map((line, index) => ({ line: index + 1, text: line }));

/** Paragraphs, items of a list and rows of a table, each by itself; a block of code is one. */
function paragraphsOf(text: string): Unit[] {
  const units: { line: number; text: string }[] = [];
  let isCode = false;
  let begins = true;
  for (const [index, line] of text.split("\n").entries()) {
    const isFence = line.trimStart().startsWith("```");
    if (!isCode && (isFence || /^\s*(\||\d+\. |[-*] |#)/.test(line))) begins = true;
    if (begins) units.push({ line: index + 1, text: line });
    else units.at(-1)!.text += `\n${line}`;
    if (isFence) isCode = !isCode;
    begins = !isCode && (isFence || line.trim() === "");
  }
  return units;
}
