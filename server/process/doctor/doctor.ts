import { readFile } from "node:fs/promises";
import { LANGUAGES } from "../../app/languages/languages.ts";
import { chainVerb } from "../../edge/admin.ts";
import { loadKeyRing } from "../../features/webhooks/sending/keyRing.ts";
import { isLoopback } from "../../lib/loopback.ts";
import { openDatabase } from "../../store/database.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { signInToMail } from "../mailer.ts";
import { secretFilesOf } from "../secretFiles.ts";
import { type Env, locate } from "../setting.ts";
import { settingWarnings } from "../settingWarnings.ts";
import { checkAddresses, type Reach } from "./addresses.ts";
import { checkChain } from "./chain.ts";
import { checkCompany, checkGroups } from "./company.ts";
import { checkDatabase, checkKeys, type ResolveHost, resolveHost } from "./database.ts";
import { type Finding, fail, guarded, messageOf, ok, warn } from "./finding.ts";
import { checkBackups, checkDisk, checkSecretFiles, type ReadFree, readFree } from "./machine.ts";

export interface DoctorDeps {
  readonly env: Env;
  readonly now: () => Date;
  readonly readFree: ReadFree;
  readonly reach: Reach;
  readonly resolve: ResolveHost;
}

const MANIFEST = new URL("../../../program/manifest.json", import.meta.url);
const MARKS = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

export const doctorVerb = (env: Env) =>
  chainVerb({
    words: "doctor",
    does: "Checks settings, database, chain, wallets, addresses, disk and backups. Exits with 1 if a check fails.",
    more: "It takes the settings of the service from the environment, reads, and changes nothing. Run it where the service runs.",
    run: async () => {
      const findings = await examine({ env, now: () => new Date(), readFree, reach: {}, resolve: resolveHost });
      const failed = findings.filter(({ level }) => level === "fail").length;
      const warned = findings.filter(({ level }) => level === "warn").length;
      return {
        result: { object: "doctor", failed, warned, findings },
        text: [...findings.map(describe), `${failed} failed, ${warned} to look at, ${findings.length} checks.`].join(
          "\n",
        ),
        failed: failed > 0,
      };
    },
  });

const describe = ({ check, level, message, remedy }: Finding): string =>
  `${MARKS[level]}  ${check}: ${message}${remedy === null ? "" : `\n      ${remedy}`}`;

/** Makes every check; one that cannot be made is a failure of its own and stops no other. */
export async function examine({ env, now, readFree: read, reach, resolve }: DoctorDeps): Promise<readonly Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split("\n").map((line) => fail("settings", line, "See docs/settings.md"));
  }
  const warnings = settingWarnings(config).map((text) => warn("settings", text, "See docs/settings.md"));
  const settings = warnings.length > 0 ? warnings : [ok("settings", "All are valid.")];
  if (config.chains.length === 0)
    settings.push(warn("settings", "No chain is set: the service plays a demo.", "Set TEST_CHAIN or LIVE_CHAIN."));
  if (config.held.size > 0)
    settings.push(
      warn("settings", `HOLD switches off ${[...config.held].join(" and ")}.`, "Unset it after the rehearsal."),
    );
  if (!isLoopback(config.host))
    settings.push(
      warn(
        "settings",
        `HOST is ${config.host}: port ${config.port} can be reached past the proxy, with any client address in its header.`,
        "Unset HOST, or let a firewall admit the proxy alone. In a container whose port is not published this is right.",
      ),
    );
  const named = new Set<string>(config.languages);
  const unread = LANGUAGES.filter(({ tag, readBy }) => readBy === null && named.has(tag));
  if (unread.length > 0)
    settings.push(
      warn(
        "settings",
        `LANGUAGES names ${unread.map(({ tag }) => tag).join(", ")}: nobody who speaks it has read the texts.`,
        "Have them read: docs/how-to/add-a-language.md",
      ),
    );
  const stored = await checkStored(config, { now, resolve });
  const rest = await Promise.all([
    guarded("addresses", () => checkAddresses(config, reach, now())),
    guarded("mail", () => checkMail(config)),
    guarded("company sign-in", () => checkCompany(config, now)),
    guarded("disk", () => checkDisk(config, read)),
    guarded("secret files", () => checkSecretFiles(config, [...secretFilesOf(env), ...chainFilesOf(env, config)])),
    guarded("backups", () => checkBackups(config, stored.archivedAt, now())),
  ]);
  return [...settings, ...stored.findings, ...rest.flat()];
}

/** The files of chains whose addresses of nodes hold a key of a provider. */
const chainFilesOf = (env: Env, { chains }: Config): string[] =>
  chains
    .filter(({ rpcUrls, wsUrls }) => [...rpcUrls, ...wsUrls].some(holdsKey))
    .map(({ environment }) => env[`${environment.toUpperCase()}_CHAIN`] ?? "")
    .flatMap((given) => (given.startsWith("{") ? [] : [locate(given, env) ?? given]));

function holdsKey(url: string): boolean {
  const { username, search, pathname } = new URL(url);
  return username !== "" || search !== "" || pathname !== "/";
}

async function checkMail({ mail: { smtpUrl } }: Config): Promise<Finding[]> {
  if (smtpUrl === null) return [ok("mail", "No SMTP_URL is set: no emails are sent.")];
  try {
    await signInToMail(smtpUrl);
    return [ok("mail", "The mail server takes the sign-in of SMTP_URL.")];
  } catch (error) {
    const text = `The mail server of SMTP_URL cannot be used: ${messageOf(error)}`;
    return [fail("mail", text, "Correct its host, port, user and password: docs/how-to/set-up-proxy-and-mail.md")];
  }
}

/** The database, and the chains with what the database knows of them. */
async function checkStored(config: Config, { now, resolve }: Pick<DoctorDeps, "now" | "resolve">) {
  const releaseHash = (JSON.parse(await readFile(MANIFEST, "utf8")) as { program: string }).program;
  const url = config.databaseUrl;
  const report =
    url === null
      ? {
          findings: [warn("database", "It is the embedded one.", "Set DATABASE_URL.")],
          isReached: false,
          isEmpty: true,
          archivedAt: null,
        }
      : await checkDatabase(url, now, resolve);
  const database =
    url === null || !report.isReached
      ? null
      : openDatabase({
          connection: { connectionString: url },
          connectionsMax: 2,
          statementTimeoutMs: 15_000,
          log: () => undefined,
        });
  try {
    const { keys, keysFile } = config.webhooks;
    const keyed =
      database === null
        ? []
        : await guarded("webhook keys", async () => [
            await checkKeys(report.isEmpty ? null : database, () => loadKeyRing({ keys, keysFile, localFile: null })),
          ]);
    const chains = await Promise.all(
      config.chains.map((one) => guarded(`${one.environment} chain`, () => checkChain(one, database, releaseHash))),
    );
    const groups =
      database === null || report.isEmpty ? [] : await guarded("company sign-in", () => checkGroups(config, database));
    return { findings: [...report.findings, ...keyed, ...chains.flat(), ...groups], archivedAt: report.archivedAt };
  } finally {
    await database?.close();
  }
}
