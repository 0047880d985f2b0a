import { readFile } from "node:fs/promises";
import { linkStarts } from "../app/linkIntents.ts";
import { describeRoutes, merchantRoutes } from "../app/merchantRoutes.ts";
import { ChainUnavailableError } from "../chain/port.ts";
import { ApiError, showError } from "../domain/errors.ts";
import { BATCHES_MAX, WAITING_MAX, WAITING_MS_MAX } from "../domain/limits.ts";
import type { Sealing } from "../domain/sealing.ts";
import type { Environment } from "../domain/terms.ts";
import { registerBuyerDoor } from "../edge/buyer/door.ts";
import { registerFrontPage } from "../edge/html/frontPage.ts";
import type { App } from "../edge/http/app.ts";
import type { DoorDeps } from "../edge/http/door.ts";
import { registerHealth } from "../edge/http/health.ts";
import { Idempotency } from "../edge/http/idempotency.ts";
import { createMetrics, registerMetrics } from "../edge/http/metrics.ts";
import { guardAddresses } from "../edge/http/publicAddress.ts";
import { logRequests } from "../edge/http/requestLine.ts";
import { createServer } from "../edge/http/server.ts";
import { registerMerchantApi } from "../edge/merchant/api.ts";
import { MERCHANT_PREFIX } from "../edge/merchant/description.ts";
import { registerReference } from "../edge/merchant/reference.ts";
import { isStaffRoute } from "../edge/staff/dashboard.ts";
import { STAFF_PREFIX } from "../edge/staff/description.ts";
import { type Chain, isHeld } from "../features/chains/chain.ts";
import { createTermsCheck } from "../features/chains/terms.ts";
import { actionBuyerRoutes } from "../features/checkout/actions/buyer.ts";
import { registerCases } from "../features/checkout/case/buyer.ts";
import { registerLinkPage } from "../features/checkout/link/buyer.ts";
import { type ChainNotice, registerCheckoutPage } from "../features/checkout/page/buyer.ts";
import { ReadLimit } from "../features/checkout/page/readRoutes.ts";
import { payingRoutes } from "../features/checkout/paying/buyer.ts";
import { createScreen } from "../features/checkout/paying/screening.ts";
import { registerReceipts } from "../features/checkout/receipt/buyer.ts";
import { createFinder, type Finder } from "../features/checkout/receipt/find.ts";
import { findRoutes, registerFindPage } from "../features/checkout/receipt/findRoutes.ts";
import { caseRoutes } from "../features/disputes/buyer.ts";
import { caseReads } from "../features/disputes/caseReads.ts";
import { registerUploads } from "../features/disputes/uploads/upload.ts";
import { EventWaiting } from "../features/events/longPoll.ts";
import { admitRequests } from "../features/keys/admission.ts";
import { DEPLOYMENT_PATH, receiptRoutes } from "../features/receipts/buyer.ts";
import { findHold } from "../features/recording/queries.ts";
import { sweepTransaction } from "../features/recording/sweep/sweep.ts";
import { loggedRequest } from "../features/requests/request.ts";
import { sealingOf } from "../features/webhooks/sending/secret.ts";
import { log } from "../lib/log.ts";
import { asAccounts } from "../store/accounts.ts";
import { cellsOf } from "../store/cells.ts";
import { SessionLocks } from "../store/locks.ts";
import { sql } from "../store/sql.ts";
import { cellChooser } from "./cellChooser.ts";
import { figuresOf } from "./cellFigures.ts";
import { buildCheckoutScript, type CheckoutScript } from "./checkoutScript.ts";
import { registerDocuments } from "./documents.ts";
import { elsewhereFinder } from "./elsewhere.ts";
import { localArbiter } from "./local/arbiter.ts";
import { registerDemoPages } from "./local/demoPages.ts";
import type { CellRun, Run } from "./run.ts";
import { readScreening } from "./screening.ts";
import { settingWarnings } from "./settingWarnings.ts";
import { openStaff } from "./staff.ts";

/** Opens the server, with the routes of every process: health and figures. */
export async function openHttpServer(run: Run): Promise<undefined> {
  const { config, cells, main, shutdown } = run;
  const server = createServer([MERCHANT_PREFIX, STAFF_PREFIX], { logError: log });
  const { app } = server;
  run.http = server;
  for (const cell of cells) {
    const { database, slowDatabase } = cell.databases;
    cell.app = cell === main ? app : app.branch();
    cell.answering = cell.isAway ? awayRoutes(app) : cell.app;
    cell.locks = new SessionLocks(database);
    shutdown.add("locks", () => cell.locks.close());
    cell.waiting = new EventWaiting(slowDatabase, cell.locks);
  }
  // A cell that is away does not take the others away from a balancer that asks.
  registerHealth(app, [
    { name: "database", check: () => main.databases.database.row(sql`select 1 as ok`) },
    ...run.chains.map(({ chain }) => ({
      name: `${chain.environment} chain`,
      check: (signal: AbortSignal) => chain.reader.fetchHead({ signal }),
    })),
  ]);
  const figures = [...run.figures, ...figuresOf(cells)];
  registerMetrics(app, createMetrics(figures, await readVersion()), config.metricsToken);
  if (config.logRequests) logRequests(app);
  const { checkoutUrl, dashboardUrl } = config;
  guardAddresses(
    app,
    [
      { url: checkoutUrl, owns: (route) => route === "/pay" || route.startsWith("/pay/") || route === DEPLOYMENT_PATH },
      { url: dashboardUrl, owns: (route) => isStaffRoute(route, dashboardUrl) },
    ],
    config.apiUrl,
  );
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return version;
}

