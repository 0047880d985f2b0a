import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { keepRequests } from "../features/requests/upkeep.ts";
import { keepHistory } from "../features/webhooks/delivery/upkeep.ts";
import { loadKeyRing, WEBHOOK_KEYS_NAME } from "../features/webhooks/sending/keyRing.ts";
import type { KeyRing } from "../features/webhooks/sending/secret.ts";
import { log, say } from "../lib/log.ts";
import { writePrivate } from "../lib/privateFile.ts";
import { DatabaseUnavailableError } from "../store/unavailable.ts";
import type { Config } from "./config.ts";
import type { Databases } from "./context.ts";
import { migrateDatabase, openDatabases, requireSessions } from "./databases.ts";
import { needsDevelopment } from "./development.ts";
import { requireKeys, requireSealable } from "./keyRotation.ts";
import { type LocalChain, startLocalChain } from "./local/chain.ts";
import { removeStaleReady } from "./local/ready.ts";
import { requireFreePorts } from "./ports.ts";
import type { Run } from "./run.ts";

/** True only if no chain is configured: with a real chain no part of a local run, such as its faucet, ever starts. */
const hasLocalChain = (config: Config): boolean => config.chains.length === 0;

export async function prepareFolder({ config, dataDir }: Run): Promise<void> {
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
export async function startServers(run: Run) {
  const [connection, local] = await Promise.all([openConnection(run), openLocalChain(run)]);
  return { connection, local };
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
export async function loadKeys({ config, dataDir, isWorker }: Run): Promise<KeyRing | null> {
  const { keys, keysFile } = config.webhooks;
  const localFile = hasLocalChain(config) ? join(dataDir, WEBHOOK_KEYS_NAME) : null;
  const isNeeded = isWorker || [keys, keysFile, localFile].some((one) => one !== null);
  return isNeeded ? loadKeyRing({ keys, keysFile, localFile }) : null;
}

export async function openStorage(run: Run, connection: pg.ClientConfig): Promise<Databases> {
  const migrations = await migrateDatabase(connection);
  if (migrations.length > 0) say(`Database schema migrated (${migrations.join(", ")}).`);
  return openDatabases(run, connection);
}

/**
 * Returns the keys if they are those of the stored secrets. A worker needs them. A process that answers goes on without,
 * and seals nothing.
 */
export async function checkKeys(
  { isWorker }: Run,
  { slowDatabase }: Databases,
  ring: KeyRing | null,
): Promise<KeyRing | null> {
  if (ring === null) return null;
  try {
    await (isWorker ? requireKeys(slowDatabase, ring, log) : requireSealable(slowDatabase, ring));
    return ring;
  } catch (error) {
    if (isWorker || error instanceof DatabaseUnavailableError) throw error;
    log("This process seals and signs nothing: its keys of WEBHOOK_KEYS_FILE are wrong.", error);
    return null;
  }
}

/** PostgreSQL: a lock was not free in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Makes the partitions. If it fails, their upkeep retries; until then rows go into the default partitions. */
export async function makePartitions({ config, shutdown }: Run, { slowDatabase }: Databases): Promise<void> {
  const complain = (what: string) => (error: Error & { readonly code?: string }) => {
    if (shutdown.begun) return;
    const isBusy = error.code === LOCK_NOT_AVAILABLE;
    log(`The partitions of ${what} could not be created${isBusy ? " yet" : ""}.`, error, isBusy ? "warn" : "error");
  };
  await keepHistory({ database: slowDatabase, log }, config.webhooks.retentionDays).catch(complain("the coming days"));
  await keepRequests(slowDatabase, log).catch(complain("the request log"));
}
