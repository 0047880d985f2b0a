import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { TLSSocket } from "node:tls";
import type pg from "pg";
import { CONNECTIONS_MAX, SLOW_CONNECTIONS_MAX } from "../../domain/limits.ts";
import type { KeyRing } from "../../features/webhooks/sending/secret.ts";
import { isLoopback } from "../../lib/loopback.ts";
import { createConnector } from "../../store/connection.ts";
import type { Database } from "../../store/database.ts";
import { readHosts } from "../../store/hosts.ts";
import { listPending } from "../../store/migrate.ts";
import { requireSessions } from "../databases.ts";
import { describeKeys, examineKeys } from "../keyRotation.ts";
import { type Finding, fail, messageOf, ok, warn } from "./finding.ts";

const VERSION_MIN = 150_000;
/** Connections of one API process and of one worker: docs/how-to/self-host.md. */
const PROCESS_PAIR = CONNECTIONS_MAX + SLOW_CONNECTIONS_MAX + 33;
const CLOCK_MS_WARN = 2_000;
const CLOCK_MS_FAIL = 30_000;

interface Facts {
  readonly version: number;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly encoding: string;
  readonly connections: number;
  readonly is_superuser: boolean;
  readonly is_standby: boolean;
  readonly oldest_seconds: number;
  readonly now: Date;
  readonly archived_at: Date | null;
  readonly archive_failed: boolean;
}

const FACTS = `
  select current_setting('server_version_num')::integer as version, current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    pg_encoding_to_char(d.encoding) as encoding,
    least(current_setting('max_connections')::integer, nullif(r.rolconnlimit, -1), nullif(d.datconnlimit, -1)) as connections,
    r.rolsuper as is_superuser, pg_is_in_recovery() as is_standby,
    coalesce((select extract(epoch from max(now() - xact_start))::float8 from pg_stat_activity where datname = d.datname), 0) as oldest_seconds,
    clock_timestamp() as now,
    (select last_archived_time from pg_stat_archiver where current_setting('archive_mode') <> 'off') as archived_at,
    (select coalesce(last_failed_time > last_archived_time, last_failed_time is not null) from pg_stat_archiver
      where current_setting('archive_mode') <> 'off') as archive_failed
  from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`;

/** The state of the database: null if it cannot be reached. */
export interface DatabaseReport {
  readonly findings: readonly Finding[];
  readonly isReached: boolean;
  /** True before the first start, which makes the schema. */
  readonly isEmpty: boolean;
  readonly archivedAt: Date | null;
}

/** The addresses of a host's name. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;
export const resolveHost: ResolveHost = (host) => lookup(host, { all: true });

export async function checkDatabase(url: string, now: () => Date, resolve: ResolveHost): Promise<DatabaseReport> {
  const connection = { connectionString: url };
  const connector = createConnector(connection);
  let client: Awaited<ReturnType<typeof connector.connect>>;
  try {
    client = await connector.connect({}, () => undefined);
  } catch (error) {
    const remedy = "Start PostgreSQL, or correct DATABASE_URL: host, port, user, password and database.";
    return {
      findings: [fail("database", `It cannot be reached: ${messageOf(error)}`, remedy)],
      isReached: false,
      isEmpty: true,
      archivedAt: null,
    };
  }
  try {
    const facts = (await client.query<Facts>(FACTS)).rows[0]!;
    const clock = checkClock(facts.now.getTime() - now().getTime());
    const { finding, isEmpty } = await checkSchema(() => listPending(client));
    const way = judgeWay(url, client, now());
    const replicas = await findReplicas(url, resolve);
    const findings = [
      ...judge(facts),
      ...way,
      ...replicas,
      clock,
      finding,
      await checkSessions(() => requireSessions(connection)),
    ];
    return { findings, isReached: true, isEmpty, archivedAt: facts.archived_at };
  } finally {
    await client.end();
  }
}

/** Ways on which the address may lead to a standby, today or after a fail-over. */
async function findReplicas(url: string, resolve: ResolveHost): Promise<Finding[]> {
  const { urls, wanted } = readHosts(url);
  const remedy = "Name each server in DATABASE_URL, with target_session_attrs=read-write: docs/how-to/fail-over.md";
  if (urls.length > 1)
    return wanted === "read-write"
      ? []
      : [warn("database", "Its address takes any of several servers: it may lead to a replica.", remedy)];
  const { hostname } = new URL(urls[0]);
  if (hostname === "" || isLoopback(hostname)) return [];
  const found = await resolve(hostname).catch(() => []);
  // A server may have one address of each family.
  const most = Math.max(...[4, 6].map((family) => found.filter((one) => one.family === family).length));
  return most < 2 ? [] : [warn("database", `${hostname} is ${most} addresses: it may lead to a replica.`, remedy)];
}

const CERTIFICATE_DAYS_MIN = 14;
const DAY_MS = 86_400_000;

/** When the certificate that the server showed ends; null: the connection is not encrypted. */
export function certificateEndOf({ connection: { stream } }: pg.Client): Date | null {
  return stream instanceof TLSSocket ? new Date(stream.getPeerCertificate().valid_to) : null;
}

