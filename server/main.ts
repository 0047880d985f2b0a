import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { startEmbeddedPostgres } from "@holdfast/embedded-postgres/postgres.ts";
import type pg from "pg";
import { overviewFigures } from "./app/figures.ts";
import { purgeAnswers } from "./edge/http/idempotency.ts";
import { createMetrics } from "./edge/http/metrics.ts";
import type { Chain } from "./features/chains/chain.ts";
import { nodesFigure } from "./features/chains/figures.ts";
import type { ChainHeads } from "./features/chains/head.ts";
import { joinChain } from "./features/chains/join.ts";
import { setClockAhead } from "./features/chains/queries.ts";
import { recheckDomains } from "./features/domains/actions.ts";
import { droppedFigure, RequestRecorder } from "./features/requests/recorder.ts";
import { keepRequests } from "./features/requests/upkeep.ts";
import type { Sealing } from "./features/staff/deps.ts";
import { signInFigure } from "./features/staff/signIn/outcomes.ts";
import { hasUsers } from "./features/staff/signIn/queries.ts";
import { purgeStaff } from "./features/staff/users.ts";
import { loadKeyRing, WEBHOOK_KEYS_NAME } from "./features/webhooks/endpoints/keyRing.ts";
import { type KeyRing, openSecret, sealSecret } from "./features/webhooks/endpoints/secret.ts";
import { createNotifier } from "./features/webhooks/queue/notify.ts";
import { keepHistory } from "./features/webhooks/queue/upkeep.ts";
import { armFailpoint } from "./lib/failpoint.ts";
import { Listeners } from "./lib/listeners.ts";
import { complain, log, say, setLogFormat } from "./lib/log.ts";
import { startLoop } from "./lib/loop.ts";
import { writePrivate } from "./lib/privateFile.ts";
import { type ChainSettings, draftChainSettings } from "./process/chainSettings.ts";
import { type Config, ConfigError, readConfig } from "./process/config.ts";
import {
  type DatabaseDeps,
  migrateDatabase,
  openDatabases,
  openWebhookDatabases,
  requireSessions,
} from "./process/databases.ts";
import { openDomainLookups } from "./process/domainLookups.ts";
import { startHttpServer } from "./process/httpServer.ts";
import { type LocalChain, startLocalChain, whileItLives } from "./process/local/chain.ts";
import { openDemo } from "./process/local/demo.ts";
import { openDemoLogin } from "./process/local/demoLogin.ts";
import { announceLocalRun, removeStaleReady } from "./process/local/ready.ts";
import { localSponsor } from "./process/local/sponsor.ts";
import {
  startBalanceWatch,
  startChainLoops,
  startDeploymentWatch,
  startHeadPoll,
  startWebhooks,
} from "./process/loops.ts";
import { openChain } from "./process/openChain.ts";
import { requireFreePorts } from "./process/ports.ts";
import { Shutdown } from "./process/shutdown.ts";
import type { Database } from "./store/database.ts";

const JOIN_MS = 10_000;
const RECHECK_MS = 60_000;
/** How soon a domain is looked at once it is due. */
const DOMAINS_MS = 30_000;
const PURGE_MS = 60_000;
const UPKEEP_MS = 3_600_000;

