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

/** The lines that say where the time of a run went. `cpuMs`: CPU time by owner, a file's path or another process's name. */
export function draftTimes(outcomes: readonly FileOutcome[], cpuMs: ReadonlyMap<string, number>): string[] {
  const folders = new Map<string, { files: number; ms: number; cpuMs: number }>();
  for (const { path, ms } of outcomes) {
    const folder = folderOf(path);
    const sum = folders.get(folder) ?? { files: 0, ms: 0, cpuMs: 0 };
    folders.set(folder, {
      files: sum.files + 1,
      ms: sum.ms + ms,
      cpuMs: sum.cpuMs + (cpuMs.get(path) ?? 0),
    });
  }
  const paths = new Set(outcomes.map(({ path }) => path));
  const others = sum([...cpuMs].filter(([owner]) => !paths.has(owner)).map(([, ms]) => ms));
  const tests = outcomes.flatMap(({ path, tests }) => tests.map(({ name, ms }) => ({ name: `${path}: ${name}`, ms })));
  return [
    "file-seconds and CPU-seconds by folder:",
    ...[...folders]
      .sort(([, one], [, other]) => other.cpuMs - one.cpuMs)
      .map(([name, one]) => row(one.ms, one.cpuMs, `${name} (${one.files} ${one.files === 1 ? "file" : "files"})`)),
    row(null, others, "database, services that files share, house checks, and this runner"),
    row(sum(outcomes.map(({ ms }) => ms)), sum([...cpuMs.values()]), "all"),
    `the ${SHOWN} slowest files:`,
    ...slowest(outcomes).map(({ path, ms }) => row(ms, cpuMs.get(path) ?? 0, path)),
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
