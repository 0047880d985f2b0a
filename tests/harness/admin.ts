import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Wire } from "./merchant.ts";
import type { Service } from "./service.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What `npm run admin -- <words> --json` prints, for a running service. */
export async function admin(service: Pick<Service, "dataDir">, ...words: readonly string[]): Promise<Wire> {
  const { DATABASE_URL: _, ...env } = process.env;
  const { stdout } = await run(process.execPath, ["server/admin.ts", ...words, "--json"], {
    cwd: ROOT,
    env: { ...env, DATA_DIR: service.dataDir },
  });
  return JSON.parse(stdout);
}

/** The sentence with which the verb refuses. */
export async function adminRefusal(service: Pick<Service, "dataDir">, ...words: readonly string[]): Promise<string> {
  try {
    await admin(service, ...words);
  } catch (error) {
    return (error as { stderr: string }).stderr.trim();
  }
  throw new Error(`The verb was done: ${words.join(" ")}.`);
}
