import { dirname, join, normalize } from "node:path";
import { isModule, readText } from "./checks/files.ts";
import { readImports } from "./checks/imports.ts";

/** Modules of the project, each with the files that it imports, or names to start or to read them. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const NAMED = /["'`/]([\w@.-][\w@./-]*\.(?:ts|tsx|mjs|mts|sh|css|json|sql|so|md|ya?ml))["'`]/g;

/** `files`: all of the project, as paths from its root. */
export function readGraph(root: string, files: readonly string[]): ImportGraph {
  const known = new Set(files);
  const graph = new Map<string, string[]>();
  for (const path of files.filter(isModule)) {
    const text = readText(root, path);
    const imported = readImports(path, text).map(({ to }) => to);
    // A program that a test starts is named by its path, from the root or from the module that starts it.
    const named = [...text.matchAll(NAMED)].flatMap(([, name]) => [normalize(name!), join(dirname(path), name!)]);
    graph.set(
      path,
      [...new Set([...imported, ...named])].filter((one) => known.has(one) && one !== path),
    );
  }
  return graph;
}

/** A module and all that it imports, directly or through others. */
export function reach(graph: ImportGraph, path: string): ReadonlySet<string> {
  const reached = new Set([path]);
  for (const one of reached) for (const next of graph.get(one) ?? []) reached.add(next);
  return reached;
}

/**
 * The test files that a change may break: those that reach a changed module. A file that is no module, such as a migration,
 * changes the modules of its folder, or of the nearest folder above that has some. A document changes what names it, and any
 * other file everything.
 */
export function listAffected(graph: ImportGraph, tests: readonly string[], changed: readonly string[]): string[] {
  const folders = new Set([...graph.keys()].map((path) => dirname(path)));
  const touched = (path: string): readonly string[] | null => {
    if (graph.has(path)) return [path];
    let folder = dirname(path);
    while (folder !== "." && !folders.has(folder)) folder = dirname(folder);
    return folder === "." ? null : [...graph.keys()].filter((one) => dirname(one) === folder);
  };
  const modules = new Set<string>();
  for (const path of changed) {
    const here = touched(path);
    if (here === null && !path.endsWith(".md")) return [...tests];
    for (const one of [path, ...(here ?? [])]) modules.add(one);
  }
  return tests.filter((test) => !reach(graph, test).isDisjointFrom(modules));
}
