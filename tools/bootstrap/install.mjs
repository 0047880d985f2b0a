import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { bundledNode, root } from "./paths.mjs";
import { runChild } from "./run.mjs";

const LOCK_WAIT_SECONDS_MAX = 900;
const PROGRESS_MS = 5_000;
/** The oldest glibc that the pinned Node.js runs on. */
const GLIBC_MIN = 2.28;

/**
 * Installs if a package of package-lock.json is missing that a script of this kind needs; costs a few ms if all are there.
 * `omitDev` installs only the packages that production needs.
 */
export async function ensureInstalled(kind, omitDev = false) {
  const isInstalled = () => isComplete(kind === "development");
  if (isInstalled()) return;
  requireGlibc();
  const lock = await takeInstallLock();
  try {
    if (isInstalled()) return; // the process that held the lock installed it
    await install(lock, omitDev ? "--omit=dev" : "--include=dev");
    if (!existsSync(bundledNode)) throw new Error(`npm ci left no ${bundledNode}. Remove node_modules and run again.`);
  } finally {
    closeSync(lock);
  }
}

/**
 * Returns true when the installation is complete, by us or by hand: npm writes node_modules/.package-lock.json last.
 * Optional packages count only if a package of ours names them for this machine; npm may leave out the others.
 */
function isComplete(withDev) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    const present = JSON.parse(readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8")).packages;
    const packages = Object.entries(wanted);
    const ours = packages
      .filter(([path]) => !path.includes("node_modules/"))
      .flatMap(([, { optionalDependencies }]) => Object.keys(optionalDependencies ?? {}))
      .map((name) => `node_modules/${name}`);
    return packages.every(([path, { version, integrity, optional, dev, cpu }]) => {
      const mustBeThere =
        path !== "" && (withDev || !dev) && (!optional || (ours.includes(path) && cpu?.includes(process.arch)));
      const installed = present[path];
      return (
        !mustBeThere ||
        (installed?.version === version && installed?.integrity === integrity && installed !== undefined)
      );
    });
  } catch {
    return false; // nothing is installed, or the installation was interrupted
  }
}

function requireGlibc() {
  process.report.excludeNetwork = true; // otherwise the report looks up the name of every open socket
  const version = process.report.getReport().header.glibcVersionRuntime;
  if (version === undefined) throw new Error("Holdfast needs a Linux with glibc (Debian, Ubuntu, Fedora …), not musl.");
  const [major, minor] = version.split(".").map(Number);
  if (major + minor / 100 < GLIBC_MIN)
    throw new Error(`Holdfast needs glibc ${GLIBC_MIN} or newer; this is ${version}.`);
}

/**
 * Two starts at once must not install over each other. The kernel lock is on package-lock.json, and npm inherits the open
 * file, so the lock holds until npm has ended, even if this process is killed.
 */
async function takeInstallLock() {
  const file = openSync(join(root, "package-lock.json"), "r");
  const flock = (...flags) =>
    spawnSync("flock", ["--exclusive", ...flags, "3"], { stdio: ["ignore", "ignore", "ignore", file] });
  const first = flock("--nonblock");
  if (first.error)
    throw new Error("The command flock (package util-linux) is needed to install. Install it and run again.");
  if (first.status === 0) return file;
  console.error("Another process is installing the dependencies; waiting for it …");
  if (flock("--timeout", String(LOCK_WAIT_SECONDS_MAX)).status === 0) return file;
  throw new Error(
    `The other installation took longer than ${LOCK_WAIT_SECONDS_MAX / 60} minutes. Stop it and run again.`,
  );
}

async function install(lock, dev) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  console.error("Installing the dependencies (about 700 MB on disk, once) …");
  const progress = setInterval(() => console.error(`  … still installing, ${seconds()} s`), PROGRESS_MS);
  // Our packages need no install scripts, so none is run.
  const flags = ["ci", "--ignore-scripts", dev, "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const [command, before] = findNpm();
  const { code, signal } = await runChild(command, [...before, ...flags], { cwd: root, stdio: ["ignore", 2, 2, lock] });
  clearInterval(progress);
  if (code === 0) return console.error(`Installed in ${seconds()} s.`);
  if (signal !== null || code > 128) throw new Error("The installation was stopped. Run the same command again.");
  throw new Error(
    "The dependencies could not be installed; npm says why above. If the registry could not be reached, check the " +
      "network and npm's settings (npm ping). Then run the same command again: it starts over.",
  );
}

/** The npm that started us, with its own Node.js: the Node.js of this process may lie in node_modules, which npm replaces. */
function findNpm() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const isNpm = npm !== undefined && basename(npm) === "npm-cli.js" && existsSync(npm);
  return isNpm && node !== undefined && existsSync(node) ? [node, [npm]] : ["npm", []];
}
