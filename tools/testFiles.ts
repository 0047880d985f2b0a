import { listFiles } from "./checks/files.ts";
import type { FileSeconds } from "./testTimes.ts";

/** Where no earlier run says how long a file takes: the folders with the longest ones. */
const LONG = ["tests/e2e/", "tests/journeys/", "tests/faults/", "cli/", "sdk/", "testing/", "tests/interface/"];

/**
 * The test files of every package and folder, from the project's root; of these, those with a wanted part in their path. The
 * longest come first, since short files share the machine best at the end of a run.
 */
export function listTestFiles(root: string, wanted: readonly string[] = [], taken: FileSeconds = {}): string[] {
  const rank = (path: string): number => {
    const index = LONG.findIndex((folder) => path.startsWith(folder));
    return index < 0 ? LONG.length : index;
  };
  const seconds = (path: string): number => taken[path] ?? Number.POSITIVE_INFINITY;
  return listFiles(root)
    .filter((path) => /\.test\.tsx?$/.test(path))
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part.replace(/^\.\//, ""))))
    .sort((one, other) => compare(seconds(other), seconds(one)) || rank(one) - rank(other));
}

const compare = (one: number, other: number): number => (one === other ? 0 : one - other);
