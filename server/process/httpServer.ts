import type { FastifyInstance } from "fastify";
import { describeRoutes, merchantRoutes } from "../app/merchantRoutes.ts";
import { ChainUnavailableError } from "../chain/port.ts";
import { BATCHES_MAX, WAITING_MAX, WAITING_MS_MAX } from "../domain/limits.ts";
import type { Environment } from "../domain/terms.ts";
import { registerBuyerDoor } from "../edge/buyer/door.ts";
import { registerFrontPage } from "../edge/html/frontPage.ts";
import { registerHealth } from "../edge/http/health.ts";
import { Idempotency } from "../edge/http/idempotency.ts";
import { type Metrics, registerMetrics } from "../edge/http/metrics.ts";
import { guardAddresses } from "../edge/http/publicAddress.ts";
import { logRequests } from "../edge/http/requestLine.ts";
import { createServer } from "../edge/http/server.ts";
import { registerMerchantApi } from "../edge/merchant/api.ts";
import { MERCHANT_PREFIX } from "../edge/merchant/description.ts";
import { registerReference } from "../edge/merchant/reference.ts";
import { isStaffRoute } from "../edge/staff/dashboard.ts";
import { STAFF_PREFIX } from "../edge/staff/description.ts";
import { type Chain, isHeld, type TermsCheck } from "../features/chains/chain.ts";
import type { ChainHeads } from "../features/chains/head.ts";
import { createTermsCheck } from "../features/chains/terms.ts";
import { registerCheckoutPage } from "../features/checkout/page/buyer.ts";
import type { LiveStates } from "../features/checkout/page/liveStates.ts";
import { payingRoutes } from "../features/checkout/paying/buyer.ts";
import type { DomainCheckDeps } from "../features/domains/check.ts";
import { EventWaiting } from "../features/events/longPoll.ts";
import { admitRequests } from "../features/keys/admission.ts";
import type { RequestRecorder } from "../features/requests/recorder.ts";
import { loggedRequest } from "../features/requests/request.ts";
import type { Sealing } from "../features/staff/deps.ts";
import type { KeyRing } from "../features/webhooks/endpoints/secret.ts";
import type { Listeners } from "../lib/listeners.ts";
import { log } from "../lib/log.ts";
import { SessionLocks } from "../store/locks.ts";
import { sql } from "../store/sql.ts";
import { buildCheckoutScript } from "./checkoutScript.ts";
import type { Config } from "./config.ts";
import type { Databases } from "./databases.ts";
import { type DemoPagesDeps, registerDemoPages } from "./local/demoPages.ts";
import { settingWarnings } from "./settingWarnings.ts";
import type { Shutdown } from "./shutdown.ts";
import { openStaff } from "./staff.ts";

export interface HttpServerDeps extends Databases {
  readonly config: Config;
  readonly chains: readonly Chain[];
  readonly heads: ChainHeads;
  /** The local chain that stands in for `test`, with its demo business; null: it is a real one, and nothing plays. */
  readonly demo: DemoPagesDeps["demo"] | null;
  readonly metrics: Metrics;
  /** Calls with the businesses for which this process recorded events. */
  readonly eventsRecorded: Listeners<readonly string[]>;
  /** Null: the deployment has no keys to keep secrets under. */
  readonly sealing: Sealing | null;
  readonly ring: KeyRing | null;
  readonly lookups: DomainCheckDeps;
  /** Null: requests are not logged. */
  readonly requestLog: RequestRecorder | null;
}

/** Opens the doors of this process and listens: health and figures always, the API and its pages unless it is a worker. */
export async function startHttpServer(deps: HttpServerDeps, shutdown: Shutdown): Promise<void> {
  const { config, database, slowDatabase, chains, metrics } = deps;
  const { app, connections } = createServer([MERCHANT_PREFIX, STAFF_PREFIX]);
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
  if (config.logRequests) logRequests(app);
  const { checkoutUrl, dashboardUrl } = config;
  guardAddresses(
    app,
    [
      { url: checkoutUrl, owns: (route) => route.startsWith("/pay/") },
      { url: dashboardUrl, owns: (route) => isStaffRoute(route, dashboardUrl) },
    ],
    config.apiUrl,
  );
  let live: LiveStates | null = null;
  if (config.role !== "worker") {
    const chainOf = chainFinder(chains);
    const checkTerms = createTermsCheck({
      database,
      chainOf,
      operatorOf: (environment) => chains.find((one) => one.environment === environment)?.operator ?? null,
      allowedMints: new Set(config.allowedMints),
    });
    live = await registerApi(app, { ...deps, chainOf, checkTerms }, locks, waiting);
    openStaff(app, { ...deps, chainOf, checkTerms, locks, isLocal: deps.demo !== null }, shutdown);
  }
  shutdown.add("HTTP server", async () => {
    waiting.stop();
    await live?.stop();
    await connections.drain(() => app.close());
  });
  await app.listen({ host: config.host, port: config.port });
}

