import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { restoreVerbs } from "./app/restore/admin.ts";
import {
  type AdminAnswer,
  AdminError,
  type AdminVerb,
  type ChainVerb,
  findVerb,
  type Line,
  readLine,
} from "./edge/admin.ts";
import { auditVerbs } from "./features/audit/admin.ts";
import { booksVerbs } from "./features/books/admin.ts";
import { businessVerbs } from "./features/businesses/admin.ts";
import { chainVerbs } from "./features/chains/admin.ts";
import { disputeVerbs } from "./features/disputes/admin.ts";
import { deskVerbs } from "./features/disputes/desk/admin.ts";
import { erasureVerbs } from "./features/disputes/erasure/admin.ts";
import { exportVerbs, type IssueReceipt } from "./features/disputes/export/admin.ts";
import { domainVerbs } from "./features/domains/admin.ts";
import { keyVerbs } from "./features/keys/admin.ts";
import { operatorVerbs } from "./features/operator/admin.ts";
import { paymentDaysVerbs } from "./features/overview/admin.ts";
import { receiptVerbs } from "./features/receipts/admin.ts";
import { issueOpenReceipt } from "./features/receipts/issue.ts";
import { recordingVerbs } from "./features/recording/admin.ts";
import { staffVerbs } from "./features/staff/admin.ts";
import { deliveryVerbs } from "./features/webhooks/delivery/admin.ts";
import { announceAct } from "./features/webhooks/delivery/notify.ts";
import { endpointVerbs } from "./features/webhooks/endpoints/admin.ts";
import { loadKeyRing, WEBHOOK_KEYS_NAME } from "./features/webhooks/sending/keyRing.ts";
import { type KeyRing, sealingOf } from "./features/webhooks/sending/secret.ts";
import { chainToolOpener } from "./process/chainTool.ts";
import { migrateDatabase } from "./process/databases.ts";
import { doctorVerb } from "./process/doctor/doctor.ts";
import { readKeyFile } from "./process/keyFile.ts";
import { requireSealable } from "./process/keyRotation.ts";
import { readSecretFiles } from "./process/secretFiles.ts";
import { variableOf } from "./process/setting.ts";
import { type Database, openDatabase } from "./store/database.ts";

const dataDir = process.env.DATA_DIR || ".data";

/** Loads the keys of the running instance: the configured ones, or those that a local run made in its DATA_DIR. */
const loadRing = () =>
  loadKeyRing({
    keys: process.env.WEBHOOK_KEYS || null,
    keysFile: process.env.WEBHOOK_KEYS_FILE || null,
    localFile: existsSync(join(dataDir, WEBHOOK_KEYS_NAME)) ? join(dataDir, WEBHOOK_KEYS_NAME) : null,
  });

/** The keys for a command that encrypts with them. */
async function loadSealable(database: Database): Promise<KeyRing> {
  const ring = await loadRing();
  await requireSealable(database, ring);
  return ring;
}

/** Returns an address of the running instance: the one that is set, else that of a local run. `path`: its own on this machine. */
async function urlOf(name: "checkoutUrl" | "dashboardUrl", path: string): Promise<string> {
  const set = process.env[variableOf(name)];
  if (set) return set.replace(/\/+$/, "");
  const text = await readFile(join(dataDir, "ready.json"), "utf8").catch(() => null);
  const ready = text === null ? {} : (JSON.parse(text) as { [name in typeof name]?: string });
  return ready[name] ?? `http://localhost:${process.env.PORT || 3000}${path}`;
}

const dashboardUrl = () => urlOf("dashboardUrl", "/dashboard");
const openTool = chainToolOpener(process.env, dataDir);

/** Makes the whole receipt of a payment, with the chain and the keys of the running instance. */
const issueReceipt: IssueReceipt = async (database, environment, payment) => {
  const [checkoutUrl, ring] = [await urlOf("checkoutUrl", ""), await loadRing()];
  const { reader } = await openTool({ environment, ofAuthority: null, unitPrice: 0n });
  const ctx = { database, checkoutUrl, sealing: sealingOf(ring), chainOf: () => ({ reader }), log: () => undefined };
  return issueOpenReceipt(ctx, payment);
};

/** The last words of verbs that change nothing. */
const LOOKS = new Set(["list", "show", "deliveries"]);

