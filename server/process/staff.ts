import { describeStaffRoutes, staffAdmission, staffRoutes } from "../app/staffRoutes.ts";
import type { Chain } from "../chain/chain.ts";
import type { Environment } from "../domain/terms.ts";
import type { App } from "../edge/http/app.ts";
import { registerFixedText } from "../edge/http/fixedText.ts";
import { Idempotency } from "../edge/http/idempotency.ts";
import { openApiText } from "../edge/http/openapi.ts";
import { registerStaffApi } from "../edge/staff/api.ts";
import { browserCookie, companyCookie, sessionCookie } from "../edge/staff/cookies.ts";
import { registerDashboard } from "../edge/staff/dashboard.ts";
import { STAFF_PREFIX } from "../edge/staff/description.ts";
import type { Context } from "../features/context.ts";
import type { DomainLookups } from "../features/domains/check.ts";
import type { WatchOf } from "../features/overview/overview.ts";
import type { Provider } from "../features/staff/provider/provider.ts";
import { PASSWORD_COST } from "../features/staff/signIn/password.ts";
import { resolveByDns, withDevHosts } from "../features/webhooks/sending/resolver.ts";
import type { KeyRing } from "../features/webhooks/sending/secret.ts";
import { log } from "../lib/log.ts";
import type { SessionLocks } from "../store/locks.ts";
import type { Config } from "./config.ts";
import { buildDashboard } from "./dashboardBuild.ts";

interface StaffParts {
  readonly locks: SessionLocks;
  /** The keys of webhook secrets; null: this process has none. */
  readonly ring: KeyRing | null;
  readonly lookups: DomainLookups;
  /** The company's provider; null: none is set. */
  readonly company: Provider | null;
}

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
export function openStaff(app: App, config: Config, ctx: Context, parts: StaffParts): void {
  const { locks, company, ring, lookups } = parts;
  const { addressHeader, bodyWaitMs } = config;
  const { database, dashboardUrl, isLocal } = ctx;
  const staff = {
    ...ctx,
    cookie: sessionCookie(dashboardUrl),
    browserCookie: browserCookie(dashboardUrl),
    companyCookie: companyCookie(dashboardUrl),
    company,
    sendsEmails: config.mail.smtpUrl !== null && !config.held.has("webhooks"),
    passwordCost: PASSWORD_COST,
  };
  const resolve = withDevHosts(config.webhooks.devHosts, resolveByDns);
  const routes = staffRoutes(staff, { ring, lookups, resolve, watchOf: chainWatcher(ctx.findChain) });
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
