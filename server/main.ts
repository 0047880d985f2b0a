import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import pg from "pg";
import { ChainUnavailable } from "./chain/port.ts";
import { openChain } from "./chains.ts";
import { type Config, ConfigProblem, readConfig } from "./config.ts";
import type { Environment } from "./domain/terms.ts";
import { registerHealth } from "./edge/health.ts";
import { registerMerchantApi } from "./edge/merchant/api.ts";
import { Idempotency, purgeAnswers } from "./edge/merchant/idempotency.ts";
import { registerReference } from "./edge/merchant/reference.ts";
import { registerMetrics } from "./edge/metrics.ts";
import { createServer } from "./edge/server.ts";
import type { Chain } from "./features/chains/chain.ts";
import { joinChain } from "./features/chains/join.ts";
import { setClockAhead } from "./features/chains/queries.ts";
import { createTermsCheck } from "./features/chains/terms.ts";
import { registerCheckout } from "./features/checkout/buyer.ts";
import { EventWaiting } from "./features/events/waiting.ts";
import { overviewFigures } from "./features/overview/figures.ts";
import { QUEUE_PLANNING } from "./features/webhooks/claims.ts";
import { WEBHOOK_KEYS_NAME } from "./features/webhooks/keys.ts";
import { keepHistory } from "./features/webhooks/upkeep.ts";
import { createNotifier } from "./features/webhooks/waking.ts";
import { armFailpoint } from "./lib/failpoint.ts";
import { log } from "./lib/log.ts";
import { startLoop } from "./lib/loop.ts";
import { BATCHES_MAX, WAITING_MAX } from "./limits.ts";
import { type LocalChain, startLocalChain } from "./local/chain.ts";
import { openDemo, writePrivate } from "./local/demo.ts";
import { announceLocalRun } from "./local/ready.ts";
import { startChainLoops, startWebhooks } from "./loops.ts";
import { requireFreePorts } from "./ports.ts";
import { describeRoutes, merchantRoutes } from "./routes.ts";
import { Shutdown } from "./shutdown.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./store/database.ts";
import { startEmbeddedPostgres } from "./store/embedded/postgres.ts";
import { SessionLocks } from "./store/locks.ts";
import { migrate } from "./store/migrate.ts";
import { sql } from "./store/sql.ts";

const JOIN_MS = 10_000;
const RECHECK_MS = 60_000;
const PURGE_MS = 60_000;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function start(config: Config, shutdown: Shutdown): Promise<void> {
  const dataDir = resolve(config.dataDir);
  await mkdir(dataDir, { recursive: true });
  await requireFreePorts([
    { port: config.port, setting: "PORT" },
    ...(isLocal(config)
      ? [0, 1, 2].map((offset) => ({ port: config.rpcPort + offset, setting: "RPC_PORT or PORT" }))
      : []),
  ]);
  const [connection, local] = await Promise.all([
    openConnection(config, dataDir, shutdown),
    openLocalChain(config, dataDir, shutdown),
  ]);
  shutdown.check();

  await migrateDatabase(connection);
  let onTold = (_businessIds: readonly string[]): void => undefined;
  const opening = { connection, log, onTold: (businessIds: readonly string[]) => onTold(businessIds) };
  const database = openDatabase({ ...opening, connectionsMax: 16, statementTimeoutMs: 5_000 });
  const slowDatabase = openDatabase({ ...opening, connectionsMax: 8, statementTimeoutMs: 15_000 });
  shutdown.add("database", () => Promise.all([database.close(), slowDatabase.close()]));

  // Tried again by the upkeep of webhooks; until then the default partitions take what comes.
  await keepHistory({ database: slowDatabase, retentionDays: config.webhooks.retentionDays, log }).catch(
    (error: unknown) => log("The partitions of the coming days could not be made.", error),
  );
  if (config.role === "api") onTold = createNotifier(slowDatabase);
  else onTold = await openWebhooks(config, opening, local === null ? null : join(dataDir, WEBHOOK_KEYS_NAME), shutdown);

  const chains = await joinChains(config, local, database);
  const chainOf = (environment: Environment): Chain => {
    const chain = chains.find((one) => one.environment === environment);
    // Keys outlive a chain's settings: what needs no chain still works for them.
    if (chain === undefined) throw new ChainUnavailable(`No chain is configured for ${environment}.`);
    return chain;
  };
  const demo = local === null ? null : await openDemo(database, dataDir);

  if (config.role !== "api") {
    const purge = startLoop("purge", PURGE_MS, () => purgeAnswers(slowDatabase), log);
    shutdown.add("purge", () => purge.stop());
  }
  if (config.role !== "api") for (const chain of chains) startWork(config, slowDatabase, chain, shutdown);
  const app = createServer();
  const waiting = new EventWaiting(slowDatabase);
  registerHealth(app, [
    { name: "database", check: () => database.row(sql`select 1 as ok`) },
    ...chains.map((chain) => ({
      name: `${chain.environment} chain`,
      check: (signal: AbortSignal) => chain.reader.readHead({ signal }),
    })),
  ]);
  registerMetrics(app, overviewFigures(slowDatabase, chains), config.metricsToken);
  if (config.role !== "worker") {
    const locks = new SessionLocks(database);
    shutdown.add("locks", () => locks.close());
    const batching = { itemsMax: config.batchItemsMax, batchesMax: BATCHES_MAX, waitingMax: WAITING_MAX };
    const shared = { database, slowDatabase, batching, checkoutUrl: config.checkoutUrl };
    const routes = merchantRoutes({
      ...shared,
      lifetimeMs: config.intentLifetimeMs,
      checkTerms: createTermsCheck({ database, chainOf, allowedMints: config.allowedMints }),
      commitment: config.bindCommitment,
      readerOf: (environment) => chainOf(environment).reader,
      waiting,
    });
    registerMerchantApi(app, {
      database,
      batching,
      bodyWaitMs: config.bodyWaitMs,
      idempotency: new Idempotency(database, locks),
      logError: log,
      routes,
    });
    registerReference(app, describeRoutes(routes), config.apiUrl);
    registerCheckout(app, { database, localChain: local !== null });
  }
  shutdown.add("HTTP server", () => {
    waiting.stop();
    return app.close();
  });
  await app.listen({ host: config.host, port: config.port });
  if (local === null || demo === null) {
    const what = config.role === "worker" ? "worker; /healthz and /readyz answer" : `${config.apiUrl} answers`;
    return say(`Ready: ${what} on port ${config.port}.`);
  }
  const { apiUrl, checkoutUrl } = config;
  const run = { dataDir, apiUrl, checkoutUrl, controlPort: config.rpcPort + 2, chain: local, demo, database };
  const announced = await announceLocalRun(run);
  shutdown.add("controls", announced.stop);
  say(announced.text);
}

