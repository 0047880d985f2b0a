import { listFiles } from "./checks/files.ts";

/** The test files of every package and folder, from the project's root; of these, those with a wanted part in their path. */
export const listTestFiles = (root: string, wanted: readonly string[] = []): string[] =>
  listFiles(root)
    .filter((path) => /\.test\.tsx?$/.test(path))
    .filter((path) => wanted.length === 0 || wanted.some((part) => path.includes(part.replace(/^\.\//, ""))));
