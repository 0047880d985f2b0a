import { dirname } from "node:path";
import { isModule, isTest, readText } from "./files.ts";
import { type Import, readImports } from "./imports.ts";

/** For each part of a root, the parts that it imports, each with one import that shows it. */
type Arrows = ReadonlyMap<string, ReadonlyMap<string, Import>>;

/** Parts of a folder that may form cycles, with the reason. */
export interface AllowedCycle {
  readonly folder: string;
  readonly parts: readonly string[];
  readonly why: string;
}

export const ALLOWED_CYCLES: readonly AllowedCycle[] = [];

/**
 * Finds every cycle between the parts of each root, and of each folder in it: its folders, and the modules that lie in it
 * directly. Types count, since a reader follows them too. A root without modules is a problem, and so is an allowed cycle
 * that no longer exists.
 */
export const checkCycles =
  (roots: readonly string[], allowed: readonly AllowedCycle[] = []) =>
  (root: string, files: readonly string[]): string[] =>
    roots.flatMap((top) => {
      const modules = files.filter((path) => path.startsWith(`${top}/`) && isModule(path) && !isTest(path));
      if (modules.length === 0) return [`The check of cycles saw no modules of ${top}/.`];
      const imports = modules.flatMap((path) => readImports(path, readText(root, path)));
      return foldersOf(top, modules).flatMap((folder) => {
        const arrows = arrowsOf(folder, imports);
        const cycles = findCycles(arrows);
        const exception = allowed.find((one) => one.folder === folder);
        const isAllowed = (cycle: readonly string[]) => cycle.every((part) => exception?.parts.includes(part));
        const gone =
          exception === undefined || cycles.some(isAllowed)
            ? []
            : [`${folder}/ has no cycle of ${exception.parts.join(", ")} any more: allow none.`];
        return [
          ...gone,
          ...cycles.filter((cycle) => !isAllowed(cycle)).map((cycle) => describe(folder, arrows, cycle)),
        ];
      });
    });

/** The root and all folders in it that hold modules, at any depth. */
function foldersOf(top: string, modules: readonly string[]): string[] {
  const found = new Set([top]);
  for (const path of modules)
    for (let folder = dirname(path); folder.length > top.length; folder = dirname(folder)) found.add(folder);
  return [...found].sort();
}

function arrowsOf(folder: string, imports: readonly Import[]): Arrows {
  const partOf = (path: string) => path.slice(folder.length + 1).split("/", 1)[0]!;
  const arrows = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    if (one.isPackage || !one.from.startsWith(`${folder}/`) || !one.to.startsWith(`${folder}/`)) continue;
    const [from, to] = [partOf(one.from), partOf(one.to)];
    if (from === to) continue;
    const seen = arrows.get(from) ?? new Map<string, Import>();
    arrows.set(from, seen.has(to) ? seen : seen.set(to, one));
  }
  return arrows;
}

/** A shortest cycle through each part that is in one and in none of the cycles found before. */
function findCycles(arrows: Arrows): string[][] {
  const found: string[][] = [];
  for (const start of [...arrows.keys()].sort()) {
    const cycle = found.some((known) => known.includes(start)) ? null : shortestCycle(arrows, start);
    if (cycle !== null) found.push(cycle);
  }
  return found;
}

function shortestCycle(arrows: Arrows, start: string): string[] | null {
  const before = new Map<string, string>();
  for (let reached = [start]; reached.length > 0; ) {
    const next: string[] = [];
    for (const part of reached)
      for (const to of arrows.get(part)?.keys() ?? []) {
        if (before.has(to)) continue;
        before.set(to, part);
        next.push(to);
      }
    if (before.has(start)) return pathTo(start, before);
    reached = next;
  }
  return null;
}

function pathTo(start: string, before: ReadonlyMap<string, string>): string[] {
  const path = [start];
  for (let part = before.get(start)!; part !== start; part = before.get(part)!) path.unshift(part);
  return [start, ...path];
}

const describe = (folder: string, arrows: Arrows, cycle: readonly string[]): string => {
  const steps = cycle.slice(1).map((to, place) => arrows.get(cycle[place]!)!.get(to)!);
  return `${folder}/ has a cycle, ${cycle.join(" → ")}: ${steps.map(({ from, to }) => `${from} imports ${to}`).join(", ")}. Move what they share to a part below.`;
};
