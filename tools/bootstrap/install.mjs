import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { findState } from "./needed.mjs";
import { bundledNode, root } from "./paths.mjs";
import { runChild } from "./run.mjs";

const LOCK_WAIT_SECONDS_MAX = 900;
const PROGRESS_MS = 5_000;
/** The oldest glibc that the pinned Node.js runs on. */
const GLIBC_MIN = 2.28;
const INSTALLED = "node_modules/.package-lock.json";

/** What npm installs for each kind, in its words and in ours. Measured after a first installation. */
const SETS = {
  production: [["--omit=dev"], "what production needs (about 230 MB on disk, once)"],
  // All our packages with their devDependencies, without those of the repository itself.
  local: [["--workspaces", "--include=dev"], "what it runs (about 290 MB on disk, once)"],
  development: [["--include=dev"], "what tests and builds need (about 620 MB on disk in all, once)"],
};

/**
 * Installs if a package of package-lock.json is missing that a script of this kind needs; costs a few ms if all are there.
 * `npm start` gets the local chain too, unless `omitDev` asks for no more than production needs.
 */
export async function ensureInstalled(kind, omitDev = false) {
  if (readState(kind) === "complete") return mendLink();
  requireGlibc();
  const lock = await takeInstallLock();
  try {
    const state = readState(kind);
    if (state === "complete") return mendLink(); // the process that held the lock installed it
    const [flags, words] = SETS[kind === "production" && !omitDev ? "local" : kind];
    console.error(`Installing ${words} …`);
    if (state === "missing" && !omitDev) await addMissing(lock, flags);
    else await runNpm(lock, ["ci", ...flags]);
    if (!existsSync(bundledNode)) throw new Error(`npm left no ${bundledNode}. Remove node_modules and run again.`);
    linkNode();
    removeUnread();
  } finally {
    closeSync(lock);
  }
}

/** npm writes its list of what is installed last: without it nothing is, or an installation was interrupted. */
function readState(kind) {
  try {
    return findState(readPackages("package-lock.json"), readPackages(INSTALLED), kind, process.arch);
  } catch {
    return "stale";
  }
}

const readPackages = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages;

/** `npm ci` would remove everything first, under a service that runs from it. This adds, and leaves what is there. */
async function addMissing(lock, flags) {
  const installed = readPackages(INSTALLED);
  // An interrupted installation leaves folders that are not listed, and npm would take them for whole packages.
  const unlisted = Object.keys(readPackages("package-lock.json")).filter(
    (path) => path.startsWith("node_modules/") && installed[path] === undefined,
  );
  for (const path of unlisted) rmSync(join(root, path), { recursive: true, force: true });
  linkNode();
  await runNpm(lock, ["install", "--no-save", "--package-lock", ...flags]);
  if (readState("production") === "stale")
    throw new Error("npm installed other versions than those of package-lock.json. Run npm ci.");
}

/**
 * npm 10 takes the link away again with the package for the other processor, which has one of the same name. A package whose
 * link is missing it would replace, so the link is there before packages are added, too.
 */
function linkNode() {
  const link = join(root, "node_modules/.bin/node");
  if (existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true }); // it may lead nowhere
  symlinkSync(relative(dirname(link), bundledNode), link);
}

/** The link is for others, as the units of systemd: where the folder may not be written, or another start was first, no start fails. */
function mendLink() {
  try {
    linkNode();
  } catch {}
}

/** Removes what nothing here reads, a quarter of the whole: the C headers of Node.js, and source maps. */
function removeUnread() {
  rmSync(join(dirname(dirname(bundledNode)), "include"), { recursive: true, force: true });
  const removeMaps = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) removeMaps(path);
      else if (/\.([cm]?[jt]s|css)\.map$/.test(entry.name)) rmSync(path);
    }
  };
  removeMaps(join(root, "node_modules"));
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

async function runNpm(lock, words) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  const progress = setInterval(() => console.error(`  … still installing, ${seconds()} s`), PROGRESS_MS);
  // Our packages need no install scripts, so none is run.
  const flags = ["--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const [command, before] = findNpm();
  const stdio = ["ignore", 2, 2, lock];
  const { code, signal } = await runChild(command, [...before, ...words, ...flags], { cwd: root, stdio });
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
