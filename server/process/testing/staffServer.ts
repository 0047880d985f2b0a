import type { AddressInfo } from "node:net";
import { findFreePorts } from "../../../tests/harness/ports.ts";
import { Browser } from "../../../tests/harness/staffBrowser.ts";
import { emailFinders } from "../../app/emails.ts";
import { openLanguages } from "../../app/languages/languages.ts";
import { staffAdmission, staffRoutes } from "../../app/staffRoutes.ts";
import type { Chain } from "../../chain/chain.ts";
import { type ChainReader, ChainUnavailableError } from "../../chain/port.ts";
import type { Visitor } from "../../domain/callers.ts";
import type { Role } from "../../domain/roles.ts";
import { Idempotency } from "../../edge/http/idempotency.ts";
import type { Route } from "../../edge/http/route.ts";
import { createServer } from "../../edge/http/server.ts";
import { registerStaffApi } from "../../edge/staff/api.ts";
import { browserCookie, companyCookie, sessionCookie } from "../../edge/staff/cookies.ts";
import { registerDashboard } from "../../edge/staff/dashboard.ts";
import { STAFF_PREFIX } from "../../edge/staff/description.ts";
import { countLooks } from "../../edge/staff/lookLimit.ts";
import { registerLogos } from "../../features/businesses/buyer.ts";
import { createTermsCheck } from "../../features/chains/terms.ts";
import type { DomainLookups } from "../../features/domains/check.ts";
import { createEmailStep, type Message } from "../../features/emails/send.ts";
import type { WatchOf } from "../../features/overview/overview.ts";
import { quoteFinder } from "../../features/rates/priceQuotes.ts";
import type { Pars } from "../../features/rates/rate.ts";
import type { RecipientLook } from "../../features/recipients/recipient.ts";
import type { StaffContext } from "../../features/staff/context.ts";
import { insertMember } from "../../features/staff/members/queries.ts";
import type { Provider } from "../../features/staff/provider/provider.ts";
import { hashPassword } from "../../features/staff/signIn/password.ts";
import { insertUser } from "../../features/staff/signIn/queries.ts";
import { testContext } from "../../features/testing.ts";
import type { Resolve } from "../../features/webhooks/sending/resolver.ts";
import { type KeyRing, newKeyRing, sealingOf } from "../../features/webhooks/sending/secret.ts";
import type { Database } from "../../store/database.ts";
import { SessionLocks } from "../../store/locks.ts";
import { sql } from "../../store/sql.ts";
import { openTestDatabase } from "../../store/testing.ts";
import { buildDashboard } from "../dashboardBuild.ts";

const CHECKOUT_URL = "https://pay.shop.example";
const PROMISE = { at: "2020-01-01", until: "2099-12-31", deviationMax: "0.02" };
/** USDC and EURC at par. */
const PARS: Pars = new Map([
  ["EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", { currency: "USD", promise: PROMISE }],
  ["HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr", { currency: "EUR", promise: PROMISE }],
]);
export const PASSWORD = "correct horse battery";
/** Look-ups that find nothing at any name. */
const NO_LOOKUPS: DomainLookups = {
  fetchFile: async () => ({ text: null, isAnswer: true, reason: "answered 404 Not Found" }),
  resolveTexts: async () => [],
};
/** A small part of the real cost: tests sign in again and again. */
const COST = { ln: 11, r: 8, p: 1 };

export interface StaffServer extends AsyncDisposable {
  readonly database: Database;
  readonly databaseUrl: string;
  readonly ctx: StaffContext;
  readonly ring: KeyRing;
  readonly lookups: DomainLookups;
  readonly routes: readonly Route<Visitor>[];
  /** What was sent. */
  readonly emails: Message[];
  /** The lines of the log. */
  readonly lines: string[];
  readonly origin: string;
  /** The address of this server itself. */
  readonly url: string;
  browser(): Browser;
  /** Adds a user with the password of all tests. */
  addUser(email: string, options?: { readonly isOperator?: boolean }): Promise<string>;
  addBusiness(id: string, members?: Readonly<Record<string, Role>>): Promise<string>;
  /** Returns a browser in which the user is signed in. */
  signIn(email: string): Promise<Browser>;
  /** Sends the emails that are due. */
  sendEmails(): Promise<void>;
  /** Sends them, and returns the secret of the last link to an address. */
  awaitLink(email: string): Promise<string>;
  /** Makes the last proof of all sessions too old. */
  age(): Promise<void>;
}

interface StaffServerOptions {
  readonly mail?: boolean;
  readonly passwordCost?: typeof COST;
  readonly pages?: boolean;
  /** The port of another server on this machine that shows the pages and forwards requests to the API. */
  readonly pagesPort?: number;
  /** The reader of the chain; null: there is none. */
  readonly reader?: ChainReader | null;
  /** The chain's answer about every recipient; null: there is none. */
  readonly look?: RecipientLook | null;
  readonly lookups?: typeof NO_LOOKUPS;
  /** The state of each environment's chain, for the home page. */
  readonly watchOf?: WatchOf;
  /** Opens the company's provider. */
  readonly company?: (dashboardUrl: string) => Promise<Provider>;
  /** For tests in which one user causes more look-ups than are allowed. */
  readonly countLook?: (userId: string) => void;
}

const noChain = (): never => {
  throw new ChainUnavailableError("No chain is configured.");
};

