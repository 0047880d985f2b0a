import { isTest, listFiles, readText } from "./checks/files.ts";
import type { Unit } from "./fileReport.ts";
import { type ImportGraph, reach, readGraph } from "./importGraph.ts";
import type { FileSeconds } from "./testTimes.ts";

/** With fewer files, a process for each is no waste, and a failure is simpler to look into. */
const GROUPED_MIN = 8;
type Kind = "alone" | "pure" | "database" | "service" | "lasting";
/** A process of the service prepares a limited number of different statements, and all suites together have more. */
const FILES_A_PROCESS_MAX = 32;
/** Seconds of a file that no earlier run had, by its folder. */
const SECONDS_UNKNOWN = [
  ["tests/e2e/", 60],
  ["tests/journeys/", 20],
  ["tests/", 10],
  ["", 1],
] as const;
/** What only files with a process of their own import: services, browsers, and other programs. */
const STARTS_OTHERS = new Set(["tests/harness/service.ts", "tests/harness/processes.ts", "tests/e2e/browser.ts"]);
const STARTS = /\bnode:(child_process|worker_threads)\b/;
/** A file that takes arguments of its process, or changes the environment or the timers of all files in it. */
const NEEDS_OWN_PROCESS =
  /\btimers\.enable\([^)]*"setTimeout"|\bprocess\.argv\b|\bprocess\.env(\.\w+|\[[^\]]+\])\s*=[^=]|\bdelete process\.env|\bassign\(process\.env/;
/** What calls a service that other files call too, with the modules that it takes for that, and what starts one of its own. */
const CALLERS = new Set(["tests/harness/service.ts", "tests/harness/admin.ts"]);
const CALLS_SERVICE = /\b(shared|standing)Service\(/;
const STARTS_SERVICE = /\b(start\w*(Service|Process)|spawnService)\(/;

/**
 * Puts test files into the processes that run them. Files that start nothing share processes: for each core one of files that
 * only compute, one of those that wait for the database, and one of those that only call a service that is there already. The
 * others have a process each. The longest come first.
 */
export function draftUnits(root: string, paths: readonly string[], cores: number, taken: FileSeconds): Unit[] {
  const secondsOf = (path: string) => taken[path] ?? SECONDS_UNKNOWN.find(([folder]) => path.startsWith(folder))![1];
  const unitOf = (name: string, paths: readonly string[]): Unit => ({
    name,
    paths,
    seconds: paths.reduce((seconds, path) => seconds + secondsOf(path), 0),
  });
  const alone = (path: string) => unitOf(path, [path]);
  if (paths.length < GROUPED_MIN) return paths.map(alone);
  const files = listFiles(root);
  const graph = readGraph(root, files);
  const starters = new Set(files.filter((path) => isStarter(root, path)));
  const units: Unit[] = [];
  const kinds = { pure: [] as string[], database: [] as string[], service: [] as string[], lasting: [] as string[] };
  for (const path of paths) {
    const kind = kindOf(root, graph, path, starters);
    if (kind === "alone") units.push(alone(path));
    else kinds[kind].push(path);
  }
  for (const [kind, members] of Object.entries(kinds))
    for (const [index, group] of divide(members, cores, secondsOf).entries())
      units.push(group.length === 1 ? alone(group[0]!) : unitOf(`${kind} files, ${index + 1}`, group));
  return units.sort((one, other) => other.seconds - one.seconds);
}

const isStarter = (root: string, path: string): boolean =>
  STARTS_OTHERS.has(path) ||
  (isTest(path) && !path.startsWith("embedded-postgres/") && STARTS.test(readText(root, path)));

function kindOf(root: string, graph: ImportGraph, path: string, starters: ReadonlySet<string>): Kind {
  const reached = reach(graph, path);
  const started = [...starters].filter((one) => reached.has(one));
  const text = readText(root, path);
  if (started.every((one) => CALLERS.has(one)) && CALLS_SERVICE.test(text) && !STARTS_SERVICE.test(text))
    return text.includes("standingService(LASTING)") ? "lasting" : "service";
  if (started.length > 0 || NEEDS_OWN_PROCESS.test(text)) return "alone";
  return reached.has("embedded-postgres/testing.ts") ? "database" : "pure";
}

/** Groups that take equally long, one for each core or more. */
function divide(paths: readonly string[], cores: number, secondsOf: (path: string) => number): string[][] {
  const count = Math.min(paths.length, Math.max(cores, Math.ceil(paths.length / FILES_A_PROCESS_MAX)));
  const groups = Array.from({ length: count }, () => ({ paths: [] as string[], seconds: 0 }));
  for (const path of [...paths].sort((one, other) => secondsOf(other) - secondsOf(one))) {
    const shortest = groups
      .filter((group) => group.paths.length < FILES_A_PROCESS_MAX)
      .reduce((one, other) => (other.seconds < one.seconds ? other : one));
    shortest.paths.push(path);
    shortest.seconds += secondsOf(path);
  }
  return groups.map(({ paths }) => paths);
}