async function start(config: Config, shutdown: Shutdown): Promise<void> {
  const dataDir = resolve(config.dataDir);
  await mkdir(dataDir, { recursive: true });
  await removeStaleReady(dataDir);
  await requireFreePorts([
    { port: config.port, setting: "PORT" },
    ...(hasLocalChain(config)
      ? [0, 1, 2].map((offset) => ({ port: config.rpcPort + offset, setting: "RPC_PORT or PORT" }))
      : []),
  ]);
  const [connection, local] = await Promise.all([
    openConnection(config, dataDir, shutdown),
    openLocalChain(config, dataDir, shutdown),
  ]);
  shutdown.check();

  // Before the schema moves: a worker that will be refused changes nothing.
  if (config.role !== "api" && local === null) await loadKeyRing({ ...config.webhooks, localFile: null });
  const migrations = await migrateDatabase(connection);
  if (migrations.length > 0) say(`Database schema brought up to date (${migrations.join(", ")}).`);
  const eventsRecorded = new Listeners<readonly string[]>();
  const databaseDeps = { connection, planMode: config.databasePlanMode, onEventsRecorded: eventsRecorded.call };
  const databases = openDatabases(databaseDeps, shutdown);
  const { database, slowDatabase } = databases;

  // The upkeep of webhooks tries again; until then rows go into the default partitions.
  await keepHistory({ database: slowDatabase, retentionDays: config.webhooks.retentionDays, log }).catch(
    (error: unknown) => {
      if (!shutdown.begun) log("The partitions of the coming days could not be made.", error);
    },
  );
  shutdown.check();
  if (config.role === "api") eventsRecorded.add(createNotifier(slowDatabase, log));
  else {
    const localKeysFile = local === null ? null : join(dataDir, WEBHOOK_KEYS_NAME);
    if (config.held.size > 0)
      log(`HOLD is set: ${[...config.held].join(" and ")} do nothing in this process.`, undefined, "warn");
    eventsRecorded.add(await openWebhooks(config, databaseDeps, localKeysFile, shutdown));
  }

  const settings = chainSettings(config, local);
  const chains = await joinChains(settings, local, database);
  const settingsOf = (chain: Chain) => settings.find(({ environment }) => environment === chain.environment)!;
  const demo = local === null ? null : await openDemo(database, dataDir);

  await keepRequests(slowDatabase, log).catch((error: unknown) =>
    log("The partitions of the request log could not be made.", error),
  );
  const lookups = await openDomainLookups(config.webhooks);
  shutdown.add("look-ups of domains", async () => lookups.close());
  if (config.role !== "api") {
    const upkeep = startLoop("upkeep of the request log", UPKEEP_MS, () => keepRequests(slowDatabase, log), log);
    shutdown.add("upkeep of the request log", () => upkeep.stop());
    const purge = startLoop("purge", PURGE_MS, () => purgeAnswers(slowDatabase), log);
    shutdown.add("purge", () => purge.stop());
    const purgeOfStaff = startLoop("purge of sessions", PURGE_MS, () => purgeStaff(slowDatabase), log);
    shutdown.add("purge of sessions", () => purgeOfStaff.stop());
    // It asks servers of others, which a copy of a deployment leaves alone.
    if (!config.held.has("webhooks")) {
      const looks = { database: slowDatabase, ...lookups };
      for (const [name, lane] of [
        ["domains", "quick"],
        ["slow domains", "slow"],
      ] as const) {
        const loop = startLoop(name, DOMAINS_MS, (signal) => recheckDomains(looks, lane, signal), log);
        shutdown.add(name, () => loop.stop());
      }
    }
  }
  const heads: ChainHeads = new Map();
  for (const chain of chains) {
    const poll = startHeadPoll(chain, heads, settingsOf(chain).sweepMs, log);
    shutdown.add(`${chain.environment} head`, () => poll.stop());
    const watch = startDeploymentWatch({ database: slowDatabase, chain, log });
    shutdown.add(`${chain.environment} deployment`, () => watch.stop());
    if (config.role === "worker" || chain.sponsor === null) continue;
    const sponsors = startBalanceWatch(chain.environment, chain.sponsor, log);
    shutdown.add(`${chain.environment} sponsors`, () => sponsors.stop());
  }
  if (config.role !== "api")
    for (const chain of chains) startWork(config, slowDatabase, settingsOf(chain), chain, shutdown);
  const isWorker = config.role === "worker";
  const requestLog =
    config.requestLog === null || isWorker ? null : new RequestRecorder(slowDatabase, log, config.requestLog);
  if (requestLog !== null) shutdown.add("request log", () => requestLog.stop());
  const figures = [
    ...overviewFigures(slowDatabase, chains, config.held),
    nodesFigure(heads),
    ...(requestLog === null ? [] : [droppedFigure(requestLog)]),
    ...(isWorker ? [] : [signInFigure]),
  ];
  const metrics = createMetrics(figures, await readVersion());
  const played = local !== null && demo !== null ? { chain: local, testKey: demo.testKey } : null;
  const ring = await loadRing(config, dataDir, local !== null);
  await startHttpServer(
    {
      config,
      ...databases,
      chains,
      heads,
      demo: played,
      metrics,
      eventsRecorded,
      requestLog,
      lookups,
      ring,
      sealing: sealingOf(ring),
    },
    shutdown,
  );
  if (local === null || demo === null) {
    const what = isWorker ? "worker; /healthz and /readyz answer" : `${config.apiUrl} answers`;
    say(`Ready: ${what} on port ${config.port}.`);
    if (!isWorker && !(await hasUsers(database)))
      say("The dashboard has no user yet. The link to make the first:  npm run admin -- user first-link");
    return;
  }
  const { apiUrl, checkoutUrl, dashboardUrl } = config;
  const dashboardLogin = await openDemoLogin(database, dataDir, demo.business);
  const run = {
    dataDir,
    apiUrl,
    checkoutUrl,
    dashboardUrl,
    dashboardLogin,
    controlPort: config.rpcPort + 2,
    chain: local,
    demo,
    database,
    port: config.port,
  };
  const announced = await announceLocalRun(run);
  shutdown.add("controls", announced.stop);
  // A sign-in and a key, for the terminal alone: logs in JSON are kept.
  say(
    config.logFormat === "json"
      ? `Holdfast is ready; ${join(dataDir, "ready.json")} has its addresses.`
      : announced.text,
  );
}

/** The keys of webhook secrets; null: this process has none. */
async function loadRing(config: Config, dataDir: string, isLocal: boolean): Promise<KeyRing | null> {
  const { keys, keysFile } = config.webhooks;
  if (keys === null && keysFile === null && !isLocal) return null;
  return loadKeyRing({ keys, keysFile, localFile: isLocal ? join(dataDir, WEBHOOK_KEYS_NAME) : null });
}

