import { existsSync, readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { type Lockfile, missingEntries } from "../completeLockfile.ts";
import { isModule, isTest, listFiles, packageOf, readText } from "./files.ts";
import { readImports } from "./imports.ts";

/** Licences that are compatible with Apache-2.0 and require no more than attribution. */
const LICENCES = new Set(
  "MIT MIT-0 ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 CC0-1.0 Unlicense PostgreSQL Python-2.0 Zlib".split(
    " ",
  ),
);
/** Tools of development and tests, used unchanged, under a licence that asks for more only if one changes or ships them. */
const TOOL_LICENCES: Readonly<Record<string, string>> = {
  "node_modules/axe-core": "MPL-2.0",
  "node_modules/lightningcss": "MPL-2.0",
  "node_modules/lightningcss-linux-arm64-gnu": "MPL-2.0",
  "node_modules/lightningcss-linux-x64-gnu": "MPL-2.0",
};
/** An exact version, maybe of a package that has another name here. */
const EXACT = /^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;

interface Manifest {
  readonly name?: string;
  readonly license?: unknown;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  /** What a plugin's shop brings. */
  readonly peerDependencies?: Record<string, string>;
}

const readJson = <Shape>(...path: string[]): Shape => JSON.parse(readFileSync(join(...path), "utf8")) as Shape;

/** The licence of every installed package, production and development alike. */
export function checkLicences(root: string): string[] {
  const installed = Object.keys(readJson<Lockfile>(root, "node_modules/.package-lock.json").packages);
  if (installed.length === 0) return ["The licence check saw no packages."];
  return installed
    .filter((path) => existsSync(join(root, path, "package.json")))
    .map((path) => ({ path, license: readJson<Manifest>(root, path, "package.json").license }))
    .filter(({ path, license }) => !isAllowed(license) && TOOL_LICENCES[path] !== license)
    .map(
      ({ path, license }) =>
        `${path} is licensed ${JSON.stringify(license ?? "nowhere")}, which is not among the licences agreed on.`,
    );
}

/** Reads plain SPDX expressions: of `A OR B` one licence must be allowed, of `A AND B` both. */
export function isAllowed(license: unknown): boolean {
  if (typeof license !== "string") return false;
  const offers = license.replace(/[()]/g, "").split(" OR ");
  return offers.some((offer) => offer.split(" AND ").every((name) => LICENCES.has(name.trim())));
}

/** Every dependency has one exact version, and the lockfile is the same on every machine. */
export function checkPins(root: string): string[] {
  const files = listFiles(root);
  const lockfiles = files.filter((path) => basename(path) === "package-lock.json").map((path) => posix.dirname(path));
  return lockfiles.flatMap((folder) => {
    const isWithin = (path: string) => folder === "." || path.startsWith(`${folder}/`);
    const isOthers = (path: string) =>
      lockfiles.some((one) => one !== folder && one !== "." && path.startsWith(`${one}/`));
    return checkLockfile(
      root,
      folder,
      files.filter((path) => basename(path) === "package.json" && isWithin(path) && !isOthers(path)),
    );
  });
}

/** The manifests of one lockfile: the project's, or an example's own. */
function checkLockfile(root: string, folder: string, manifests: readonly string[]): string[] {
  const name = posix.join(folder, "package-lock.json");
  const lockfile = readJson<Lockfile>(root, name);
  const wanted = manifests.flatMap((path) => {
    const manifest = readJson<Manifest>(root, path);
    return [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies]
      .flatMap((group) => Object.entries(group ?? {}))
      .map(([name, version]) => ({ path, name, version }));
  });
  const lockedVersion = (path: string, name: string): string | undefined => {
    const own = lockfile.packages[posix.join(posix.relative(folder, posix.dirname(path)), "node_modules", name)];
    const entry = own ?? lockfile.packages[`node_modules/${name}`];
    return entry?.link === true ? lockfile.packages[entry.resolved!]?.version : entry?.version;
  };
  const npmrc = existsSync(join(root, ".npmrc")) ? readText(root, ".npmrc") : "";
  return [
    ...wanted
      .filter(({ version }) => !EXACT.test(version))
      .map(({ path, name, version }) => `${path}: ${name} is not pinned (${version}).`),
    ...wanted
      .filter(({ path, name, version }) => lockedVersion(path, name) !== version.replace(/^npm:.+@/, ""))
      .map(
        ({ path, name: wantedName }) =>
          `${name} does not have the version of ${wantedName} that ${path} asks for: run npm install.`,
      ),
    ...Object.entries(lockfile.packages)
      .filter(([, entry]) => entry.resolved !== undefined && entry.link !== true)
      .map(([path]) => `${name}: ${path} names a host: install with --omit-lockfile-registry-resolved.`),
    ...Object.keys(missingEntries(lockfile)).map(
      (path) => `${name} lacks ${path}, so npm ci refuses it: run node_modules/.bin/node tools/completeLockfile.ts.`,
    ),
    ...(/registry/.test(npmrc) ? [".npmrc names a registry."] : []),
  ];
}

/** Examples and plugins take the packages of this project from `npm run pack`, since they are not published yet. */
const OUTSIDE = /^(examples|plugins)\//;

/** Packages of which a production start runs nothing: pages are built before, and the local chain is for development. */
const NEVER_SHIPS = /^(web|devnet|embedded-postgres)\//;

/**
 * Imports of packages that the importing package's own manifest does not name, and imports that reach into another
 * package by a path. Both resolve here only because of where npm puts packages. tools/ and tests/ are the root's, and so
 * are the packages that tests alone use. What ships may import development packages on demand alone.
 */
export function checkDeclared(root: string, files: readonly string[]): string[] {
  const folders = files.filter((path) => basename(path) === "package.json").map((path) => posix.dirname(path));
  const modules = files.filter((path) => isModule(path) && folders.includes(packageOf(path)));
  if (modules.length === 0) return ["The check of declared dependencies saw no modules of a package."];
  const homeless = files.filter(
    (path) => isModule(path) && !folders.includes(packageOf(path)) && !["tools", "tests", ""].includes(packageOf(path)),
  );
  const { devDependencies: ofTests } = readJson<Manifest>(root, "package.json");
  const undeclared = modules.flatMap((path) => {
    const folder = packageOf(path);
    const manifest = readJson<Manifest>(root, folder, "package.json");
    const forAll = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
    const mayUseAll = isTest(path) || NEVER_SHIPS.test(path);
    const declared = new Set(Object.keys(mayUseAll ? { ...forAll, ...manifest.devDependencies } : forAll));
    if (isTest(path)) for (const name of Object.keys(ofTests ?? {})) declared.add(name);
    return readImports(path, readText(root, path)).flatMap(({ to, specifier, isTypeOnly, isOnDemand }) => {
      if (specifier.startsWith("."))
        return packageOf(to) === folder || !folders.includes(packageOf(to))
          ? []
          : [`${path} imports ${specifier}, a file of another package: use its name.`];
      const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
      const isDeclared =
        specifier.startsWith("node:") ||
        (OUTSIDE.test(path) && name.startsWith("@holdfast/")) ||
        specifier.startsWith("(computed") ||
        name === manifest.name ||
        declared.has(name) ||
        ((isTypeOnly || isOnDemand) && manifest.devDependencies?.[name] !== undefined);
      return isDeclared
        ? []
        : [
            `${path} imports ${name}, which ${folder}/package.json does not name as a dependency${isTest(path) ? "" : " of what ships"}.`,
          ];
    });
  });
  return [
    ...homeless.map((path) => `${path} is in no package: ${packageOf(path)}/ has no package.json.`),
    ...undeclared,
  ];
}

/**
 * devDependencies of a package that only its tests use. `npm start` installs those of all packages, since it runs from their
 * sources, but not the repository's own: what tests alone use is named there.
 */
export function checkTestPackages(root: string, files: readonly string[]): string[] {
  const isOurs = (path: string) => path !== "package.json" && !OUTSIDE.test(path);
  const folders = files.filter((path) => isOurs(path) && basename(path) === "package.json");
  return folders
    .map((path) => posix.dirname(path))
    .flatMap((folder) => {
      const { devDependencies } = readJson<Manifest>(root, folder, "package.json");
      const used = files
        .filter((path) => packageOf(path) === folder && !isTest(path))
        .flatMap((path) => listSpecifiers(path, readText(root, path)));
      return Object.keys(devDependencies ?? {})
        .filter((name) => !name.startsWith("@holdfast/"))
        .filter((name) => !used.some((specifier) => specifier === name || specifier.startsWith(`${name}/`)))
        .map((name) => `${folder}/package.json: only tests use ${name}, so it belongs into the root's package.json.`);
    });
}

function listSpecifiers(path: string, text: string): string[] {
  if (path.endsWith(".css")) return [...text.matchAll(/@import "([^"]+)"/g)].map(([, specifier]) => specifier!);
  if (!isModule(path)) return [];
  return readImports(path, text).flatMap(({ specifier, isTypeOnly }) => (isTypeOnly ? [] : [specifier]));
}
