import { listFiles } from "./checks/files.ts";

/**
 * The files and folders that take longest. At the end of a run short files share the machine best. The single files wait for
 * most of their time, and are spread among those that compute.
 */
const FIRST = [
  ...["sdk/tests/follow.test.ts", "cli/tests/local.test.ts", "tests/journeys/", "tests/interface/", "tests/e2e/"],
  ...["testing/tests/conform.test.ts", "tests/faults/", "tests/bench/growth.test.ts", "embedded-postgres/", "program/"],
];

const rank = (path: string): number => {
  const index = FIRST.findIndex((folder) => path.startsWith(folder));
  return index < 0 ? FIRST.length : index;
};

/** The test files of every package and folder, from the project's root, in the order to run them; of these, those with a wanted part in their path. */
export const listTestFiles = (root: string, wanted: readonly string[] = []): string[] =>
  listFiles(root)
    .filter((path) => /\.test\.tsx?$/.test(path))
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part.replace(/^\.\//, ""))))
    .sort((one, other) => rank(one) - rank(other));
