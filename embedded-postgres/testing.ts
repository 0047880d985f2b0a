import { randomBytes } from "node:crypto";
import { accessSync, chownSync, constants, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { canEnter, defaultAccount, isRoot } from "./account.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./postgres.ts";
import { EPHEMERAL, type Settings } from "./settings.ts";

/** A database of one test, with the schema in it. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  readonly connection: pg.ClientConfig;
  drop(): Promise<void>;
}

/** A client that is connected to an empty database; the caller closes it. */
export type Migrate = (client: pg.Client) => Promise<unknown>;

/**
 * A folder in memory. A test creates and drops a database of 800 files. ext4 passes over inodes that were freed in the last
 * minutes, one by one, so that a copy there takes 0.6 s of a core in the midst of a run, and 0.03 s in memory.
 */
const MEMORY = "/dev/shm";
const MEMORY_BYTES_MIN = 4 * 2 ** 30;
const TEMPLATE_LOCK = 7_246_002;
const OWN_ID = randomBytes(6).toString("hex");
/** The template of one run: a lasting server given by TEST_DATABASE_URL may hold those of earlier versions. */
const templateName = (): string => `holdfast_template_${process.env.TEST_RUN_ID ?? OWN_ID}`;

let own: Promise<EmbeddedPostgres> | undefined;

/** Returns false on a machine without such a folder, and in a container, which has a small one. */
function hasRoomInMemory(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_BYTES_MIN;
  } catch {
    return false; // There is none, or it is not ours to write.
  }
}

/** A server in a temporary folder that goes when the server ends, however that happens. PG_BIN names other programs. */
export function startTestPostgres(settings: Settings = {}): Promise<EmbeddedPostgres> {
  const account = defaultAccount();
  const parent = [...(hasRoomInMemory() ? [MEMORY] : []), tmpdir()].find((one) => !isRoot || canEnter(account, one));
  const dataDir = mkdtempSync(join(parent ?? "/tmp", "holdfast-test-"));
  if (isRoot) chownSync(dataDir, account.uid, account.gid);
  return startEmbeddedPostgres({
    dataDir,
    disposable: true,
    settings: { ...EPHEMERAL, ...settings },
    binDir: process.env.PG_BIN,
    log: () => {},
  });
}

/** An empty database on the test run's server, for a program that brings its own schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(async (admin, _server, name) => {
    await admin.query(`create database ${name} template template0 strategy ${COPY}`);
  });
}

/** The same with the schema in it where the run has a template: the program finds nothing to migrate, and starts sooner. */
export async function createReadyDatabase(): Promise<TestDatabase> {
  return createDatabase(async (admin, _server, name) => {
    const template = (await hasTemplate(admin)) ? templateName() : "template0";
    await admin.query(`create database ${name} template ${template} strategy ${COPY}`);
  });
}

/** Makes the template of a run, on the server of TEST_DATABASE_URL. */
export async function prepareTemplate(migrate: Migrate): Promise<void> {
  const server = process.env.TEST_DATABASE_URL!;
  await connected(server, (admin) => makeTemplate(admin, server, migrate));
}

/**
 * A fresh database, copied in some 30 ms from a template that the run, or its first caller, migrates. The server is that
 * of TEST_DATABASE_URL, which `npm test` sets; without it this process starts one for itself.
 */
export async function createTestDatabase(migrate: Migrate): Promise<TestDatabase> {
  return createDatabase(async (admin, server, name) => {
    await makeTemplate(admin, server, migrate);
    await admin.query(`create database ${name} template ${templateName()} strategy ${COPY}`);
  });
}

async function createDatabase(
  create: (admin: pg.Client, server: string, name: string) => Promise<void>,
): Promise<TestDatabase> {
  const server = process.env.TEST_DATABASE_URL ?? (await ownServer()).url;
  const name = `holdfast_test_${randomBytes(6).toString("hex")}`;
  await connected(server, (admin) => create(admin, server, name));
  const url = atDatabase(server, name);
  const drop = () =>
    connected(server, async (admin) => {
      await admin.query(`drop database if exists ${name} with (force)`);
    });
  return { url, connection: { connectionString: url }, drop, [Symbol.asyncDispose]: drop };
}

const COPY = "file_copy";

function ownServer(): Promise<EmbeddedPostgres> {
  own ??= startTestPostgres();
  return own;
}

/** The template is made under another name and renamed, so that it is whole or absent. */
async function makeTemplate(admin: pg.Client, server: string, migrate: Migrate): Promise<void> {
  await admin.query("select pg_advisory_lock($1)", [TEMPLATE_LOCK]);
  try {
    if (await hasTemplate(admin)) return;
    const half = `${templateName()}_half`;
    await admin.query(`drop database if exists ${half} with (force)`);
    await admin.query(`create database ${half} template template0`);
    await connected(atDatabase(server, half), migrate);
    await admin.query(`alter database ${half} rename to ${templateName()}`);
  } finally {
    await admin.query("select pg_advisory_unlock($1)", [TEMPLATE_LOCK]);
  }
}

async function hasTemplate(admin: pg.Client): Promise<boolean> {
  const found = await admin.query("select from pg_database where datname = $1", [templateName()]);
  return found.rowCount !== 0;
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 120_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function atDatabase(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
