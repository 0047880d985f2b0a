import { readFile } from "node:fs/promises";
import { buyerRoutes, describeBuyerRoutes } from "../app/buyerRoutes.ts";
import { openLanguages } from "../app/languages/languages.ts";
import { linkStarts } from "../app/linkIntents.ts";
import { describeRoutes, merchantRoutes } from "../app/merchantRoutes.ts";
import type { Chain } from "../chain/chain.ts";
import type { AddressBook } from "../domain/buyerAddress.ts";
import { BATCHES_MAX, WAITING_MAX, WAITING_MS_MAX } from "../domain/limits.ts";
import { CHECKOUT_DOCUMENT_PATH } from "../edge/buyer/description.ts";
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
import { registerDocument, registerReference } from "../edge/merchant/reference.ts";
import { isStaffRoute } from "../edge/staff/dashboard.ts";
import { STAFF_PREFIX } from "../edge/staff/description.ts";
import { registerLogos } from "../features/businesses/buyer.ts";
import { openAddressBook, openMailboxes } from "../features/buyerEmails/actions.ts";
import { registerCases } from "../features/checkout/case/buyer.ts";
import type { BuyerContext } from "../features/checkout/context.ts";
import { registerEmailPages } from "../features/checkout/emails/buyer.ts";
import { registerLinkPage } from "../features/checkout/link/buyer.ts";
import { registerCheckoutPage } from "../features/checkout/page/buyer.ts";
import type { LiveStates } from "../features/checkout/page/liveStates.ts";
import { SEATS_WAITING_MAX } from "../features/checkout/paying/buyer.ts";
import { createScreen } from "../features/checkout/paying/screening.ts";
import { ReadLimit } from "../features/checkout/readLimit.ts";
import { registerReceipts } from "../features/checkout/receipt/buyer.ts";
import { createFinder, createLookUps, type Finder, type LookUps } from "../features/checkout/receipt/find.ts";
import { registerFindPage } from "../features/checkout/receipt/findRoutes.ts";
import { createX402, type X402 } from "../features/checkout/x402/settle.ts";
import type { Context } from "../features/context.ts";
import { buyerReads } from "../features/disputes/buyerReads.ts";
import { registerUploads, UPLOADS } from "../features/disputes/uploads/upload.ts";
import { EventWaiting } from "../features/events/longPoll.ts";
import { admitRequests } from "../features/keys/admission.ts";
import { DEPLOYMENT_PATH } from "../features/receipts/buyer.ts";
import { sweepTransaction } from "../features/recording/sweep/sweep.ts";
import type { RequestRecorder } from "../features/requests/recorder.ts";
import { loggedRequest } from "../features/requests/request.ts";
import type { KeyRing } from "../features/webhooks/sending/secret.ts";
import { log } from "../lib/log.ts";
import { Turns } from "../lib/turns.ts";
import { SessionLocks } from "../store/locks.ts";
import { createWriteCheck } from "../store/writable.ts";
import type { LocalRun } from "./chains.ts";
import { buildCheckoutScript } from "./checkoutScript.ts";
import { openCompany } from "./company.ts";
import { registerDocuments } from "./documents.ts";
import type { Lookups } from "./domainLookups.ts";
import { registerDemoPages } from "./local/demoPages.ts";
import type { Run } from "./run.ts";
import { readScreening } from "./screening.ts";
import { settingWarnings } from "./settingWarnings.ts";
import { openStaff } from "./staff.ts";

/** The HTTP server of a process, before it listens. */
export interface HttpServer extends ReturnType<typeof createServer> {
  readonly locks: SessionLocks;
  readonly waiting: EventWaiting;
}