/** Opens the doors of merchants, buyers and staff for each cell. */
export async function openDoors(run: Run): Promise<undefined> {
  const { config, cells, http } = run;
  const assets = await buildCheckoutScript();
  for (const cell of cells)
    await cell.begin(async () => {
      await openCellDoors(cell, assets);
      cell.answering = cell.app;
    });
  const chooseCell = cellChooser(cells.map(({ databases }) => databases.database));
  if (cells.length > 1)
    http.app.chooseBy((request) => {
      const chosen = chooseCell(request);
      return typeof chosen === "number" ? cells[chosen]!.answering : chosen.then((number) => cells[number]!.answering);
    });
  for (const warning of settingWarnings(config)) log(warning, undefined, "warn");
}

/** For a cell that cannot be reached yet. */
function awayRoutes(app: App): App {
  const routes = app.branch();
  const away = new ApiError("unavailable", "Temporarily unavailable. Repeat the request.");
  routes.own("", async (_request, reply) =>
    reply.code(away.status).header("retry-after", 1).type("application/json; charset=utf-8").send(showError(away)),
  );
  return routes;
}

/** The doors of a cell, with their pages. */
async function openCellDoors(cell: CellRun, assets: CheckoutScript): Promise<void> {
  const { run, app, databases, locks } = cell;
  const { config, local, ring, lookups, shutdown } = run;
  const chainOf = chainFinder(cell.chains.map(({ chain }) => chain));
  const { checkTerms, findAsset } = createTermsCheck({
    database: databases.database,
    chainOf,
    operatorOf: (environment) => findChain(cell, environment)?.operator ?? null,
    allowedMints: new Set(config.allowedMints),
  });
  const sealing = ring && sealingOf(ring);
  openMerchantApi(cell, chainOf, { checkTerms, findAsset });
  await openCheckout(cell, chainOf, sealing, assets);
  const staff = {
    config,
    stores: {
      ...databases,
      accounts: asAccounts(run.main.databases.database),
      cells: cellsOf(run.cells.map((one) => one.databases.database)),
      slowCells: cellsOf(run.cells.map((one) => one.databases.slowDatabase)),
    },
    locks,
    sealing,
    hasPages: cell === run.main,
    ring,
    localSigner: local && localArbiter(local),
    chainOf,
    actionSenderOf: actionSenderFinder(run, chainOf),
    checkTerms,
    findAsset,
    lookups,
  };
  openStaff(app, staff, shutdown);
}

