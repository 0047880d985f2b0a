// The house rules, each as a check that says what is wrong and where. `npm run check`; also the first part of `npm test`.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkProgram } from "../program/check.ts";
import { RENAMED, TABLES } from "../server/process/config.ts";
import { checkBlackBox } from "./checks/blackBox.ts";
import { checkChainTime } from "./checks/chainTime.ts";
import { checkCommands, type Outcome } from "./checks/commands.ts";
import { ALLOWED_CYCLES, checkCycles } from "./checks/cycles.ts";
import { checkDocuments, checkDoors } from "./checks/documents.ts";
import { listFiles } from "./checks/files.ts";
import { checkImports } from "./checks/importRules.ts";
import { checkMigrations } from "./checks/migrations.ts";
import { checkDeclared, checkLicences, checkPins, checkTestPackages } from "./checks/packages.ts";
import { checkPaths, checkPlaces } from "./checks/paths.ts";
import { checkSections } from "./checks/sections.ts";
import { checkSettings } from "./checks/settings.ts";
import { checkSubjects } from "./checks/subjects.ts";
import { checkTables, SHARED_TABLES } from "./checks/tables.ts";
import { checkWallClock } from "./checks/wallClock.ts";
import { checkWhenToShip } from "./checks/whenToShip.ts";
import { checkWords } from "./checks/words.ts";

const root = dirname(import.meta.dirname);
/** The folders whose parts import each other one way. */
const ONE_WAY = ["server", "web/checkout", "web/dashboard", "web/wallet", "cli", "mcp", "receipt", "tools"];

async function runOwnChecks(): Promise<Outcome[]> {
  const files = listFiles(root);
  const own = (title: string, check: () => { problems: string[]; warnings: string[] }): Outcome => {
    const startedAt = performance.now();
    return { title, ...check(), tookMs: Math.round(performance.now() - startedAt) };
  };
  const plain = (check: (root: string, files: readonly string[]) => string[]) => () => ({
    problems: check(root, files),
    warnings: [],
  });
  // This check compares only hashes: a test builds the program again if the tools are installed.
  const { problems } = await checkProgram({ rebuild: false });
  return [
    own("who may import whom", plain(checkImports)),
    own("no cycles between folders", plain(checkCycles(ONE_WAY, ALLOWED_CYCLES))),
    own("the folder of each table", plain(checkTables(SHARED_TABLES))),
    own("what interface and journey tests import", plain(checkBlackBox)),
    own("paths named in the documents", plain(checkPaths)),
    own("places in documents named elsewhere", plain(checkPlaces)),
    own("sizes of documents", () => checkDocuments(root, files)),
    own("paths of the API in docs/api.md", plain(checkDoors)),
    own(
      "docs/settings.md against the declared settings",
      plain((root, files) => checkSettings(root, files, TABLES, RENAMED)),
    ),
    own("sections that are cited", plain(checkSections)),
    own("nothing undone, nothing of one machine", plain(checkWords)),
    own("when to ship", plain(checkWhenToShip)),
    own("limits and waits by a clock that cannot jump", plain(checkWallClock)),
    own("times and commitments that a chain decides", plain(checkChainTime)),
    own("numbers of migrations", plain(checkMigrations)),
    own("first lines of commits", plain(checkSubjects)),
    own("licences", plain(checkLicences)),
    own("pinned versions", plain(checkPins)),
    own("the program against its manifest", () => ({ problems: [...problems], warnings: [] })),
    own("dependencies declared where they are used", plain(checkDeclared)),
    own("packages of tests alone in the root's package.json", plain(checkTestPackages)),
    own("a licence of our own", () => ({
      problems: existsSync(join(root, "LICENSE")) ? [] : ["LICENSE is missing."],
      warnings: [],
    })),
  ];
}

function show({ title, problems, warnings, tookMs }: Outcome): void {
  console.log(`${problems.length === 0 ? "✔" : "✖"} ${title} (${tookMs} ms)`);
  for (const warning of warnings) console.log(`  · ${warning}`);
  for (const problem of problems) console.log(problem.replace(/^/gm, "    "));
}

const commands = checkCommands(root);
const outcomes = await runOwnChecks();
for (const outcome of outcomes) show(outcome);
for (const command of commands) {
  const outcome = await command;
  show(outcome);
  outcomes.push(outcome);
}
const failed = outcomes.filter(({ problems }) => problems.length > 0);
console.log(
  failed.length === 0
    ? `All ${outcomes.length} house checks pass.`
    : `${failed.length} of ${outcomes.length} house checks fail.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
