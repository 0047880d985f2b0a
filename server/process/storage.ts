import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { keepRequests } from "../features/requests/upkeep.ts";
import { keepHistory } from "../features/webhooks/delivery/upkeep.ts";
import { loadKeyRing, WEBHOOK_KEYS_NAME } from "../features/webhooks/sending/keyRing.ts";
import { log, say } from "../lib/log.ts";
import { writePrivate } from "../lib/privateFile.ts";
import type { Config } from "./config.ts";
import { migrateDatabase, openDatabases, requireSessions } from "./databases.ts";
import { needsDevelopment } from "./development.ts";
import { requireKeys } from "./keyRotation.ts";
import { type LocalChain, startLocalChain } from "./local/chain.ts";
import { removeStaleReady } from "./local/ready.ts";
import { requireFreePorts } from "./ports.ts";
import type { Run } from "./run.ts";

/** True only if no chain is configured: with a real chain no part of a local run, such as its faucet, ever starts. */
const hasLocalChain = (config: Config): boolean => config.chains.length === 0;

export async function prepareFolder({ config, dataDir }: Run): Promise<undefined> {
  await mkdir(dataDir, { recursive: true });
  await removeStaleReady(dataDir);
  await requireFreePorts([
    { port: config.port, setting: "PORT" },
    ...(hasLocalChain(config)
      ? [0, 1, 2].map((offset) => ({ port: config.rpcPort + offset, setting: "RPC_PORT or PORT" }))
      : []),
  ]);
}

/** Starts both at once: each takes seconds. */
export async function startServers(run: Run): Promise<undefined> {
  [run.connection, run.local] = await Promise.all([openConnection(run), openLocalChain(run)]);
}

async function openConnection({ config, dataDir, shutdown }: Run): Promise<pg.ClientConfig> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl };
    await requireSessions(connection);
    await writePrivate(join(dataDir, "database.json"), { url: config.databaseUrl });
    return connection;
  }
  const postgres = await needsDevelopment(
    "Without DATABASE_URL the service brings its own PostgreSQL",
    async () => {
      const { startEmbeddedPostgres } = await import("@holdfast/embedded-postgres/postgres.ts");
      return startEmbeddedPostgres({ dataDir, log: say });
    },
    "set DATABASE_URL, or run npm run setup",
  );
  shutdown.add("PostgreSQL", () => postgres.stop(), postgres.exited);
  await writePrivate(join(dataDir, "database.json"), { url: postgres.url });
  return postgres.connection;
}

async function openLocalChain({ config, dataDir, shutdown }: Run): Promise<LocalChain | null> {
  if (!hasLocalChain(config)) return null;
  const local = await startLocalChain({ dataDir, rpcPort: config.rpcPort, ...config.localChain });
  shutdown.add("local chain", () => local.stop(), local.exited);
  return local;
}

/** Loads the keys; a local run makes them. Throws if a worker has none; a process that only answers needs none. */
export async function loadKeys(run: Run): Promise<undefined> {
  const { keys, keysFile } = run.config.webhooks;
  const localFile = run.local === null ? null : join(run.dataDir, WEBHOOK_KEYS_NAME);
  const isNeeded = run.config.role !== "api" || [keys, keysFile, localFile].some((one) => one !== null);
  if (isNeeded) run.ring = await loadKeyRing({ keys, keysFile, localFile });
}

export async function openStorage(run: Run): Promise<undefined> {
  const migrations = await migrateDatabase(run.connection);
  if (migrations.length > 0) say(`Database schema migrated (${migrations.join(", ")}).`);
  run.databases = openDatabases(run);
}

/** Refuses keys that are not those of the stored secrets: nothing more may be sealed with them. */
export async function checkKeys({ databases, ring }: Run): Promise<undefined> {
  if (ring !== null) await requireKeys(databases.slowDatabase, ring, log);
}

/** PostgreSQL: a lock was not free in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Makes the partitions. If it fails, their upkeep retries; until then rows go into the default partitions. */
export async function makePartitions({ config, databases, shutdown }: Run): Promise<undefined> {
  const { slowDatabase } = databases;
  const complain = (what: string) => (error: Error & { readonly code?: string }) => {
    if (shutdown.begun) return;
    const isBusy = error.code === LOCK_NOT_AVAILABLE;
    log(`The partitions of ${what} could not be created${isBusy ? " yet" : ""}.`, error, isBusy ? "warn" : "error");
  };
  const { retentionDays } = config.webhooks;
  await keepHistory({ database: slowDatabase, retentionDays, log }).catch(complain("the coming days"));
  await keepRequests(slowDatabase, log).catch(complain("the request log"));
}
