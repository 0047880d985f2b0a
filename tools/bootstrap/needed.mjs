// Which packages a script needs, and whether they are there. Pure, so that tests can ask it about lockfiles of their own.

/** Scripts that run with the `dependencies` of our packages (`npm ci --omit=dev`). */
const PRODUCTION = ["server/main.ts", "server/admin.ts", "receipt/main.ts", "cli/main.ts", "mcp/main.ts"];
/** Scripts that also run what our packages name as devDependencies: the local chain, and what builds pages. */
const LOCAL = ["cli/pay.ts", "tools/build.ts"];

/** All other scripts are for development, and need the devDependencies of the repository too. */
export function kindOf(script, omitDev) {
  if (PRODUCTION.includes(script) || omitDev) return "production";
  return LOCAL.includes(script) ? "local" : "development";
}

/**
 * Compares the packages of package-lock.json with those that are installed: `complete`; `missing` if some have to be added;
 * `stale` if one has another version. A stale one counts even if this kind does not need it: otherwise a later command of
 * another kind would have to replace it, under the service that has started by then.
 */
export function findState(wanted, installed, kind, arch) {
  const isStale = Object.entries(installed).some(([path, { version, integrity }]) => {
    const own = wanted[path];
    return own !== undefined && (own.version !== version || (own.integrity ?? integrity) !== integrity);
  });
  if (isStale) return "stale";
  return listNeeded(wanted, kind, arch).every((path) => installed[path] !== undefined) ? "complete" : "missing";
}

export function listNeeded(packages, kind, arch) {
  const folders = Object.keys(packages).filter((path) => !path.includes("node_modules/"));
  // Optional packages count only if a package of ours names them for this machine; npm may leave out the others.
  const native = folders
    .flatMap((folder) => Object.keys(packages[folder].optionalDependencies ?? {}))
    .map((name) => `node_modules/${name}`)
    .filter((path) => packages[path]?.cpu?.includes(arch));
  const local = kind === "local" ? listLocal(packages, folders) : new Set();
  const others = Object.entries(packages)
    .filter(
      ([path, { dev, optional }]) => path !== "" && !optional && (!dev || kind === "development" || local.has(path)),
    )
    .map(([path]) => path);
  return [...native, ...others];
}

/** The dependencies and devDependencies of the packages in these folders, and all that they depend on. */
function listLocal(packages, folders) {
  const found = new Set();
  const add = (from, names) => {
    for (const name of names) {
      const path = locate(packages, from, name);
      if (path === undefined || found.has(path)) continue;
      found.add(path);
      add(path, Object.keys(packages[path].dependencies ?? {}));
    }
  };
  for (const folder of folders.filter((one) => one !== "")) {
    const { dependencies, devDependencies } = packages[folder];
    add(folder, Object.keys({ ...dependencies, ...devDependencies }));
  }
  return found;
}

/** Looks for a package as Node.js does: in the node_modules of the folder, then of those above it. */
function locate(packages, from, name) {
  const steps = from.split("/");
  const above = steps.map((_, at) => `${steps.slice(0, steps.length - at).join("/")}/node_modules/${name}`);
  return [...above, `node_modules/${name}`].find((path) => packages[path] !== undefined);
}
