import { readFile } from "node:fs/promises";
import { buyerRoutes } from "../app/buyerRoutes.ts";
import { openLanguages } from "../app/languages/languages.ts";
import { linkStarts } from "../app/linkIntents.ts";
import { describeRoutes, merchantRoutes } from "../app/merchantRoutes.ts";
import { x402Intents } from "../app/x402Intents.ts";
import { ChainUnavailableError } from "../chain/port.ts";
import { addressSealing } from "../domain/buyerAddress.ts";
import { BATCHES_MAX, WAITING_MAX, WAITING_MS_MAX } from "../domain/limits.ts";
import type { Sealing } from "../domain/sealing.ts";
import type { Environment } from "../domain/terms.ts";
import { registerBuyerDoor } from "../edge/buyer/door.ts";
import { registerFrontPage } from "../edge/html/frontPage.ts";
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
import { registerLogos } from "../features/businesses/buyer.ts";
import { openAddressBook, openMailboxes } from "../features/buyerEmails/actions.ts";
import { type Chain, isHeld } from "../features/chains/chain.ts";
import { createTermsCheck } from "../features/chains/terms.ts";
import { registerCases } from "../features/checkout/case/buyer.ts";
import { registerEmailPages } from "../features/checkout/emails/buyer.ts";
import { registerLinkPage } from "../features/checkout/link/buyer.ts";
import { type ChainNotice, registerCheckoutPage } from "../features/checkout/page/buyer.ts";
import { type PageDeps, ReadLimit } from "../features/checkout/page/readRoutes.ts";
import { SEATS_WAITING_MAX } from "../features/checkout/paying/buyer.ts";
import { createScreen } from "../features/checkout/paying/screening.ts";
import { registerReceipts } from "../features/checkout/receipt/buyer.ts";
import { createFinder, createLookUps, type Finder, type LookUps } from "../features/checkout/receipt/find.ts";
import { registerFindPage } from "../features/checkout/receipt/findRoutes.ts";
import type { FacilitatorDeps } from "../features/checkout/x402/merchant.ts";
import { createX402, type X402 } from "../features/checkout/x402/settle.ts";
import type { AddressDeps } from "../features/disputes/address/buyer.ts";
import { buyerReads } from "../features/disputes/buyerReads.ts";
import { registerUploads, UPLOADS } from "../features/disputes/uploads/upload.ts";
import { EventWaiting } from "../features/events/longPoll.ts";
import type { CreateDeps } from "../features/intents/createIntent.ts";
import { admitRequests } from "../features/keys/admission.ts";
import { quoteFinder } from "../features/rates/priceQuotes.ts";
import { DEPLOYMENT_PATH } from "../features/receipts/buyer.ts";
import { findHold } from "../features/recording/queries.ts";
import { sweepTransaction } from "../features/recording/sweep/sweep.ts";
import { loggedRequest } from "../features/requests/request.ts";
import { sealingOf } from "../features/webhooks/sending/secret.ts";
import { log } from "../lib/log.ts";
import { Turns } from "../lib/turns.ts";
import { SessionLocks } from "../store/locks.ts";
import { createWriteCheck } from "../store/writable.ts";
import { buildCheckoutScript } from "./checkoutScript.ts";
import { openCompany } from "./company.ts";
import { registerDocuments } from "./documents.ts";
import { registerDemoPages } from "./local/demoPages.ts";
import type { Run } from "./run.ts";
import { readScreening } from "./screening.ts";
import { settingWarnings } from "./settingWarnings.ts";
import { openStaff } from "./staff.ts";