/** Opens the server, with the routes of every process: health and figures. */
export async function openHttpServer(run: Run, ctx: Context, chains: readonly Chain[]): Promise<HttpServer> {
  const { config, figures, shutdown } = run;
  const { database, slowDatabase, apiUrl, checkoutUrl, dashboardUrl } = ctx;
  const server = createServer([MERCHANT_PREFIX, STAFF_PREFIX, UPLOADS], { logError: log });
  const { app } = server;
  const locks = new SessionLocks(database);
  shutdown.add("locks", () => locks.close());
  registerHealth(app, [
    { name: "database", check: createWriteCheck(database) },
    ...chains.map(({ environment, reader }) => ({
      name: `${environment} chain`,
      check: (signal: AbortSignal) => reader.fetchHead({ signal }),
    })),
  ]);
  registerMetrics(app, createMetrics(figures, await readVersion()), config.metricsToken);
  if (config.logRequests) logRequests(app);
  guardAddresses(
    app,
    [
      { url: checkoutUrl, owns: (route) => route === "/pay" || route.startsWith("/pay/") || route === DEPLOYMENT_PATH },
      { url: dashboardUrl, owns: (route) => isStaffRoute(route, dashboardUrl) },
    ],
    apiUrl,
  );
  return { ...server, locks, waiting: new EventWaiting(slowDatabase, locks) };
}

async function readVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return version;
}

/** Parts of the start that the doors need. */
interface DoorParts {
  readonly http: HttpServer;
  readonly chains: readonly Chain[];
  readonly lookups: Lookups;
  readonly ring: KeyRing | null;
  readonly localRun: LocalRun | null;
  readonly requestLog: RequestRecorder | null;
}

/** States that are streamed to buyers' pages. */
type Live = readonly Pick<LiveStates<never>, "stop" | "wake">[];

/** Opens the doors of merchants, buyers and staff, with their pages. Returns the states that it streams. */
export async function openDoors(run: Run, ctx: Context, parts: DoorParts): Promise<Live> {
  const { config } = run;
  const { ring, lookups } = parts;
  const buyers = await buyerContext(run, ctx);
  const lookUps = createLookUps();
  const x402 = createX402(buyers, lookUps);
  openMerchantApi(run, ctx, parts, x402);
  const live = openCheckout(run, buyers, parts, { x402, lookUps });
  for (const warning of settingWarnings(config)) log(warning, undefined, "warn");
  const { app, locks } = parts.http;
  openStaff(app, config, ctx, {
    ...{ locks, ring, lookups },
    company: await openCompany(config),
  });
  return live;
}

export async function listen({ config, shutdown }: Run, http: HttpServer, live: Live): Promise<void> {
  const { app, connections, waiting } = http;
  shutdown.add("HTTP server", async () => {
    waiting.stop();
    await Promise.all(live.map((one) => one.stop()));
    await connections.drain(() => app.close());
  });
  await app.listen({ host: config.host, port: config.port });
}

const doorDeps = ({ config }: Run, { database, sealing }: Context, { locks }: HttpServer): DoorDeps => ({
  idempotency: new Idempotency(database, locks, sealing),
  bodyWaitMs: config.bodyWaitMs,
  logError: log,
});

/** The merchant API, its reference and the front page. */
function openMerchantApi(run: Run, ctx: Context, { http, requestLog }: DoorParts, x402: X402) {
  const { config, heads } = run;
  const { app, waiting } = http;
  const batching = {
    itemsMax: config.batchItemsMax,
    batchesMax: BATCHES_MAX,
    waitingMax: WAITING_MAX,
    waitMsMax: WAITING_MS_MAX,
  };
  const routes = merchantRoutes(ctx, { batching, waiting, heads, x402 });
  registerMerchantApi(app, {
    admitRequests: (hashes) => admitRequests(ctx.database, hashes),
    batching,
    ...doorDeps(run, ctx, http),
    routes,
    onAnswered:
      requestLog === null
        ? null
        : (caller, answered) => requestLog.add(answered.status, () => loggedRequest(caller, answered)),
  });
  const checkoutDocument = `${ctx.checkoutUrl}${CHECKOUT_DOCUMENT_PATH}`;
  registerReference(app, describeRoutes(routes), { apiUrl: config.apiUrl, checkoutDocument });
  registerDocuments(app, config.apiUrl);
  registerFrontPage(app, config.dashboardUrl);
}

