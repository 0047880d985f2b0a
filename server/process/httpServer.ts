import type pg from "pg";
import { ChainUnavailableError } from "../chain/port.ts";
import { BATCHES_MAX, CONNECTIONS_MAX, SLOW_CONNECTIONS_MAX, WAITING_MAX, WAITING_MS_MAX } from "../domain/limits.ts";
import type { Environment } from "../domain/terms.ts";
import { registerHealth } from "../edge/http/health.ts";
import { Idempotency } from "../edge/http/idempotency.ts";
import { type Metrics, registerMetrics } from "../edge/http/metrics.ts";
import { createServer } from "../edge/http/server.ts";
import { registerMerchantApi } from "../edge/merchant/api.ts";
import { MERCHANT_PREFIX } from "../edge/merchant/description.ts";
import { registerReference } from "../edge/merchant/reference.ts";
import type { Chain } from "../features/chains/chain.ts";
import { createTermsCheck } from "../features/chains/terms.ts";
import { registerCheckout } from "../features/checkout/buyer.ts";
import { EventWaiting } from "../features/events/longPoll.ts";
import { log } from "../lib/log.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { SessionLocks } from "../store/locks.ts";
import { KEYED_PLANNING, ORDERED_PLANNING } from "../store/planning.ts";
import { sql } from "../store/sql.ts";
import type { Config } from "./config.ts";
import { describeRoutes, merchantRoutes } from "./routes.ts";
import type { Shutdown } from "./shutdown.ts";

export interface Databases {
  readonly database: Database;
  /** Of its own connections, so that no list, sweep or figure makes a request wait. */
  readonly slowDatabase: Database;
}

export interface Opening {
  readonly connection: pg.ClientConfig;
  /** Called with the businesses of events, once a statement that recorded some has committed. */
  readonly onEventsRecorded: (businessIds: readonly string[]) => void;
}

export function openDatabases({ connection, onEventsRecorded }: Opening, shutdown: Shutdown): Databases {
  const open = (connections: number, statementTimeoutMs: number, planning: string) =>
    openDatabase({
      connection: { ...connection, options: planning },
      log,
      onAnnounced: onEventsRecorded,
      connectionsMax: connections,
      statementTimeoutMs,
    });
  const database = open(CONNECTIONS_MAX, 5_000, KEYED_PLANNING);
  const slowDatabase = open(SLOW_CONNECTIONS_MAX, 15_000, ORDERED_PLANNING);
  shutdown.add("database", () => Promise.all([database.close(), slowDatabase.close()]));
  return { database, slowDatabase };
}

export interface Answering extends Databases {
  readonly config: Config;
  readonly chains: readonly Chain[];
  /** Whether the local chain stands in, where `npm run pay` plays the buyer. */
  readonly isLocal: boolean;
  readonly metrics: Metrics;
}

/** Opens the HTTP doors of this process, and listens: health and figures always, the API and its pages unless it is a worker. */
export async function startAnswering(answering: Answering, shutdown: Shutdown): Promise<void> {
  const { config, database, slowDatabase, chains, isLocal, metrics } = answering;
  const chainOf = (environment: Environment): Chain => {
    const chain = chains.find((one) => one.environment === environment);
    // Keys outlive a chain's settings: what needs no chain still works for them.
    if (chain === undefined) throw new ChainUnavailableError(`No chain is configured for ${environment}.`);
    return chain;
  };
  const { app, connections } = createServer([MERCHANT_PREFIX]);
  const locks = new SessionLocks(database);
  shutdown.add("locks", () => locks.close());
  const waiting = new EventWaiting(slowDatabase, locks);
  registerHealth(app, [
    { name: "database", check: () => database.row(sql`select 1 as ok`) },
    ...chains.map((chain) => ({
      name: `${chain.environment} chain`,
      check: (signal: AbortSignal) => chain.reader.fetchHead({ signal }),
    })),
  ]);
  registerMetrics(app, metrics, config.metricsToken);
  if (config.role !== "worker") {
    const batching = {
      itemsMax: config.batchItemsMax,
      batchesMax: BATCHES_MAX,
      waitingMax: WAITING_MAX,
      waitMsMax: WAITING_MS_MAX,
    };
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
    registerCheckout(app, { database, localChain: isLocal });
  }
  shutdown.add("HTTP server", async () => {
    waiting.stop();
    await connections.drain(() => app.close());
  });
  await app.listen({ host: config.host, port: config.port });
}
