import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileOutcome } from "./fileReport.ts";

const SHOWN = 10;
/** The folders whose folders are listed one by one. */
const SPLIT = new Set(["server", "tests", "web"]);

/** Seconds that a file took in the last run that had it. */
export type FileSeconds = Readonly<Record<string, number>>;

const pathOf = (root: string): string => join(root, ".data", "test-times.json");

/** Reads the record of earlier runs; empty where none was kept, or where it cannot be read. */
export function readTimes(root: string): FileSeconds {
  try {
    return JSON.parse(readFileSync(pathOf(root), "utf8")) as FileSeconds;
  } catch {
    return {};
  }
}

/** Keeps the times of this run for the next one, beside those of files that it did not have. */
export function keepTimes(root: string, outcomes: readonly FileOutcome[]): void {
  const taken = outcomes.map(({ path, ms }) => [path, Math.round(ms / 100) / 10]);
  mkdirSync(dirname(pathOf(root)), { recursive: true });
  writeFileSync(pathOf(root), JSON.stringify({ ...readTimes(root), ...Object.fromEntries(taken) }, null, 1));
}

/**
 * The lines that say where the time of a run went. `spentMs`: CPU time by the name of a unit or of another process. Files
 * that share a process have its CPU time by how long they took.
 */
export function draftTimes(outcomes: readonly FileOutcome[], spentMs: ReadonlyMap<string, number>): string[] {
  const tookMs = (one: string) => sum(outcomes.filter(({ unit }) => unit === one).map(({ ms }) => ms));
  const files = outcomes.map(({ path, unit, ms }) => ({
    path,
    ms,
    cpuMs: ((spentMs.get(unit) ?? 0) * ms) / tookMs(unit),
  }));
  const folders = Map.groupBy(files, ({ path }) => folderOf(path));
  const total = (of: typeof files) => ({ ms: sum(of.map(({ ms }) => ms)), cpuMs: sum(of.map(({ cpuMs }) => cpuMs)) });
  const all = sum([...spentMs.values()]);
  const tests = outcomes.flatMap(({ path, tests }) => tests.map(({ name, ms }) => ({ name: `${path}: ${name}`, ms })));
  return [
    "file-seconds and CPU-seconds by folder:",
    ...[...folders]
      .map(([name, of]) => ({ name: `${name} (${of.length} ${of.length === 1 ? "file" : "files"})`, ...total(of) }))
      .sort((one, other) => other.cpuMs - one.cpuMs)
      .map(({ name, ms, cpuMs }) => row(ms, cpuMs, name)),
    row(null, all - total(files).cpuMs, "database, services that files share, house checks, and this runner"),
    row(total(files).ms, all, "all"),
    `the ${SHOWN} slowest files:`,
    ...slowest(files).map(({ path, ms, cpuMs }) => row(ms, cpuMs, path)),
    `the ${SHOWN} slowest tests, in seconds:`,
    ...slowest(tests).map(({ name, ms }) => `  ${seconds(ms)}  ${name}`),
  ];
}

const folderOf = (path: string): string => {
  const [top, next] = path.split("/");
  return SPLIT.has(top!) ? `${top}/${next}` : top!;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const slowest = <One extends { readonly ms: number }>(all: readonly One[]): One[] =>
  [...all].sort((one, other) => other.ms - one.ms).slice(0, SHOWN);
const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(7);
const row = (ms: number | null, cpuMs: number, name: string): string =>
  `  ${ms === null ? " ".repeat(7) : seconds(ms)} ${seconds(cpuMs)}  ${name}`;