const VERBS: readonly (AdminVerb | ChainVerb)[] = [
  doctorVerb(process.env),
  ...businessVerbs,
  ...domainVerbs,
  ...keyVerbs,
  ...endpointVerbs(loadSealable),
  ...deliveryVerbs,
  ...receiptVerbs(async (database) => sealingOf(await loadSealable(database))),
  ...chainVerbs,
  ...booksVerbs(openTool),
  ...paymentDaysVerbs,
  ...restoreVerbs(async () => migrateDatabase({ connectionString: await databaseUrl() })),
  ...recordingVerbs,
  ...disputeVerbs,
  ...deskVerbs,
  ...erasureVerbs(process.env.API_URL?.replace(/\/+$/, "") || `http://localhost:${process.env.PORT || 3000}/api/v1`),
  ...exportVerbs(issueReceipt),
  ...operatorVerbs({ openTool, readKeyFile }),
  ...staffVerbs(dashboardUrl),
  ...auditVerbs,
];

const describeVerbs = (verbs: typeof VERBS): string =>
  verbs.map((verb) => `  ${verb.usage}\n      ${verb.does}`).join("\n");

const describeAll = (): string => `npm run admin -- <command> [--json]\n\n${describeVerbs(VERBS)}\n
npm run admin -- <command> --help describes one command. DATA_DIR (default .data) or DATABASE_URL selects the instance.
The operator and resolve commands need no database: they take the chain from the settings of the service.`;

const describeVerb = ({ usage, does, more }: AdminVerb | ChainVerb): string =>
  [`npm run admin -- ${usage} [--json]`, does, ...(more === undefined ? [] : [more])].join("\n\n");

async function databaseUrl(): Promise<string> {
  const problems: string[] = [];
  const { DATABASE_URL } = readSecretFiles(process.env, problems);
  if (problems.length > 0) throw new AdminError(problems.join("\n"));
  if (DATABASE_URL) return DATABASE_URL;
  const path = join(dataDir, "database.json");
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null)
    throw new AdminError(
      `No instance found: ${path} is missing. Run npm start first, or set DATA_DIR or DATABASE_URL.`,
    );
  return (JSON.parse(text) as { url: string }).url;
}

const isHelp = (word: string | undefined): boolean => word === "--help" || word === "-h";

async function run(words: readonly string[]): Promise<{ text: string; failed: boolean }> {
  const verb = findVerb(VERBS, words);
  if (verb === undefined) return describeGroup(words);
  const { json, help, line } = readLine(verb, words);
  if (help) return { text: describeVerb(verb), failed: false };
  const answer = await runVerb(verb, line);
  return { text: json ? JSON.stringify(answer.result) : answer.text, failed: answer.failed === true };
}

/** Returns the help for all verbs, or for those of a group. Throws for other words. */
function describeGroup([group, word]: readonly string[]): { text: string; failed: boolean } {
  if (group === undefined) throw new AdminError(describeAll());
  if (isHelp(group)) return { text: describeAll(), failed: false };
  const known = VERBS.filter((verb) => verb.words.split(" ")[0] === group);
  if (known.length === 0)
    throw new AdminError(`Unknown command "${group}". To list all commands: npm run admin -- --help`);
  if (isHelp(word)) return { text: describeVerbs(known), failed: false };
  throw new AdminError(
    `Unknown command "${[group, word].join(" ").trim()}". Commands of ${group}:\n${describeVerbs(known)}`,
  );
}

async function runVerb(verb: AdminVerb | ChainVerb, line: Line): Promise<AdminAnswer> {
  if ("withoutDatabase" in verb) return verb.read(line)({});
  const runOn = verb.read(line);
  const database = openDatabase({
    connection: { connectionString: await databaseUrl() },
    connectionsMax: 2,
    statementTimeoutMs: 15_000,
    log: () => undefined,
  });
  try {
    const name = userName();
    const answer = await runOn({ actor: { kind: "cli", name }, database });
    // Options stay out of the log: some of them are addresses with secrets in them.
    const words = [verb.words, ...line.positionals].join(" ").replaceAll(/[\p{Cc}\p{Cf}]/gu, " ");
    if (!LOOKS.has(verb.words.split(" ").at(-1)!)) await announceAct(database, `${name} at the command line: ${words}`);
    return answer;
  } finally {
    await database.close();
  }
}

/** The name of the operating system's user, for the audit log. In some containers the account has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

try {
  const { text, failed } = await run(process.argv.slice(2));
  process.stdout.write(`${text}\n`);
  if (failed) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
