// Runs the handler recipes that need packages (`npm run examples`), each in front of the kit for handlers. The packages
// are installed by the recipes' own lockfile, in .data/examples; they never enter the installation of the project.
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describeReport } from "@holdfast/testing";
import { tryHandler } from "../examples/handlers/tests/recipes.ts";
import { buildPackage } from "./packages.ts";

const run = promisify(execFile);
const ROOT = dirname(import.meta.dirname);
const FOLDER = join(ROOT, ".data/examples");
const INSTALL_MS_MAX = 600_000;
const FRAMEWORKS = ["express", "fastify", "hono"];
const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };

const only = process.argv.slice(2);
const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
let hasFailed = false;

async function judge(
  name: string,
  program: string,
  words: readonly string[],
  setting: Parameters<typeof tryHandler>[3] = {},
): Promise<void> {
  const report = await tryHandler(name, program, words, setting);
  console.log(`${report.passed ? "✔" : "✖"} ${name}: ${report.checks.length} checks in ${report.tookMs} ms`);
  if (report.passed) return;
  hasFailed = true;
  console.log(describeReport(report));
}

/** The recipes, with their packages and the SDK as it is published. */
async function installHandlers(): Promise<string> {
  const folder = join(FOLDER, "handlers");
  for (const name of [
    "package.json",
    "package-lock.json",
    "orders.mjs",
    "next",
    ...FRAMEWORKS.map((one) => `${one}.mjs`),
  ])
    cpSync(join(ROOT, "examples/handlers", name), join(folder, name), { recursive: true });
  await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, timeout: INSTALL_MS_MAX });
  await buildPackage("sdk", join(folder, "node_modules/@holdfast/sdk"), folder);
  return folder;
}

async function tryFrameworks(): Promise<void> {
  if (![...FRAMEWORKS, "next"].some(isWanted)) return;
  const folder = await installHandlers();
  for (const name of FRAMEWORKS.filter(isWanted)) await judge(name, process.execPath, [join(folder, `${name}.mjs`)]);
  if (!isWanted("next")) return;
  const next = join(folder, "node_modules/next/dist/bin/next");
  const cwd = join(folder, "next");
  await run(process.execPath, [next, "build"], { cwd, env, timeout: INSTALL_MS_MAX });
  // Next names its own port.
  await judge("next", "sh", ["-c", 'exec "$0" "$1" start -H 127.0.0.1 -p "$PORT"', process.execPath, next], {
    cwd,
    env: { NEXT_TELEMETRY_DISABLED: "1" },
  });
}

async function tryPython(): Promise<void> {
  if (!isWanted("python")) return;
  const venv = join(FOLDER, "python");
  const python = join(venv, "bin/python");
  if (!existsSync(python)) await run("python3", ["-m", "venv", venv], { timeout: INSTALL_MS_MAX });
  const requirements = join(ROOT, "examples/python/requirements.txt");
  await run(python, ["-m", "pip", "install", "--quiet", "-r", requirements], { timeout: INSTALL_MS_MAX });
  await judge("python", python, [join(ROOT, "examples/python/handler.py")], { hasOneServer: true });
}

rmSync(join(FOLDER, "handlers"), { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await tryFrameworks();
await tryPython();
process.exitCode = hasFailed ? 1 : 0;
