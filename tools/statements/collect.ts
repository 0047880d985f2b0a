// Preloaded into every process of a test run: writes each statement of the service, and the module that runs it, to the
// folder of the run.
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isTest } from "../checks/files.ts";

export interface Statement {
  /** The module that runs it, from the project's root. */
  readonly path: string;
  readonly text: string;
}

const ROOT = pathToFileURL(join(import.meta.dirname, "../..")).href;
const FRAMES_MAX = 30;
/** These run statements for others. */
const IS_BELOW = /^(?:server\/(?:store|lib)|tools|node_modules)\//;

/** The module that asked for what runs now; undefined if it is none of the service, but a test. */
function findCaller(): string | undefined {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES_MAX;
  const stack = new Error().stack!;
  Error.stackTraceLimit = before;
  const paths = stack.split(`${ROOT}/`).slice(1);
  const caller = paths.map((text) => text.slice(0, text.indexOf(":"))).find((path) => !IS_BELOW.test(path));
  return caller?.startsWith("server/") && !isTest(caller) ? caller : undefined;
}

const folder = process.env.TEST_STATEMENTS;
if (folder !== undefined)
  subscribe("holdfast:statement", (text) => {
    const path = findCaller();
    if (path !== undefined) appendFileSync(join(folder, `${process.pid}`), `${JSON.stringify({ path, text })}\n`);
  });
