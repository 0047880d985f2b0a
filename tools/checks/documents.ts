import { posix } from "node:path";
import { readText } from "./files.ts";

interface Limit {
  readonly pattern: string;
  readonly max: number;
  readonly unit: "words" | "lines";
}

/** Longest texts that are read in one go. Move any more to a document of its own, or delete it. */
const LIMITS: readonly Limit[] = [
  { pattern: "README.md", max: 1_100, unit: "words" },
  { pattern: "ARCHITECTURE.md", max: 1_900, unit: "words" },
  { pattern: "docs/specification.md", max: 12_280, unit: "words" },
  { pattern: "docs/performance.md", max: 80, unit: "lines" },
  { pattern: "docs/decisions/[0-9]*.md", max: 350, unit: "words" },
];

const OPERATIONS = "docs/api.md";

/** Every operation of the merchant API has its line in the page of operations. */
export function checkDoors(root: string): string[] {
  const { paths } = JSON.parse(readText(root, "docs/openapi.json")) as {
    paths: Record<string, object>;
  };
  const page = readText(root, OPERATIONS);
  return Object.entries(paths)
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((door) => !page.includes(`\`${door}\``))
    .map((door) => `${OPERATIONS} does not name ${door}, which docs/openapi.json has.`);
}

const SIZE_OF = {
  words: (text: string): number => text.split(/\s+/).filter((word) => word !== "").length,
  lines: (text: string): number => text.replace(/\n$/, "").split("\n").length,
};

/** Documents longer than their limit are warned of, limits of documents that are not there are problems. */
export function checkDocuments(root: string, files: readonly string[]): { problems: string[]; warnings: string[] } {
  const problems: string[] = [];
  const warnings: string[] = [];
  for (const { pattern, max, unit } of LIMITS) {
    const documents = files.filter((path) => posix.matchesGlob(path, pattern));
    if (documents.length === 0) problems.push(`No document is called ${pattern}, which has a limit.`);
    for (const path of documents) {
      const size = SIZE_OF[unit](readText(root, path));
      if (size > max) warnings.push(`${path} has ${size} ${unit}; ${max} are the most.`);
    }
  }
  return { problems, warnings };
}