type ChainOf = (environment: Environment) => Chain;

const chainFinder =
  (chains: readonly Chain[]): ChainOf =>
  (environment) => {
    const chain = chains.find((one) => one.environment === environment);
    // Keys stay valid when the settings of their chain are removed: operations that need no chain still work for them.
    if (chain === undefined) throw new ChainUnavailableError(`No chain is configured for ${environment}.`);
    return chain;
  };

/** The merchant API, its reference, and the checkout. */
async function registerApi(
  app: FastifyInstance,
  deps: HttpServerDeps & { readonly chainOf: ChainOf; readonly checkTerms: TermsCheck },
  locks: SessionLocks,
  waiting: EventWaiting,
): Promise<LiveStates> {
  const { config, database, slowDatabase, chains, chainOf, checkTerms, demo, requestLog } = deps;
  const batching = {
    itemsMax: config.batchItemsMax,
    batchesMax: BATCHES_MAX,
    waitingMax: WAITING_MAX,
    waitMsMax: WAITING_MS_MAX,
  };
  const routes = merchantRoutes({
    database,
    slowDatabase,
    batching,
    checkoutUrl: config.checkoutUrl,
    lifetimeMs: config.intentLifetimeMs,
    checkTerms,
    commitment: config.bindCommitment,
    readerOf: (environment) => chainOf(environment).reader,
    waiting,
    heads: deps.heads,
  });
  registerMerchantApi(app, {
    admitRequests: (hashes) => admitRequests(database, hashes),
    batching,
    bodyWaitMs: config.bodyWaitMs,
    idempotency: new Idempotency(database, locks),
    logError: log,
    routes,
    onAnswered:
      requestLog === null
        ? null
        : (caller, answered) => requestLog.add(answered.status, () => loggedRequest(caller, answered)),
  });
  registerReference(app, describeRoutes(routes), config.apiUrl);
  registerFrontPage(app, config.dashboardUrl);
  for (const warning of settingWarnings(config)) log(warning, undefined, "warn");
  registerBuyerDoor(app, {
    routes: payingRoutes({
      database,
      checkoutUrl: config.checkoutUrl,
      builderOf: (environment) => chainOf(environment).builder,
      sponsorOf: (environment) => chainOf(environment).sponsor,
      isHeld: (environment, arbiter) => isHeld(chainOf(environment), arbiter),
      log,
    }),
    checkoutUrl: config.checkoutUrl,
    addressHeader: config.addressHeader,
    bodyWaitMs: config.bodyWaitMs,
    logError: log,
  });
  const live = registerCheckoutPage(app, {
    database,
    checkoutUrl: config.checkoutUrl,
    addressHeader: config.addressHeader,
    siteOperator: config.siteOperator,
    canPay: true,
    noticeOf: (environment) => {
      const chain = chains.find((one) => one.environment === environment);
      // Without its chain nobody can pay; the page still shows what was asked for.
      if (chain === undefined)
        return {
          arbiterLabel: { name: null, domain: null },
          arbiter: null,
          sponsors: [],
          isHeld: true,
          costOf: () => null,
        };
      const { arbiterLabel, builder, deployment } = chain;
      const sponsors = chain.sponsor?.addresses ?? [];
      const costOf = builder.estimateCost;
      return { arbiterLabel, arbiter: deployment.arbiter, sponsors, isHeld: isHeld(chain, null), costOf };
    },
    assets: await buildCheckoutScript(),
    isLocal: demo !== null,
    localWalletApps: config.localChain.walletApps,
    log,
  });
  if (demo !== null) registerDemoPages(app, { database, demo });
  deps.eventsRecorded.add((businessIds) => live.wake(businessIds));
  return live;
}