/** Opens the server, with the routes of every process: health and figures. */
export async function openHttpServer(run: Run): Promise<undefined> {
  const { config, databases, chains, figures, shutdown } = run;
  const { database, slowDatabase } = databases;
  const server = createServer([MERCHANT_PREFIX, STAFF_PREFIX, UPLOADS], { logError: log });
  const { app } = server;
  const locks = new SessionLocks(database);
  shutdown.add("locks", () => locks.close());
  run.http = { ...server, locks, waiting: new EventWaiting(slowDatabase, locks), live: [] };
  registerHealth(app, [
    { name: "database", check: createWriteCheck(database) },
    ...chains.map(({ chain }) => ({
      name: `${chain.environment} chain`,
      check: (signal: AbortSignal) => chain.reader.fetchHead({ signal }),
    })),
  ]);
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

/** Opens the doors of merchants, buyers and staff, with their pages. */
export async function openDoors(run: Run): Promise<undefined> {
  const { config, databases, local, ring, lookups } = run;
  const chainOf = chainFinder(run.chains.map(({ chain }) => chain));
  const { checkTerms, findAsset } = createTermsCheck({
    database: databases.database,
    chainOf,
    operatorOf: (environment) => findChain(run, environment)?.operator ?? null,
    allowedMints: new Set(config.allowedMints),
  });
  const findQuote = quoteFinder({
    database: databases.database,
    pars: config.assetPars,
    spread: config.priceSpread,
  });
  const { app, locks } = run.http;
  const sealing = ring && sealingOf(ring);
  const buying = await buyingDeps(run, chainOf);
  const lookUps = createLookUps();
  const x402 = createX402({ ...buying, lookUps });
  openMerchantApi(run, chainOf, { checkTerms, findAsset, findQuote, x402, arbiterOf: buying.arbiterOf });
  await openCheckout(run, { buying, x402, lookUps, sealing, findAsset, findQuote });
  for (const warning of settingWarnings(config)) log(warning, undefined, "warn");
  const actionSenderOf = actionSenderFinder(run, chainOf);
  const staff = {
    config,
    ...databases,
    locks,
    sealing,
    ring,
    company: await openCompany(config),
    isLocal: local !== null,
    chainOf,
    findChain: (environment: Environment) => findChain(run, environment) ?? null,
    actionSenderOf,
    checkTerms,
    findAsset,
    findQuote,
    lookups,
  };
  openStaff(app, staff);
}

export async function listen({ config, http, shutdown }: Run): Promise<undefined> {
  const { app, connections, waiting } = http;
  shutdown.add("HTTP server", async () => {
    waiting.stop();
    await Promise.all(http.live.map((live) => live.stop()));
    await connections.drain(() => app.close());
  });
  await app.listen({ host: config.host, port: config.port });
}

type ChainOf = (environment: Environment) => Chain;
type Quoting = Pick<CreateDeps, "findAsset" | "findQuote">;

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

const findChain = ({ chains }: Run, environment: Environment): Chain | undefined =>
  chains.find(({ chain }) => chain.environment === environment)?.chain;

const doorDeps = ({ config, databases, http, ring }: Run): DoorDeps => ({
  idempotency: new Idempotency(databases.database, http.locks, ring && sealingOf(ring)),
  bodyWaitMs: config.bodyWaitMs,
  logError: log,
});

/** The merchant API, its reference and the front page. */
function openMerchantApi(
  run: Run,
  chainOf: ChainOf,
  terms: Pick<CreateDeps, "checkTerms" | "findAsset" | "findQuote"> & Pick<FacilitatorDeps, "x402" | "arbiterOf">,
) {
  const { config, databases, heads, http, local, requestLog } = run;
  const { app, waiting } = http;
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
    ...x402Intents({ ...databases, checkoutUrl: config.checkoutUrl, checkTerms: terms.checkTerms }),
    isLocal: local !== null,
    addresses: addressSealing(run.ring && sealingOf(run.ring)),
    readerOf: (environment) => chainOf(environment).reader,
    builderOf: (environment) => chainOf(environment).builder,
    waiting,
    heads,
    findHold: (environment) => findHold(databases.database, environment),
  });
  registerMerchantApi(app, {
    admitRequests: (hashes) => admitRequests(databases.database, hashes),
    batching,
    ...doorDeps(run),
    routes,
    onAnswered:
      requestLog === null
        ? null
        : (caller, answered) => requestLog.add(answered.status, () => loggedRequest(caller, answered)),
  });
  registerReference(app, describeRoutes(routes), config.apiUrl);
  registerDocuments(app, config.apiUrl);
  registerFrontPage(app, config.dashboardUrl);
}

type Buying = Awaited<ReturnType<typeof buyingDeps>>;