async function buyerContext({ config }: Run, ctx: Context): Promise<BuyerContext> {
  return {
    ...ctx,
    languages: openLanguages(config.languages),
    limit: new ReadLimit(config.addressHeader),
    screen: createScreen({ settings: await readScreening(config), log }),
    seats: new Turns({ waitingMax: SEATS_WAITING_MAX }),
    siteOperator: config.siteOperator,
    sendsEmails: ctx.sealing !== null && config.mail.smtpUrl !== null,
    bodyWaitMs: config.bodyWaitMs,
    assets: await buildCheckoutScript(),
    recordTransaction: (environment, signature, signal) =>
      sweepTransaction({ ...ctx, chain: ctx.chainOf(environment) }, signature, signal),
  };
}

interface Answering {
  readonly x402: X402;
  readonly lookUps: LookUps;
}

/** Opens the buyers' door and page; on a local run the demo's pages too. */
function openCheckout(run: Run, ctx: BuyerContext, parts: DoorParts, { x402, lookUps }: Answering): Live {
  const { addressHeader, mail } = run.config;
  const { database, languages, checkoutUrl } = ctx;
  const { app } = parts.http;
  const { chains, localRun } = parts;
  const finder = createFinder(ctx, lookUps, (signature) => recordOnAnyChain(ctx, chains, signature));
  const book = ctx.sealing === null || mail.smtpUrl === null ? null : openAddressBook(ctx, ctx.sealing);
  const routes = buyerRoutes(ctx, { x402, finder, book });
  registerBuyerDoor(app, { languages, routes, checkoutUrl, addressHeader, ...doorDeps(run, ctx, parts.http) });
  registerDocument(app, CHECKOUT_DOCUMENT_PATH, describeBuyerRoutes(routes));
  registerUploads(app, { database, addressHeader, languages, logError: log });
  const live = openPages(run, ctx, parts, { finder, book });
  if (localRun !== null) registerDemoPages(app, ctx, localRun.chain, localRun.demo.testKey);
  return live;
}

/** Opens the pages of buyers: of orders, of payments, and the one that finds them. */
function openPages(
  { eventsRecorded }: Run,
  ctx: BuyerContext,
  { http: { app } }: DoorParts,
  { finder, book }: { readonly finder: Finder; readonly book: AddressBook | null },
): Live {
  const { assets, isLocal, limit, sealing } = ctx;
  const [{ path, integrity }] = assets;
  registerFindPage(app, ctx, finder, { path, integrity, isLocal });
  registerLogos(app, ctx, limit);
  if (sealing !== null && book !== null) registerEmailPages(app, ctx, openMailboxes(ctx, sealing));
  registerLinkPage(app, ctx, linkStarts(ctx));
  const live = [
    registerCheckoutPage(app, ctx),
    registerReceipts(app, ctx),
    registerCases(app, ctx, buyerReads(ctx, book)),
  ];
  eventsRecorded.add((businessIds) => {
    for (const one of live) one.wake(businessIds);
  });
  return live;
}

/** The time for a transaction that a buyer looks for, and for the accounts it touched. */
const LOOK_UP_MS = 10_000;

/** Records the payments of a transaction on the chain that has it. Throws if any chain is away. */
async function recordOnAnyChain(ctx: Context, chains: readonly Chain[], signature: string): Promise<void> {
  const signal = AbortSignal.timeout(LOOK_UP_MS);
  const looked = chains.map((chain) => sweepTransaction({ ...ctx, chain }, signature, signal));
  for (const result of await Promise.allSettled(looked)) if (result.status === "rejected") throw result.reason;
}