/** Seals what users keep here under the keys of webhook secrets. */
const sealingOf = (ring: KeyRing | null): Sealing | null =>
  ring && {
    seal: (boundTo, text) => sealSecret(ring, boundTo, text),
    open: (boundTo, sealed) => openSecret(ring, boundTo, sealed),
  };

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  return version;
}

/** Only where no chain is configured: with a real chain no part of a local run, such as its faucet, ever starts. */
const hasLocalChain = (config: Config): boolean => config.chains.length === 0;

async function openConnection(config: Config, dataDir: string, shutdown: Shutdown): Promise<pg.ClientConfig> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl };
    await requireSessions(connection);
    await writePrivate(join(dataDir, "database.json"), { url: config.databaseUrl });
    return connection;
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log: say });
  shutdown.add("PostgreSQL", () => postgres.stop(), postgres.exited);
  await writePrivate(join(dataDir, "database.json"), { url: postgres.url });
  return postgres.connection;
}

async function openLocalChain(config: Config, dataDir: string, shutdown: Shutdown): Promise<LocalChain | null> {
  if (!hasLocalChain(config)) return null;
  const local = await startLocalChain({
    dataDir,
    rpcPort: config.rpcPort,
    ...config.localChain,
  });
  shutdown.add("local chain", () => local.stop(), local.exited);
  return local;
}

/** The configured chains, or the local one, without keys that this process has no use for, or that it must not use. */
const chainSettings = (config: Config, local: LocalChain | null): readonly ChainSettings[] =>
  (local === null ? config.chains : [localSettings(local, config.localChain.slotMs)]).map((one) => ({
    ...one,
    keeper: config.held.has("keeper") || config.role === "api" ? null : one.keeper,
    sponsor: config.held.has("keeper") ? null : one.sponsor,
  }));

/** Tests have slots of 40 ms. To poll that often is idle work, since the chain's subscription announces activity at once. */
const LOCAL_SWEEP_MS_MIN = 100;

const localSettings = (local: LocalChain, slotMs: number): ChainSettings =>
  draftChainSettings({
    rpcUrls: [local.rpcUrl],
    wsUrls: [local.wsUrl],
    programId: local.programId,
    operator: local.operator,
    arbiterName: "Demo arbiter",
    sweepMs: Math.max(slotMs, LOCAL_SWEEP_MS_MIN),
    keeper: { keyFile: join(local.walletsDir, "keeper.json") },
    sponsor: localSponsor(local),
  });

async function joinChains(
  settings: readonly ChainSettings[],
  local: LocalChain | null,
  database: Database,
): Promise<Chain[]> {
  if (local !== null) await setClockAhead(database, local.offsetMs);
  return await Promise.all(
    settings.map(async (one) => {
      const chain = await openChain(one, log);
      const join = () => joinChain({ database, chain, log }, AbortSignal.timeout(JOIN_MS));
      await (local === null ? join() : whileItLives(local.exited, join));
      return chain;
    }),
  );
}

function startWork(
  config: Config,
  database: Database,
  { sweepMs, revertSlots, revertApartMs }: ChainSettings,
  chain: Chain,
  shutdown: Shutdown,
): void {
  const loops = startChainLoops(
    {
      database,
      checkoutUrl: config.checkoutUrl,
      log,
      commitment: config.bindCommitment,
      sweepMs,
      recheckMs: RECHECK_MS,
      revertRule: { slots: revertSlots, apartMs: revertApartMs },
    },
    chain,
  );
  shutdown.add(`${chain.environment} loops`, () => loops.stop());
}

/** Delivers events from now on. Answers with the function that wakes the worker for events just recorded. */
async function openWebhooks(
  config: Config,
  deps: DatabaseDeps,
  localKeysFile: string | null,
  shutdown: Shutdown,
): Promise<(businessIds: readonly string[]) => void> {
  const { close, ...databases } = openWebhookDatabases(deps);
  const webhooks = await startWebhooks({
    ...databases,
    settings: config.webhooks,
    isHeld: config.held.has("webhooks"),
    localKeysFile,
    log,
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  shutdown.add("webhook deliveries", () => webhooks.stop().finally(close));
  return webhooks.wake;
}

async function main(): Promise<void> {
  const shutdown = new Shutdown(log);
  try {
    // An error in the settings is a line of JSON too.
    if (process.env.LOG_FORMAT === "json") setLogFormat("json");
    const config = readConfig(process.env);
    setLogFormat(config.logFormat);
    if (config.holdfastFailpoint !== null) armFailpoint(config.holdfastFailpoint);
    await start(config, shutdown);
  } catch (error) {
    if (error instanceof ConfigError) complain(`Correct these settings:\n${error.message}`);
    else if (!shutdown.begun)
      complain(`Holdfast could not start: ${error instanceof Error ? error.message : String(error)}`);
    await shutdown.run(1);
  }
}

await main();
