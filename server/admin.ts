import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AdminError, type AdminVerb } from "./edge/admin.ts";
import { businessVerbs } from "./features/businesses/admin.ts";
import { chainVerbs } from "./features/chains/admin.ts";
import { keyVerbs } from "./features/keys/admin.ts";
import { webhookVerbs } from "./features/webhooks/admin.ts";
import { loadKeyRing, WEBHOOK_KEYS_NAME } from "./features/webhooks/endpoints/keyRing.ts";
import { openDatabase } from "./store/database.ts";

const dataDir = process.env.DATA_DIR || ".data";

/** The keys of the running instance: the configured ones, or those that a local run made in its DATA_DIR. */
const loadRing = () =>
  loadKeyRing({
    keys: process.env.WEBHOOK_KEYS || null,
    keysFile: process.env.WEBHOOK_KEYS_FILE || null,
    localFile: existsSync(join(dataDir, WEBHOOK_KEYS_NAME)) ? join(dataDir, WEBHOOK_KEYS_NAME) : null,
  });

const VERBS: readonly AdminVerb[] = [...businessVerbs, ...keyVerbs, ...chainVerbs, ...webhookVerbs(loadRing)];

const USAGE = `npm run admin -- <verb> [--json]\n\n${VERBS.map((verb) => `  ${verb.usage}\n      ${verb.does}`).join("\n")}\n
The running instance is found by DATA_DIR (default .data), or by DATABASE_URL.`;

async function databaseUrl(): Promise<string> {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const path = join(dataDir, "database.json");
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null)
    throw new AdminError(`No instance was found by ${path}. Run npm start first, or set DATA_DIR or DATABASE_URL.`);
  return (JSON.parse(text) as { url: string }).url;
}

async function run([group, word, ...rest]: readonly string[]): Promise<string> {
  const verb = VERBS.find((one) => one.words[0] === group && one.words[1] === word);
  if (verb === undefined) throw new AdminError(USAGE);
  const { values, positionals } = readArguments(verb, rest);
  const database = openDatabase({
    connection: { connectionString: await databaseUrl() },
    connectionsMax: 2,
    statementTimeoutMs: 15_000,
    log: () => undefined,
  });
  try {
    const { json, ...options } = values as Record<string, string | boolean | undefined>;
    const answer = await verb.run({ database, positionals, options });
    return json === true ? JSON.stringify(answer.result) : answer.text;
  } finally {
    await database.close();
  }
}

function readArguments(verb: AdminVerb, args: string[]) {
  try {
    return parseArgs({ args, options: { ...verb.options, json: { type: "boolean" } }, allowPositionals: true });
  } catch (error) {
    throw new AdminError(`${(error as Error).message}\nUsage: ${verb.usage}`);
  }
}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