/** The way to the server: plain text beyond this machine only where the address says so. */
function judgeWay(url: string, client: pg.Client, now: Date): Finding[] {
  const { host } = client;
  const end = certificateEndOf(client);
  if (end !== null) {
    const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS);
    if (days >= CERTIFICATE_DAYS_MIN) return [];
    return [warn("database", `Its certificate ends in ${days} days.`, "Renew it, and look why that did not run.")];
  }
  if (host.startsWith("/") || isLoopback(host) || url.includes("sslmode=disable")) return [];
  return [
    warn(
      "database",
      `The connection to ${host} is not encrypted: its network can read the password and every row.`,
      "Add ?sslmode=verify-full to DATABASE_URL; sslmode=disable says that plain text is right: docs/how-to/self-host.md",
    ),
  ];
}

function judge(facts: Facts): Finding[] {
  const major = Math.floor(facts.version / 10_000);
  const wrong: Finding[] = [];
  const expect = (holds: boolean, make: () => Finding) => {
    if (!holds) wrong.push(make());
  };
  expect(facts.version >= VERSION_MIN, () =>
    fail("database", `It is PostgreSQL ${major}.`, "Upgrade it to PostgreSQL 15 or newer."),
  );
  expect(!facts.is_standby, () =>
    fail("database", "It is a standby, which takes no writes.", "Name the primary in DATABASE_URL, or both servers."),
  );
  for (const name of ["fsync", "full_page_writes", "synchronous_commit"] as const)
    expect(facts[name] !== "off", () =>
      fail("database", `${name} is off: a crash loses what was acknowledged.`, `Set ${name} to on.`),
    );
  expect(facts.encoding === "UTF8", () =>
    fail("database", `Its encoding is ${facts.encoding}.`, "Create the database with the encoding UTF8."),
  );
  expect(facts.connections >= PROCESS_PAIR, () =>
    fail(
      "database",
      `It allows ${facts.connections} connections; an API process and a worker need ${PROCESS_PAIR}.`,
      "Raise max_connections, or the limit of the user or the database.",
    ),
  );
  expect(facts.oldest_seconds < 300, () =>
    warn(
      "database",
      `A transaction is open for ${Math.round(facts.oldest_seconds)} s, so nothing is vacuumed meanwhile.`,
      "Find it in pg_stat_activity and end it.",
    ),
  );
  expect(facts.archive_failed !== true, () =>
    fail("database", "PostgreSQL's last attempt to archive its log failed.", "Read its log; repair archive_command."),
  );
  expect(!facts.is_superuser, () =>
    warn("database", "The service's user is a superuser.", "Give it a user of its own that owns the database."),
  );
  return [...wrong, ...(wrong.some(({ level }) => level === "fail") ? [] : [ok("database", `PostgreSQL ${major}.`)])];
}

function checkClock(aheadMs: number): Finding {
  const text = `The database's clock is ${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? "behind" : "ahead of"} this machine's.`;
  const remedy = "Run a time service (chrony, systemd-timesyncd) on both.";
  if (Math.abs(aheadMs) >= CLOCK_MS_FAIL) return fail("clock", text, remedy);
  return Math.abs(aheadMs) >= CLOCK_MS_WARN ? warn("clock", text, remedy) : ok("clock", text);
}

async function checkSchema(read: () => Promise<readonly string[] | null>) {
  const found = (finding: Finding, isEmpty = false) => ({ finding, isEmpty });
  try {
    const pending = await read();
    if (pending === null) return found(ok("schema", "The database is empty. The first start makes the schema."), true);
    if (pending.length === 0) return found(ok("schema", "It is that of this version."));
    const remedy = "Read the changelog, back up, then restart the processes: docs/how-to/upgrade.md";
    return found(warn("schema", `The next start runs ${pending.join(", ")}.`, remedy));
  } catch (error) {
    return found(fail("schema", messageOf(error), "Run the version that goes with this database."));
  }
}

async function checkSessions(require: () => Promise<void>): Promise<Finding> {
  try {
    await require();
    return ok("pooler", "Each connection has a session of its own.");
  } catch (error) {
    return fail("pooler", messageOf(error), "Set pool_mode to session.");
  }
}

/** The keys under which stored secrets are encrypted, against those of the settings; null: no secret is stored yet. */
export async function checkKeys(database: Database | null, load: () => Promise<KeyRing>): Promise<Finding> {
  let ring: KeyRing;
  try {
    ring = await load();
  } catch (error) {
    return fail("webhook keys", messageOf(error), "Give the service the file of its keys, from your copy if need be.");
  }
  const wrong = database === null ? null : describeKeys(await examineKeys(database, ring));
  if (wrong === null) return ok("webhook keys", `Version ${ring.current} encrypts; every stored secret can be read.`);
  return fail(
    "webhook keys",
    `Stored secrets are ${wrong}`,
    "Put the right key into WEBHOOK_KEYS_FILE again, from your copy. Workers do not start without it.",
  );
}