/** Where no chain is set at all; beside a real one nothing of a local run, such as its faucet, ever starts. */
const isLocal = (config: Config): boolean => config.chains.length === 0;

async function openConnection(config: Config, dataDir: string, shutdown: Shutdown): Promise<pg.ClientConfig> {
  if (config.databaseUrl !== null) {
    await writePrivate(join(dataDir, "database.json"), { url: config.databaseUrl });
    return { connectionString: config.databaseUrl };
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log: say });
  shutdown.add("PostgreSQL", () => postgres.stop(), postgres.exited);
  await writePrivate(join(dataDir, "database.json"), { url: postgres.url });
  return postgres.connection;
}

async function openLocalChain(config: Config, dataDir: string, shutdown: Shutdown): Promise<LocalChain | null> {
  if (!isLocal(config)) return null;
  const local = await startLocalChain({
    dataDir,
    rpcPort: config.rpcPort,
    slotMs: config.localSlotMs,
    finalizedSlots: config.localFinalizedSlots,
  });
  shutdown.add("local chain", () => local.stop(), local.exited);
  return local;
}

async function migrateDatabase(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  // What breaks it fails the query under way, which says so.
  client.on("error", () => undefined);
  await client.connect().catch((error: Error) => {
    throw new Error(`The database cannot be reached: ${error.message}. Check DATABASE_URL.`, { cause: error });
  });
  try {
    const ran = await migrate(client);
    if (ran.length > 0) say(`Database schema brought up to date (${ran.join(", ")}).`);
  } finally {
    await client.end();
  }
}

async function joinChains(config: Config, local: LocalChain | null, database: Database): Promise<Chain[]> {
  const settings = [...config.chains];
  if (local !== null) {
    settings.push({
      environment: "test",
      rpcUrls: [local.rpcUrl],
      wsUrls: [local.wsUrl],
      programId: local.programId,
      operator: local.operator,
      keeperKeyFile: join(local.walletsDir, "keeper.json"),
    });
    await setClockAhead(database, local.offsetMs);
  }
  const chains = await Promise.all(settings.map((one) => openChain(one, log)));
  for (const chain of chains) await joinChain(database, chain, AbortSignal.timeout(JOIN_MS));
  return chains;
}

function startWork(config: Config, database: Database, chain: Chain, shutdown: Shutdown): void {
  const sweepMs = isLocal(config) ? config.localSlotMs : config.sweepMs;
  const loops = startChainLoops(
    {
      database,
      checkoutUrl: config.checkoutUrl,
      log,
      commitment: config.bindCommitment,
      sweepMs,
      recheckMs: RECHECK_MS,
      revertRule: config.revertRule,
    },
    chain,
  );
  shutdown.add(`${chain.environment} loops`, () => loops.stop());
}

/** Delivers events from now on; answers with what wakes it after a commit. */
async function openWebhooks(
  config: Config,
  opening: Pick<DatabaseOptions, "connection" | "log" | "onTold">,
  localKeysFile: string | null,
  shutdown: Shutdown,
): Promise<(businessIds: readonly string[]) => void> {
  // Of their own, so that no list or sweep makes a delivery wait.
  const connection = { ...opening.connection, options: QUEUE_PLANNING };
  const database = openDatabase({ ...opening, connection, connectionsMax: 4, statementTimeoutMs: 15_000 });
  const webhooks = await startWebhooks({ database, settings: config.webhooks, localKeysFile, log }).catch(
    async (error: unknown) => {
      await database.close();
      throw error;
    },
  );
  shutdown.add("webhook deliveries", () => webhooks.stop().finally(() => database.close()));
  return webhooks.wake;
}

async function main(): Promise<void> {
  const shutdown = new Shutdown(log);
  try {
    const config = readConfig(process.env);
    if (config.failpoint !== null) armFailpoint(config.failpoint);
    await start(config, shutdown);
  } catch (error) {
    if (error instanceof ConfigProblem) process.stderr.write(`These settings need mending:\n${error.message}\n`);
    else if (!shutdown.begun)
      process.stderr.write(`Holdfast could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    await shutdown.run(1);
  }
}

await main();