/**
 * Starts the staff API on a new database. The dashboard has an https address that is never connected to; with `pages` it
 * is this server's own, for a real browser.
 */
export async function startStaffServer({
  mail = true,
  passwordCost = COST,
  pages = false,
  pagesPort,
  reader = null,
  look = null,
  lookups = NO_LOOKUPS,
  // Its minute never turns.
  countLook = countLooks(undefined, () => 0),
  company,
  watchOf = () => ({ isHeld: false, low: [] }),
}: StaffServerOptions = {}): Promise<StaffServer> {
  const opened = await openTestDatabase();
  const { database } = opened;
  const port = pages ? await findFreePorts(1) : 0;
  const shownPort = pagesPort ?? (pages ? port : null);
  const dashboardUrl =
    shownPort !== null ? `http://localhost:${shownPort}/dashboard` : "https://dash.shop.example/dashboard";
  const { origin } = new URL(dashboardUrl);
  /** One hash for all users, since hashing is slow on purpose. */
  let businesses = 0;
  let hashed: Promise<string> | null = null;
  const emails: Message[] = [];
  const lines: string[] = [];
  const ring = newKeyRing();
  const fetchRecipient = async () => ({ value: look ?? noChain() });
  const chain = {
    reader: { ...reader, fetchRecipient },
    get builder() {
      return noChain();
    },
    get actionSender() {
      return noChain();
    },
  } as unknown as Chain;
  const chainOf = () => (reader === null && look === null ? noChain() : chain);
  const sealing = sealingOf(ring);
  const ctx = testContext<StaffContext>({
    ...{ database, chainOf, countLook, sealing, dashboardUrl, checkoutUrl: CHECKOUT_URL, passwordCost },
    ...createTermsCheck({ database, chainOf: noChain, findChain: () => null }, new Set()),
    findQuote: quoteFinder({ database, pars: PARS, spread: "0.01" }),
    cookie: sessionCookie(dashboardUrl),
    browserCookie: browserCookie(dashboardUrl),
    companyCookie: companyCookie(dashboardUrl),
    company: (await company?.(dashboardUrl)) ?? null,
    sendsEmails: mail,
    log: (line) => void lines.push(line),
  });
  const resolve: Resolve = async () => [{ address: "93.184.216.34", port: 443, listed: false }];
  const routes = staffRoutes(ctx, { ring, lookups, watchOf, resolve });
  const mailer = async (message: Message) => {
    emails.push(message);
    return 250;
  };
  const log = (message: string, error: unknown) => {
    throw new Error(message, { cause: error });
  };
  const sendEmail = createEmailStep({ ...ctx, log }, mailer, emailFinders(ctx, openLanguages([])));
  const sendEmails = async () => {
    while (await sendEmail());
  };
  const { app } = createServer([STAFF_PREFIX]);
  const locks = new SessionLocks(database);
  registerStaffApi(app, {
    ...staffAdmission(database),
    dashboardUrl,
    addressHeader: "x-forwarded-for",
    routes,
    bodyWaitMs: 5_000,
    idempotency: new Idempotency(database, locks),
    logError: (message, error) => console.error(message, error),
  });
  registerLogos(app, ctx, { count: () => null });
  if (pages)
    registerDashboard(app, {
      dashboardUrl,
      isLocal: true,
      company: ctx.company?.settings.name ?? null,
      build: buildDashboard,
      log: (message, error) => console.error(message, error),
    });
  await app.listen({ host: "localhost", port });
  const url = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  await database.rows(
    sql`insert into chains (environment, genesis_hash, program_id, operator)
      select e, e, 'program', 'operator' from unnest(array['test', 'live']) e`,
  );
  const server: StaffServer = {
    database,
    databaseUrl: opened.url,
    ...{ ctx, ring, lookups, routes },
    emails,
    lines,
    origin,
    url,
    browser: () => new Browser(url, origin),
    addUser: async (email, { isOperator = false } = {}) => {
      hashed ??= hashPassword(PASSWORD, passwordCost);
      const address = { shown: email, key: email };
      const user = { email: address, name: email.split("@")[0]!, password: await hashed, isOperator, isArbiter: false };
      return (await insertUser(database, user))!.id;
    },
    addBusiness: async (name, members = {}) => {
      const tag = String(++businesses).padStart(5, "0");
      const id = `biz_${Buffer.from(name.padEnd(16, "-")).toString("hex").slice(0, 27)}${tag}`;
      await database.rows(sql`insert into businesses (id, name, created_at) values (${id}, ${name}, now())`);
      for (const [userId, role] of Object.entries(members)) await insertMember(database, id, userId, role);
      return id;
    },
    signIn: async (email) => {
      const browser = new Browser(url, origin);
      const answer = await browser.post("/sign-in", { email, password: PASSWORD });
      if (answer.status !== 200) throw new Error(`The sign-in of ${email} failed: ${answer.text}`);
      return browser;
    },
    sendEmails,
    awaitLink: async (email) => {
      await sendEmails();
      const links = emails
        .filter(({ to }) => to === email)
        .flatMap(({ text }) => /#\w+=([\w.-]+)/.exec(text)?.[1] ?? []);
      return links.at(-1)!;
    },
    age: async () => void (await database.rows(sql`update sessions set proven_at = now() - interval '11 minutes'`)),
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await locks.close();
      await opened[Symbol.asyncDispose]();
    },
  };
  return server;
}
