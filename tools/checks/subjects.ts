import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Older commits, and merges, are as they are. Without a time, git would take the present one of that day. */
const SINCE = "2026-11-29T16:00:00Z";
const SUBJECT =
  /^(Add|Change|Document|Fix|Merge|Move|Release|Remove|Rename|Replace|Revert|Simplify|Speed up|Test|Update) /;
const CHARACTERS_MAX = 72;

/** Commits whose first line is too long, or begins with none of the verbs of CONTRIBUTING.md. */
export function checkSubjects(root: string): string[] {
  if (!existsSync(join(root, ".git"))) return [];
  const log = execFileSync("git", ["log", "--no-merges", `--since=${SINCE}`, "--format=%h %s"], {
    ...{ cwd: root, encoding: "utf8", maxBuffer: 10_000_000, timeout: 10_000 },
  });
  return log.split("\n").flatMap((line) => {
    const [hash, ...words] = line.split(" ");
    const problem = findFault(words.join(" "));
    return hash === "" || problem === null ? [] : [`${hash}: its first line ${problem}: ${words.join(" ")}`];
  });
}

export function findFault(subject: string): string | null {
  if (!SUBJECT.test(subject)) return "begins with no verb of CONTRIBUTING.md";
  return subject.length > CHARACTERS_MAX ? `is longer than ${CHARACTERS_MAX} characters` : null;
}
