import type { FastifyInstance } from "fastify";
import { ChainUnavailableError } from "../chain/port.ts";
import type { Visitor } from "../domain/callers.ts";
import { CHAIN_READ_MS } from "../domain/limits.ts";
import type { Environment } from "../domain/terms.ts";
import { registerFixedText } from "../edge/http/fixedText.ts";
import { Idempotency } from "../edge/http/idempotency.ts";
import { describeApi, type Json, openApiText } from "../edge/http/openapi.ts";
import type { Route } from "../edge/http/route.ts";
import { registerStaffApi } from "../edge/staff/api.ts";
import { browserCookie, sessionCookie } from "../edge/staff/cookies.ts";
import { registerDashboard } from "../edge/staff/dashboard.ts";
import { STAFF_DESCRIPTION, STAFF_PREFIX } from "../edge/staff/description.ts";
import { auditRoutes } from "../features/audit/member.ts";
import { auditComponents } from "../features/audit/schema.ts";
import { findBusinessProfile } from "../features/businesses/queries.ts";
import { staffBusinessComponents } from "../features/businesses/schema.ts";
import { staffBusinessRoutes } from "../features/businesses/staff.ts";
import type { Chain, TermsCheck } from "../features/chains/chain.ts";
import { staffChainComponents } from "../features/chains/schema.ts";
import { staffChainRoutes } from "../features/chains/staff.ts";
import type { DomainCheckDeps } from "../features/domains/check.ts";
import { domainComponents } from "../features/domains/schema.ts";
import { type DomainStaffDeps, domainRoutes } from "../features/domains/staff.ts";
import { type EventStaffDeps, staffEventRoutes } from "../features/events/staff.ts";
import { staffEventComponents } from "../features/events/staffSchema.ts";
import { inspectorComponents } from "../features/inspector/schema.ts";
import { type InspectorStaffDeps, inspectorRoutes } from "../features/inspector/staff.ts";
import { draftCreation, insertIntents } from "../features/intents/createIntent.ts";
import { staffIntentComponents } from "../features/intents/schema.ts";
import { type IntentStaffDeps, staffIntentRoutes } from "../features/intents/staff.ts";
import { keyComponents } from "../features/keys/schema.ts";
import { keyRoutes } from "../features/keys/staff.ts";
import { staffPaymentComponents } from "../features/payments/schema.ts";
import { staffPaymentRoutes } from "../features/payments/staff.ts";
import { recipientComponents } from "../features/recipients/schema.ts";
import { type RecipientStaffDeps, recipientRoutes } from "../features/recipients/staff.ts";
import { transactionComponents } from "../features/recording/schema.ts";
import { type TransactionStaffDeps, transactionRoutes } from "../features/recording/staff.ts";
import { requestComponents } from "../features/requests/schema.ts";
import { requestRoutes } from "../features/requests/staff.ts";
import { accountComponents } from "../features/staff/account/schema.ts";
import { accountRoutes } from "../features/staff/account/self.ts";
import type { Sealing, StaffDeps } from "../features/staff/deps.ts";
import { historyComponents } from "../features/staff/history/schema.ts";
import { historyRoutes } from "../features/staff/history/self.ts";
import { Outbox } from "../features/staff/letters.ts";
import { memberRoutes } from "../features/staff/members/member.ts";
import { memberComponents } from "../features/staff/members/schema.ts";
import { ownersNotifier } from "../features/staff/notices.ts";
import { PASSWORD_COST } from "../features/staff/signIn/password.ts";
import { signInComponents } from "../features/staff/signIn/schema.ts";
import { signInRoutes } from "../features/staff/signIn/visitor.ts";
import { endpointComponents } from "../features/webhooks/endpoints/schema.ts";
import type { KeyRing } from "../features/webhooks/endpoints/secret.ts";
import { endpointRoutes, type WebhookStaffDeps } from "../features/webhooks/endpoints/staff.ts";
import { hourComponents } from "../features/webhooks/hours/schema.ts";
import { hourRoutes } from "../features/webhooks/hours/staff.ts";
import { deliveryComponents } from "../features/webhooks/queue/schema.ts";
import { type DeliveryStaffDeps, deliveryRoutes } from "../features/webhooks/queue/staff.ts";
import { resendComponents } from "../features/webhooks/resends/schema.ts";
import { resendRoutes } from "../features/webhooks/resends/staff.ts";
import { resolveByDns, withDevHosts } from "../features/webhooks/sending/resolver.ts";
import { log } from "../lib/log.ts";
import type { Database } from "../store/database.ts";
import type { SessionLocks } from "../store/locks.ts";
import type { Config } from "./config.ts";
import { buildDashboard } from "./dashboardBuild.ts";
import { countLooks, inspectorDeps } from "./inspector.ts";
import { createMailer } from "./mailer.ts";
import type { Shutdown } from "./shutdown.ts";

export type StaffRouteDeps = StaffDeps &
  WebhookStaffDeps &
  DeliveryStaffDeps &
  EventStaffDeps &
  IntentStaffDeps &
  RecipientStaffDeps &
  DomainStaffDeps &
  TransactionStaffDeps &
  InspectorStaffDeps;