/** What the requests of buyers need. */
async function buyingDeps(run: Run, chainOf: ChainOf) {
  const { config, databases } = run;
  return {
    languages: openLanguages(config.languages),
    database: databases.database,
    checkoutUrl: config.checkoutUrl,
    builderOf: (environment: Environment) => chainOf(environment).builder,
    readerOf: (environment: Environment) => chainOf(environment).reader,
    sponsorOf: (environment: Environment) => chainOf(environment).sponsor,
    isHeld: (environment: Environment, arbiter: string | null) => isHeld(chainOf(environment), arbiter),
    actionSenderOf: actionSenderFinder(run, chainOf),
    screen: createScreen({ settings: await readScreening(config), log }),
    log,
    seats: new Turns({ waitingMax: SEATS_WAITING_MAX }),
    arbiterOf: (environment: Environment) => chainOf(environment).deployment.arbiter,
    recordTransaction: (environment: Environment, signature: string, signal: AbortSignal) =>
      sweepTransaction(sweepDepsOf(run, chainOf(environment)), signature, signal),
  };
}

interface Checkout extends Quoting {
  readonly buying: Buying;
  readonly x402: X402;
  readonly lookUps: LookUps;
  readonly sealing: Sealing | null;
}

/** Opens the buyers' door and page; on a local run the demo's pages too. */
async function openCheckout(run: Run, { buying, x402, lookUps, sealing, ...quoting }: Checkout): Promise<void> {
  const { config, databases, local, demo, http } = run;
  const { database } = databases;
  const { app } = http;
  const { checkoutUrl, addressHeader } = config;
  const finder = createFinder({
    database,
    recordTransaction: (signature) => recordOnAnyChain(run, signature),
    lookUps,
  });
  const { languages } = buying;
  const book = sealing === null || config.mail.smtpUrl === null ? null : openAddressBook({ database, sealing });
  registerBuyerDoor(app, {
    languages,
    routes: buyerRoutes({ ...buying, x402, finder, book, sealing }),
    checkoutUrl,
    addressHeader,
    ...doorDeps(run),
  });
  registerUploads(app, { database, addressHeader, languages, logError: log });
  await openPages(run, finder, sealing, { ...quoting, languages, book });
  if (local !== null && demo !== null)
    registerDemoPages(app, { database, demo: { chain: local, testKey: demo.testKey } });
}

/** Opens the pages of buyers: of orders, of payments, and the one that finds them. */
async function openPages(
  run: Run,
  finder: Finder,
  sealing: Sealing | null,
  { languages, book, ...quoting }: Quoting & Pick<PageDeps, "languages"> & Pick<AddressDeps, "book">,
): Promise<void> {
  const { config, databases, local, http, eventsRecorded } = run;
  const { app } = http;
  const mailboxes =
    sealing === null || config.mail.smtpUrl === null ? null : openMailboxes({ database: databases.database, sealing });
  const pages = {
    database: databases.database,
    checkoutUrl: config.checkoutUrl,
    limit: new ReadLimit(config.addressHeader),
    languages,
    siteOperator: config.siteOperator,
    canPay: true,
    sendsEmails: mailboxes !== null,
    noticeOf: (environment: Environment) => noticeOf(findChain(run, environment)),
    assets: await buildCheckoutScript(),
    isLocal: local !== null,
    log,
  };
  const [{ path, integrity }] = pages.assets;
  registerFindPage(app, pages, finder, { path, integrity, isLocal: pages.isLocal });
  const receiptPages = { ...pages, canSign: sealing !== null };
  const links = linkStarts({ ...pages, ...quoting });
  registerLogos(app, pages);
  if (mailboxes !== null) registerEmailPages(app, { ...pages, mailboxes, bodyWaitMs: config.bodyWaitMs });
  registerLinkPage(app, { ...pages, links, bodyWaitMs: config.bodyWaitMs });
  const [checkouts, receipts] = [registerCheckoutPage(app, pages), registerReceipts(app, receiptPages)];
  const cases = registerCases(app, {
    ...receiptPages,
    ...buyerReads({ ...pages, book }),
  });
  http.live = [checkouts, receipts, cases];
  eventsRecorded.add((businessIds) => {
    for (const live of [checkouts, receipts, cases]) live.wake(businessIds);
  });
}

const sweepDepsOf = ({ databases, config }: Run, chain: Chain) => ({
  database: databases.database,
  checkoutUrl: config.checkoutUrl,
  log,
  chain,
});

/** The time for a transaction that a buyer looks for, and for the accounts it touched. */
const LOOK_UP_MS = 10_000;

/** Records the payments of a transaction on the chain that has it. Throws if any chain is away. */
async function recordOnAnyChain(run: Run, signature: string): Promise<void> {
  const signal = AbortSignal.timeout(LOOK_UP_MS);
  const looked = run.chains.map(({ chain }) => sweepTransaction(sweepDepsOf(run, chain), signature, signal));
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