export async function listen({ config, cells, http, shutdown }: Run): Promise<undefined> {
  const { app, connections } = http;
  shutdown.add("HTTP server", async () => {
    for (const { waiting } of cells) waiting.stop();
    await Promise.all(cells.flatMap(({ live }) => live.map((one) => one.stop())));
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

/** Throws if no chain is configured for the environment. */
const actionSenderFinder =
  ({ actionSenders }: Run, chainOf: ChainOf) =>
  (environment: Environment) =>
    actionSenders.get(chainOf(environment).environment)!;

const findChain = ({ chains }: CellRun, environment: Environment): Chain | undefined =>
  chains.find(({ chain }) => chain.environment === environment)?.chain;

const doorDeps = ({ run: { config }, databases, locks, log }: CellRun): DoorDeps => ({
  idempotency: new Idempotency(databases.database, locks),
  bodyWaitMs: config.bodyWaitMs,
  logError: log,
});

/** The merchant API; cell 0 has its reference and the front page. */
function openMerchantApi(cell: CellRun, chainOf: ChainOf, terms: ReturnType<typeof createTermsCheck>) {
  const { run, app, databases, waiting, requestLog } = cell;
  const { config, heads, local } = run;
  const batching = {
    itemsMax: config.batchItemsMax,
    batchesMax: BATCHES_MAX,
    waitingMax: WAITING_MAX,
    waitMsMax: WAITING_MS_MAX,
  };
  const routes = merchantRoutes({
    ...databases,
    batching,
    checkoutUrl: config.checkoutUrl,
    apiUrl: config.apiUrl,
    lifetimeMs: config.intentLifetimeMs,
    ...terms,
    isLocal: local !== null,
    commitment: config.bindCommitment,
    readerOf: (environment) => chainOf(environment).reader,
    builderOf: (environment) => chainOf(environment).builder,
    waiting,
    heads,
    findHold: (environment) => findHold(databases.database, environment),
  });
  registerMerchantApi(app, {
    admitRequests: (hashes) => admitRequests(databases.database, hashes),
    batching,
    ...doorDeps(cell),
    routes,
    onAnswered:
      requestLog === null
        ? null
        : (caller, answered) => requestLog.add(answered.status, () => loggedRequest(caller, answered)),
  });
  if (cell !== run.main) return;
  registerReference(app, describeRoutes(routes), config.apiUrl);
  registerDocuments(app, config.apiUrl);
  registerFrontPage(app, config.dashboardUrl);
}

/** Opens the buyers' door and page; on a local run the demo's pages too. */
async function openCheckout(
  cell: CellRun,
  chainOf: ChainOf,
  sealing: Sealing | null,
  assets: CheckoutScript,
): Promise<void> {
  const { run, app, log } = cell;
  const { config, local, demo } = run;
  const { database } = cell.databases;
  const { checkoutUrl, addressHeader } = config;
  const buying = {
    database,
    checkoutUrl,
    builderOf: (environment: Environment) => chainOf(environment).builder,
    sponsorOf: (environment: Environment) => chainOf(environment).sponsor,
    isHeld: (environment: Environment, arbiter: string | null) => isHeld(chainOf(environment), arbiter),
    actionSenderOf: actionSenderFinder(run, chainOf),
    screen: createScreen({ settings: await readScreening(config), log }),
    log,
  };
  const databases = run.cells.map((one) => one.databases.database);
  const finder = createFinder({ databases, recordTransaction: (signature) => recordInAll(run, signature) });
  registerBuyerDoor(app, {
    routes: [
      ...payingRoutes(buying),
      ...actionBuyerRoutes(buying),
      ...findRoutes(finder),
      ...caseRoutes({
        ...buying,
        isLocal: local !== null,
        canWrite: config.mail.smtpUrl !== null,
        readerOf: (environment) => chainOf(environment).reader,
      }),
      ...receiptRoutes({
        ...buying,
        cells: cellsOf(databases),
        sealing,
        readerOf: (environment) => chainOf(environment).reader,
      }),
    ],
    checkoutUrl,
    addressHeader,
    ...doorDeps(cell),
  });
  registerUploads(app, { database, addressHeader, logError: log });
  openPages(cell, finder, sealing !== null, assets);
  if (local !== null && demo !== null && cell === run.main)
    registerDemoPages(app, { database, demo: { chain: local, testKey: demo.testKey } });
}

/** Opens the pages of buyers: of orders, of payments, and the one that finds them. */
function openPages(cell: CellRun, finder: Finder, canSign: boolean, assets: CheckoutScript): void {
  const { run, app, databases, eventsRecorded, log } = cell;
  const { config, local } = run;
  const pages = {
    database: databases.database,
    checkoutUrl: config.checkoutUrl,
    limit: new ReadLimit(config.addressHeader),
    siteOperator: config.siteOperator,
    canPay: true,
    noticeOf: (environment: Environment) => noticeOf(findChain(cell, environment)),
    assets,
    isLocal: local !== null,
    localWalletApps: config.localChain.walletApps,
    log,
  };
  const [{ path, integrity }] = pages.assets;
  registerFindPage(app, pages.limit, finder, { path, integrity, isLocal: pages.isLocal });
  const receiptPages = { ...pages, canSign };
  const links = linkStarts(pages);
  registerLinkPage(app, { ...pages, links, bodyWaitMs: config.bodyWaitMs });
  const [checkouts, receipts] = [registerCheckoutPage(app, pages), registerReceipts(app, receiptPages)];
  const cases = registerCases(app, {
    ...receiptPages,
    ...caseReads({ ...pages, canWrite: config.mail.smtpUrl !== null }),
  });
  cell.live = [checkouts, receipts, cases];
  eventsRecorded.add((businessIds) => {
    for (const live of [checkouts, receipts, cases]) live.wake(businessIds);
  });
}

/** The time for a transaction that a buyer looks for, and for the accounts it touched. */
const LOOK_UP_MS = 10_000;

/** Records the payments of a transaction, each in its cell. Throws if any cell or chain is away. */
async function recordInAll({ cells }: Run, signature: string): Promise<void> {
  const recorded = await Promise.allSettled(cells.map((cell) => recordOnAnyChain(cell, signature)));
  for (const result of recorded) if (result.status === "rejected") throw result.reason;
}

/** Records those of a cell on the chain that has the transaction. Throws if any chain is away. */
async function recordOnAnyChain(cell: CellRun, signature: string): Promise<void> {
  const { run, chains, databases, log } = cell;
  const { checkoutUrl, bindCommitment: commitment } = run.config;
  const deps = { database: databases.database, checkoutUrl, log, commitment, findElsewhere: elsewhereFinder(cell) };
  const signal = AbortSignal.timeout(LOOK_UP_MS);
  const looked = chains.map(({ chain }) => sweepTransaction({ ...deps, chain }, signature, signal));
  for (const result of await Promise.allSettled(looked)) if (result.status === "rejected") throw result.reason;
}

/** The chain's part of a buyer's page. Without its chain no payment is possible; the page still shows the order. */
function noticeOf(chain: Chain | undefined): ChainNotice {
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
}
