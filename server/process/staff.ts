import { describeStaffRoutes, staffAdmission, staffRoutes } from "../app/staffRoutes.ts";
import { testPayments } from "../app/testPayments.ts";
import type { ActionSender } from "../chain/actionSender.ts";
import type { Chain, FindAsset, TermsCheck } from "../chain/chain.ts";
import { ChainUnavailableError, readDeadline } from "../chain/port.ts";
import type { FindQuote } from "../domain/price.ts";
import type { Sealing } from "../domain/sealing.ts";
import type { Environment } from "../domain/terms.ts";
import type { App } from "../edge/http/app.ts";
import { registerFixedText } from "../edge/http/fixedText.ts";
import { Idempotency } from "../edge/http/idempotency.ts";
import { openApiText } from "../edge/http/openapi.ts";
import { registerStaffApi } from "../edge/staff/api.ts";
import { browserCookie, companyCookie, sessionCookie } from "../edge/staff/cookies.ts";
import { registerDashboard } from "../edge/staff/dashboard.ts";
import { STAFF_PREFIX } from "../edge/staff/description.ts";
import { countLooks } from "../edge/staff/lookLimit.ts";
import type { Context } from "../features/context.ts";
import type { DomainCheckDeps } from "../features/domains/check.ts";
import type { WatchOf } from "../features/overview/overview.ts";
import type { Provider } from "../features/staff/provider/provider.ts";
import { PASSWORD_COST } from "../features/staff/signIn/password.ts";
import { resolveByDns, withDevHosts } from "../features/webhooks/sending/resolver.ts";
import type { KeyRing } from "../features/webhooks/sending/secret.ts";
import { log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";
import type { SessionLocks } from "../store/locks.ts";
import type { Config } from "./config.ts";
import { buildDashboard } from "./dashboardBuild.ts";

export interface StaffServerDeps {
  readonly config: Config;
  readonly database: Database;
  readonly slowDatabase: Database;
  readonly locks: SessionLocks;
  readonly sealing: Sealing | null;
  /** The keys of webhook secrets; null: this process has none. */
  readonly ring: KeyRing | null;
  /** The company's provider; null: none is set. */
  readonly company: Provider | null;
  /** True if `test` is the local chain. */
  readonly isLocal: boolean;
  /** Throws {@link ChainUnavailableError} if none is configured. */
  readonly chainOf: (environment: Environment) => Chain;
  /** Null: none is configured. */
  readonly findChain: (environment: Environment) => Chain | null;
  readonly actionSenderOf: (environment: Environment) => ActionSender;
  readonly checkTerms: TermsCheck;
  readonly findAsset: FindAsset;
  readonly findQuote: FindQuote;
  readonly lookups: DomainCheckDeps;
}

/** Null: no node answers in time. */
const recipientLooker =
  (chainOf: StaffServerDeps["chainOf"]): Context["lookAtRecipient"] =>
  async (environment, address) => {
    try {
      const { signal } = readDeadline();
      return (await chainOf(environment).reader.fetchRecipient(address, { signal })).value;
    } catch (error) {
      if (error instanceof ChainUnavailableError) return null;
      throw error;
    }
  };

/** The state of an environment's chain as this process knows it. A process without a key does not read its balance. */
const chainWatcher =
  (findChain: (environment: Environment) => Chain | null): WatchOf =>
  (environment) => {
    const chain = findChain(environment);
    if (chain === null) return null;
    const { deployment, sender, sponsor } = chain;
    const keeper =
      sender === null || sender.lastBalance === null || sender.lastBalance >= sender.balanceMin
        ? []
        : [{ kind: "keeper_low" as const, address: sender.feePayer, lamports: sender.lastBalance }];
    const sponsors = [...(sponsor?.lastBalances ?? [])]
      .filter(([, lamports]) => lamports < sponsor!.balanceMin)
      .map(([address, lamports]) => ({ kind: "sponsor_low" as const, address, lamports }));
    return { isHeld: deployment.checkoutsHeld !== null, low: [...keeper, ...sponsors] };
  };

/** Opens the staff API, its document and the dashboard. */
export function openStaff(app: App, deps: StaffServerDeps): void {
  const {
    config,
    database,
    slowDatabase,
    locks,
    sealing,
    ring,
    company,
    isLocal,
    chainOf,
    findChain,
    checkTerms,
    ...others
  } = deps;
  const { dashboardUrl, addressHeader, bodyWaitMs } = config;
  const explain = {
    database,
    slowDatabase,
    readerOf: (environment: Environment) => chainOf(environment).reader,
    countLook: countLooks(),
    checkoutUrl: config.checkoutUrl,
  };
  const routes = staffRoutes({
    ...explain,
    builderOf: (environment) => chainOf(environment).builder,
    ...others,
    ...others.lookups,
    checkTerms,
    dashboardUrl,
    cookie: sessionCookie(dashboardUrl),
    browserCookie: browserCookie(dashboardUrl),
    companyCookie: companyCookie(dashboardUrl),
    company,
    sendsEmails: config.mail.smtpUrl !== null && !config.held.has("webhooks"),
    log,
    passwordCost: PASSWORD_COST,
    sealing,
    ring,
    resolve: withDevHosts(config.webhooks.devHosts, resolveByDns),
    tests: testPayments({ checkoutUrl: config.checkoutUrl, lifetimeMs: config.intentLifetimeMs, checkTerms }),
    lookAtRecipient: recipientLooker(chainOf),
    watchOf: chainWatcher(findChain),
  });
  registerStaffApi(app, {
    ...staffAdmission(database),
    dashboardUrl,
    addressHeader,
    routes,
    bodyWaitMs,
    idempotency: new Idempotency(database, locks),
    logError: log,
  });
  const document = openApiText(describeStaffRoutes(routes));
  registerFixedText(app, `${STAFF_PREFIX}/openapi.json`, "application/json; charset=utf-8", document, {});
  registerDashboard(app, {
    dashboardUrl,
    isLocal,
    company: company?.settings.name ?? null,
    build: buildDashboard,
    log,
  });
}