/** Every route of the staff API, in the document's order. */
export const staffRoutes = (deps: StaffRouteDeps): Route<Visitor>[] => [
  ...signInRoutes(deps),
  ...accountRoutes(deps),
  ...historyRoutes(deps),
  ...staffBusinessRoutes(deps),
  ...domainRoutes(deps),
  ...memberRoutes(deps),
  ...auditRoutes(deps),
  ...keyRoutes({ ...deps, notifyOwners: ownersNotifier(deps) }),
  ...recipientRoutes(deps),
  ...endpointRoutes({ ...deps, notifyOwners: ownersNotifier(deps) }),
  ...deliveryRoutes(deps),
  ...hourRoutes(deps),
  ...resendRoutes(deps),
  ...requestRoutes(deps),
  ...staffEventRoutes(deps),
  ...staffIntentRoutes(deps),
  ...staffPaymentRoutes(deps),
  ...staffChainRoutes(deps),
  ...transactionRoutes(deps),
  ...inspectorRoutes(deps),
];

/** The OpenAPI document of the staff API. */
export const describeStaffRoutes = (routes: readonly Route<Visitor>[]): Json =>
  describeApi({
    door: STAFF_DESCRIPTION,
    routes,
    components: {
      ...Object.fromEntries(
        routes.flatMap(({ docs: { body } }) => (body === undefined ? [] : [[body.component, body.schema]])),
      ),
      ...signInComponents,
      ...accountComponents,
      ...historyComponents,
      ...staffBusinessComponents,
      ...domainComponents,
      ...memberComponents,
      ...auditComponents,
      ...keyComponents,
      ...recipientComponents,
      ...endpointComponents,
      ...deliveryComponents,
      ...hourComponents,
      ...resendComponents,
      ...requestComponents,
      ...staffEventComponents,
      ...staffIntentComponents,
      ...staffPaymentComponents,
      ...staffChainComponents,
      ...transactionComponents,
      ...inspectorComponents,
    },
    webhooks: {},
    tags: [],
  });

export interface StaffServerDeps {
  readonly config: Config;
  readonly database: Database;
  readonly slowDatabase: Database;
  readonly locks: SessionLocks;
  readonly sealing: Sealing | null;
  /** The keys of webhook secrets; null: this process has none. */
  readonly ring: KeyRing | null;
  /** Whether `test` is the local chain. */
  readonly isLocal: boolean;
  /** Throws {@link ChainUnavailableError} where none is configured. */
  readonly chainOf: (environment: Environment) => Chain;
  readonly checkTerms: TermsCheck;
  readonly lookups: DomainCheckDeps;
}

/** What a test payment is made with (§13.11.3): an intent as any other, with the lifetime of the business's own (§2.3.5). */
export const intentCreator =
  (settings: { readonly checkoutUrl: string; readonly lifetimeMs: number }): RecipientStaffDeps["createIntent"] =>
  async (db, tenant, terms, now) => {
    const profile = await findBusinessProfile(db, tenant.businessId);
    const minutes = profile?.intentLifetimeMinutes ?? null;
    const lifetimeMs = minutes === null ? settings.lifetimeMs : minutes * 60_000;
    const creation = draftCreation({ ...settings, lifetimeMs }, tenant, terms, now, null);
    const [outcome] = await insertIntents(db, [creation]);
    return outcome!.made ? creation.intent.id : null;
  };

/** Null: no node gives an answer in time. */
const recipientLooker =
  (chainOf: StaffServerDeps["chainOf"]): RecipientStaffDeps["lookAtRecipient"] =>
  async (environment, address) => {
    try {
      const signal = AbortSignal.timeout(CHAIN_READ_MS);
      return (await chainOf(environment).reader.fetchRecipient(address, { signal })).value;
    } catch (error) {
      if (error instanceof ChainUnavailableError) return null;
      throw error;
    }
  };

/** Opens the staff API, its document and the dashboard. */
export function openStaff(app: FastifyInstance, deps: StaffServerDeps, shutdown: Shutdown): void {
  const { config, database, slowDatabase, locks, sealing, ring, isLocal, chainOf, checkTerms, lookups } = deps;
  const outbox = new Outbox(createMailer(config.mail), log);
  shutdown.add("letters", () => outbox.drain());
  const { dashboardUrl, addressHeader, bodyWaitMs } = config;
  const explain = {
    database,
    slowDatabase,
    readerOf: (environment: Environment) => chainOf(environment).reader,
    countLook: countLooks(),
    commitment: config.bindCommitment,
    checkoutUrl: config.checkoutUrl,
  };
  const routes = staffRoutes({
    ...explain,
    ...inspectorDeps(explain),
    dashboardUrl,
    cookie: sessionCookie(dashboardUrl),
    browserCookie: browserCookie(dashboardUrl),
    outbox,
    log,
    passwordCost: PASSWORD_COST,
    sealing,
    ring,
    resolve: withDevHosts(config.webhooks.devHosts, resolveByDns),
    checkTerms,
    createIntent: intentCreator({ checkoutUrl: config.checkoutUrl, lifetimeMs: config.intentLifetimeMs }),
    lookAtRecipient: recipientLooker(chainOf),
    ...lookups,
  });
  registerStaffApi(app, {
    database,
    dashboardUrl,
    addressHeader,
    routes,
    bodyWaitMs,
    idempotency: new Idempotency(database, locks),
    logError: log,
  });
  const document = openApiText(describeStaffRoutes(routes));
  registerFixedText(app, `${STAFF_PREFIX}/openapi.json`, "application/json; charset=utf-8", document, {});
  registerDashboard(app, { dashboardUrl, isLocal, build: buildDashboard, log });
}
