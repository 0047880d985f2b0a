import { readFileSync } from "node:fs";
import { join } from "node:path";

const DOCUMENT = "docs/settings.md";

/** The names of the variables that a reader of settings asks for, found by letting it read an environment without any. */
export function settingsRead(read: (env: Readonly<Record<string, string | undefined>>) => unknown): Set<string> {
  const names = new Set<string>();
  const record = (name: string | symbol): undefined => void names.add(String(name));
  read(new Proxy({}, { get: (_, name) => record(name), has: (_, name) => record(name) ?? false }));
  return names;
}

/** The variables that only one of the reader of settings and the first column of their tables knows. */
export function checkSettings(root: string, read: Parameters<typeof settingsRead>[0]): string[] {
  const readNames = settingsRead(read);
  if (readNames.size === 0) return ["The settings check saw no variable being read."];
  const rows = readFileSync(join(root, DOCUMENT), "utf8").matchAll(/^\|([^|]*)\|/gm);
  const documented = new Set(
    [...rows].flatMap(([, cell]) => [...cell!.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name]) => name!)),
  );
  return [
    ...[...readNames]
      .filter((name) => !documented.has(name))
      .map((name) => `${DOCUMENT} lacks ${name}, which the service reads.`),
    ...[...documented]
      .filter((name) => !readNames.has(name))
      .map((name) => `${DOCUMENT} has ${name}, which the service does not read.`),
  ];
}
