// Adds the optional packages of other platforms that npm left out of package-lock.json, as it does where a registry lacks
// some of them. `npm ci` refuses a lockfile without them. Run it after `npm install <package>`; an
// example's own lockfile is its argument.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface LockEntry {
  readonly version?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  /** A package of this repository; `resolved` is its folder. */
  readonly link?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** The missing entries, by path. Their platforms come from their names, since their manifests cannot be fetched. */
export function missingEntries(lockfile: Lockfile): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const key = `node_modules/${name}`;
      const known = lockfile.packages[key] ?? lockfile.packages[`${path}/${key}`];
      if (known === undefined && /^\d+\.\d+\.\d+/.test(version))
        missing[key] = draftEntry(name, version, entry.dev ?? false);
    }
  }
  return missing;
}

function draftEntry(name: string, version: string, dev: boolean): LockEntry {
  const words = name.split(/[^a-z0-9]+/);
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  const libc = words.some((word) => word.startsWith("musl")) ? "musl" : "glibc";
  return {
    version,
    ...(cpu !== undefined && { cpu: [cpu] }),
    ...(dev && { dev }),
    ...(os === "linux" && { libc: [libc] }),
    ...{ optional: true },
    ...(os !== undefined && { os: [os] }),
  };
}

if (import.meta.main) {
  const path = process.argv[2] ?? fileURLToPath(new URL("../package-lock.json", import.meta.url));
  const lockfile = JSON.parse(readFileSync(path, "utf8")) as Lockfile;
  const missing = missingEntries(lockfile);
  const packages = Object.entries({ ...lockfile.packages, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(path, `${JSON.stringify({ ...lockfile, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`Added ${Object.keys(missing).length} to ${path}.`, ...Object.keys(missing));
}
