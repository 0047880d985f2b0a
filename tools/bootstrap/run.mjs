import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { collectionFlags } from "./collections.mjs";
import { bundledNode, root, watchParentModule } from "./paths.mjs";

/** The process id of npm, with which its command must end; null without npm, since a command may outlive its shell. */
export const npmPid = process.env.npm_lifecycle_event === undefined ? null : process.ppid;

/**
 * Runs the script under the bundled Node.js and never returns. If npm found that Node.js in its PATH, this process becomes
 * the script, so that signals reach it directly. Otherwise the script is a child.
 */
export async function runScript(script, args) {
  const flags = ["--import", pathToFileURL(watchParentModule).href, ...collectionFlags];
  const argv = [...flags, resolve(root, script), ...args];
  if (process.execPath === realpathSync(bundledNode) && typeof process.execve === "function") {
    const parent = npmPid === null ? {} : { HOLDFAST_PARENT: String(npmPid) };
    process.execve(bundledNode, [bundledNode, ...argv], { ...process.env, ...parent });
  }
  const env = { ...process.env, HOLDFAST_PARENT: String(process.pid) };
  const { code, signal } = await runChild(bundledNode, argv, { stdio: "inherit", env });
  if (signal !== null) process.kill(process.pid, signal); // so that the parent learns which signal ended it
  process.exit(code ?? 1);
}

/** Runs a command to its end. Signals that ask for an end go to the command, which decides when to end. */
export function runChild(command, args, options) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, options);
    const pass = (signal) => child.kill(signal);
    const signals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
    for (const signal of signals) process.on(signal, pass);
    const settle = (settled) => {
      for (const signal of signals) process.off(signal, pass);
      settled();
    };
    child.once("error", (error) => settle(() => fail(new Error(`${command} does not run: ${error.message}`))));
    child.once("exit", (code, signal) => settle(() => done({ code, signal })));
  });
}
