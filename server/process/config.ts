import { LANGUAGES } from "../app/languages/languages.ts";
import { COMMITMENTS } from "../chain/consensus.ts";
import { idPattern } from "../domain/ids.ts";
import { BODY_WAIT_MS, INTENT_LIFETIME_MINUTES_MAX, INTENT_LIFETIME_MINUTES_MIN } from "../domain/limits.ts";
import { GROUP_ROLES, type Grant, type GroupRole } from "../features/staff/provider/company.ts";
import { type DevHosts, readDevHosts } from "../features/webhooks/sending/resolver.ts";
import { readFailpoint } from "../lib/failpoint.ts";
import { LOG_FORMATS } from "../lib/log.ts";
import { isLoopback } from "../lib/loopback.ts";
import { readHosts } from "../store/hosts.ts";
import { CHAIN, type ChainSettings, chainForm, HTTP, LOCAL_CHAIN, shownName } from "./chainSettings.ts";
import { assetPars, NO_PARS, spread } from "./priceSettings.ts";
import { readSecretFiles } from "./secretFiles.ts";
import {
  address,
  choice,
  type Env,
  file,
  form,
  integer,
  isObject,
  list,
  matching,
  needed,
  object,
  readOwn,
  readVariables,
  renamedIn,
  secret,
  setting,
  text,
  toggle,
  url,
  type Values,
  variableOf,
} from "./setting.ts";

const httpUrl = url(...HTTP);
const readDatabaseUrl = (given: unknown) => readHosts(String(given)) && String(given);
const databaseAddress = form("postgresql://…", readDatabaseUrl, { isSecret: true });
const headerName = matching(/^[A-Za-z0-9-]{1,64}$/, "the name of a header, such as X-Forwarded-For");
const lifetimeMinutes = integer(INTENT_LIFETIME_MINUTES_MIN, INTENT_LIFETIME_MINUTES_MAX);
const devHosts = form('JSON such as {"hooks.shop-demo.com": "127.0.0.1:8443"}', (given) => readDevHosts(String(given)));
const NO_HOSTS: DevHosts = new Map();
/** With a path and a trailing slash, if the provider has them. */
const issuerUrl = form("an address that starts with https://, or with http:// on this machine", readIssuer);
const scopes = matching(/^openid( [\x21\x23-\x5B\x5D-\x7E]+)*$/, "openid and further scopes, between blanks");
const NO_GROUPS: ReadonlyMap<string, Grant> = new Map();
const failpoint = form("a name, or name:count", (given) => readFailpoint(String(given)) ?? undefined);

const groupGrants = form(
  'an object such as {"payments-team": {"biz_…": "developer"}, "platform": {"deployment": "operator"}}',
  readGrants,
);
const parameters = form('an object of texts, such as {"access_type": "offline"}', readParameters);

/** The members of `COMPANY_SIGN_IN`. */
const COMPANY = object({
  name: needed(shownName, "name of the company, for the button"),
  issuer: needed(issuerUrl, "address of its OpenID Connect provider, exactly as the provider calls itself"),
  clientId: needed(text, "id of this deployment at the provider"),
  clientSecretFile: needed(file, "file with the client secret"),
  scopes: setting(scopes, "openid email profile offline_access", "scopes that are asked for"),
  groupsClaim: setting(text, "groups", "claim with the groups of a person"),
  groups: setting(groupGrants, NO_GROUPS, "what each group gives: roles in businesses, or operator of the deployment"),
  parameters: setting(parameters, {}, "further parameters of the authorization request"),
});

/** Each property is read from the variable of its name in capitals: `apiUrl` from `API_URL`. */
const SERVICE = {
  port: setting(integer(1, 65_000), 3000, "port of the API, the checkout pages, `/docs`, health and metrics"),
  host: setting(text, "localhost", "address to listen on; `localhost` is both loopback addresses"),
  role: setting(choice("all", "api", "worker"), "all", "work of this process"),
  hold: setting(list(choice("webhooks", "keeper")), [], "parts that this process leaves alone"),
  dataDir: setting(text, ".data", "folder of the embedded database, the local chain and `ready.json`"),
  databaseUrl: setting(databaseAddress, null, "PostgreSQL 15 or newer", "the embedded PostgreSQL"),
  databasePlanMode: setting(choice("generic", "auto", "custom"), "generic", "planning of statements"),
  apiUrl: setting(
    httpUrl,
    null,
    "address of the API as merchants see it; only shown",
    "`http://localhost:PORT/api/v1`",
  ),
  checkoutUrl: setting(httpUrl, null, "address before `/pay/i/…` in every `checkoutUrl`", "`http://localhost:PORT`"),
  dashboardUrl: setting(httpUrl, null, "address of the dashboard", "`http://localhost:PORT/dashboard`"),
  operatorName: setting(shownName, null, "name of the site's operator, shown below the checkout"),
  operatorUrl: setting(url("https:"), null, "page about the site's operator: imprint, terms, privacy"),
  clientAddressHeader: setting(headerName, null, "header in which your proxy says which address asks"),
  companySignIn: setting(COMPANY, null, "your OpenID Connect provider, by which staff sign in (§13.24)", "none"),
  languages: setting(
    list(choice(...LANGUAGES.map(({ tag }) => tag))),
    [],
    "languages of buyers' pages and emails that nobody who speaks them has read; English, and those that somebody read, are always on",
  ),
  smtpUrl: setting(url("smtp:", "smtps:"), null, "server that sends emails (§13.3)", "none: no emails"),
  mailFrom: setting(text, null, "sender of emails"),
  metricsToken: setting(secret, null, "token that may read `/metrics`; without one only this machine may"),
  logFormat: setting(choice(...LOG_FORMATS), "text", "form of each line of both outputs"),
  logRequests: setting(toggle, false, "a line of the log for each request that is answered"),
  requestLog: setting(toggle, true, "requests of the merchant API are kept (§13.9)"),
  requestLogPerSecondMax: setting(integer(1, 100_000), 500, "requests that are kept, a second and process"),
  backupFile: setting(text, null, "file that each finished backup touches; workers report its age"),
  batchItemsMax: setting(integer(1, 1_000), 100, "calls of one moment that share a statement; `1`: none share"),
  bodyWaitMs: setting(integer(100, BODY_WAIT_MS), BODY_WAIT_MS, "time in which a request's body must arrive"),
};

/** The members of `SCREENING`. */
const SCREENING = object({
  url: needed(httpUrl, "address that is asked by POST before a checkout is built (§4.14.10)"),
  tokenFile: setting(file, null, "file with a token, sent as `Authorization: Bearer`"),
  silence: needed(choice("allow", "refuse"), "meaning of no answer within a second"),
});

const INTENTS = {
  intentLifetimeMinutes: setting(lifetimeMinutes, 1_440, "time in which an intent can be paid"),
  bindCommitment: setting(
    choice(...COMMITMENTS),
    COMMITMENTS[0],
    "commitment at which a payment is bound, before Alpenglow",
  ),
  allowedMints: setting(list(address), [], "mints to accept in spite of a risky extension"),
  eventRetentionDays: setting(integer(4, 3_650), 30, "days for which events and the history of deliveries are kept"),
  disputeRetentionDays: setting(
    integer(7, 36_500),
    365,
    "days for which the texts and files of an ended dispute are kept (§17.6)",
  ),
  intentRetentionDays: setting(
    integer(30, 36_500),
    null,
    "days after its expiry for which an intent that nobody paid is kept (§10.17)",
    "none: for ever",
  ),
  assetPars: setting(
    assetPars,
    NO_PARS,
    "tokens that stand for a currency, for prices (§4.21) and the books (§13.23)",
    "none",
  ),
  priceSpread: setting(spread, "0.01", "part that is added to a price in a currency for a token that is not at par"),
  ratesUrl: setting(
    url("https:"),
    null,
    "address of daily rates in the form of the European Central Bank's `eurofxref-hist-90d.xml`",
  ),
  ratesFile: setting(
    text,
    null,
    "file with rates: CSV of date, currency and what one euro is worth, or the bank's XML; CSV also of time, mint, currency and what one token is worth",
  ),
  screening: setting(SCREENING, null, "your service that says whether a wallet may pay", "none: all may"),
  webhookKeysFile: setting(
    file,
    null,
    "file with the keys that encrypt secrets",
    "a file in `DATA_DIR` on a local run",
  ),
  webhookKeys: setting(secret, null, "the same keys as JSON, in place of a file"),
};

const CHAINS = {
  testChain: setting(chainForm("test"), null, "chain of `test`"),
  liveChain: setting(chainForm("live"), null, "chain of `live`"),
};

const DEVELOPMENT = {
  local: setting(toggle, false, "the local chain may run where a public address or a database is set"),
  rpcPort: setting(integer(1, 65_000), null, "first of three ports of the local chain", "`PORT` + 1"),
  localChain: setting(LOCAL_CHAIN, readOwn(LOCAL_CHAIN, {}), "pace and programs of the local chain", "as below"),
  webhookDevHosts: setting(devHosts, NO_HOSTS, "names that lead to a loopback address and port (§6.1.7)"),
  webhookCaFile: setting(text, null, "certificate to trust at webhook endpoints"),
  holdfastFailpoint: setting(failpoint, null, "point at which the process ends, for tests of crashes"),
};

const VARIABLES = { ...SERVICE, ...INTENTS, ...CHAINS, ...DEVELOPMENT };
type Variables = Values<typeof VARIABLES>;

/** The tables of docs/settings.md: variables by groups, then the members of those that are JSON. */
export const TABLES = {
  variables: { service: SERVICE, intents: INTENTS, chains: CHAINS, development: DEVELOPMENT },
  members: {
    chain: CHAIN,
    "company sign-in": COMPANY.members,
    screening: SCREENING.members,
    "local chain": LOCAL_CHAIN.members,
  },
};

/** The present names of all earlier variables. */
export const RENAMED: ReadonlyMap<string, string> = new Map([
  ...renamedIn(VARIABLES),
  ...(["sweepMs", "revertSlots", "revertApartMs"] as const).map(
    (name) => [variableOf(name), `${name} in TEST_CHAIN and LIVE_CHAIN`] as const,
  ),
]);

/** The settings of a process, each under its own name, and values that follow from several of them. */
export interface Config extends Omit<Variables, "apiUrl" | "checkoutUrl" | "dashboardUrl" | "rpcPort" | "requestLog"> {
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  readonly dashboardUrl: string;
  readonly rpcPort: number;
  /** Empty: `test` is the local chain of DATA_DIR. */
  readonly chains: readonly ChainSettings[];
  readonly held: ReadonlySet<Variables["hold"][number]>;
  /** The operator of the site, whom buyers see; null if none is named. */
  readonly siteOperator: { readonly name: string; readonly url: string | null } | null;
  readonly mail: MailSettings;
  readonly intentLifetimeMs: number;
  /** The header's name in lower case; null: there is no proxy. */
  readonly addressHeader: string | null;
  /** The number of requests of the merchant API to record; null: none. */
  readonly requestLog: { readonly perSecondMax: number } | null;
  readonly webhooks: WebhookSettings;
}

export interface MailSettings {
  /** Null: no email is sent. */
  readonly smtpUrl: string | null;
  readonly from: string;
}

interface WebhookSettings {
  /** The keys that encrypt signing secrets, as text or in a file. With neither, a local run makes one in DATA_DIR. */
  readonly keys: string | null;
  readonly keysFile: string | null;
  /** Names that resolve to a loopback address, and a certificate authority to trust: for development and tests. */
  readonly devHosts: DevHosts;
  readonly caFile: string | null;
  readonly retentionDays: number;
}

/** Settings are invalid; the message has a line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const MINUTE_MS = 60_000;

/** The provider's address, as it is; undefined if it is none that tokens may travel to. */
function readIssuer(given: unknown): string | undefined {
  const address = URL.parse(String(given));
  if (address === null || address.search !== "" || address.hash !== "" || address.username !== "") return undefined;
  const isSafe = address.protocol === "https:" || (address.protocol === "http:" && isLoopback(address.hostname));
  return isSafe ? String(given) : undefined;
}

const GROUPS_MAX = 500;
const BUSINESS_ID = new RegExp(idPattern("biz"));
/** What groups give; undefined if it is no such object. People alone make owners. */
function readGrants(given: unknown): ReadonlyMap<string, Grant> | undefined {
  if (!isObject(given) || Object.keys(given).length > GROUPS_MAX) return undefined;
  const groups = new Map<string, Grant>();
  for (const [group, gives] of Object.entries(given)) {
    if (!isObject(gives)) return undefined;
    const { deployment, ...inBusinesses } = gives;
    if (deployment !== undefined && deployment !== "operator") return undefined;
    const roles = new Map<string, GroupRole>();
    for (const [businessId, name] of Object.entries(inBusinesses)) {
      const role = GROUP_ROLES.find((one) => one === name);
      if (!BUSINESS_ID.test(businessId) || role === undefined) return undefined;
      roles.set(businessId, role);
    }
    groups.set(group, { roles, isOperator: deployment === "operator" });
  }
  return groups;
}

/** Parameters that the flow itself sets. */
const OWN_PARAMETERS =
  /^(client_id|code_challenge|code_challenge_method|max_age|nonce|redirect_uri|request|request_uri|response_mode|response_type|scope|state)$/;

function readParameters(given: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(given)) return undefined;
  const isRight = ([name, value]: [string, unknown]) => !OWN_PARAMETERS.test(name) && typeof value === "string";
  return Object.entries(given).every(isRight) ? (given as Readonly<Record<string, string>>) : undefined;
}

/** What to do in place of the variables of before that are gone. */
const GONE: ReadonlyMap<string, string> = new Map([
  ["API_PROCESSES", "start that many processes with ROLE=api, each with a PORT of its own, behind your proxy"],
  ["CELL_SERVERS", "all processes share the database of DATABASE_URL"],
]);

/** Refuses variables of before: what they did would be left undone without a word. */
export const refuseOldNames = (env: Env): string[] => [
  ...[...RENAMED].filter(([old]) => env[old]).map(([old, now]) => `${old} is now ${now}.`),
  ...[...GONE].filter(([old]) => env[old]).map(([old, instead]) => `${old} is gone: ${instead}. Unset it.`),
];

/** Reads the settings from the environment; throws {@link ConfigError} with all errors at once. */
export function readConfig(environment: Env): Config {
  const problems = refuseOldNames(environment);
  const env = readSecretFiles(environment, problems);
  const given = readVariables(VARIABLES, env, problems);
  const { port, testChain, liveChain, operatorName: name, smtpUrl } = given;
  const config: Config = {
    ...given,
    rpcPort: given.rpcPort ?? port + 1,
    apiUrl: given.apiUrl ?? `http://localhost:${port}/api/v1`,
    checkoutUrl: given.checkoutUrl ?? `http://localhost:${port}`,
    dashboardUrl: given.dashboardUrl ?? `http://localhost:${port}/dashboard`,
    chains: [
      ...(testChain === null ? [] : [{ environment: "test" as const, ...testChain }]),
      ...(liveChain === null ? [] : [{ environment: "live" as const, ...liveChain }]),
    ],
    held: new Set(given.hold),
    siteOperator: name === null ? null : { name, url: given.operatorUrl },
    mail: { smtpUrl, from: given.mailFrom ?? "" },
    intentLifetimeMs: given.intentLifetimeMinutes * MINUTE_MS,
    addressHeader: given.clientAddressHeader?.toLowerCase() ?? null,
    requestLog: given.requestLog ? { perSecondMax: given.requestLogPerSecondMax } : null,
    webhooks: {
      keys: given.webhookKeys,
      keysFile: given.webhookKeysFile,
      devHosts: given.webhookDevHosts,
      caFile: given.webhookCaFile,
      retentionDays: given.eventRetentionDays,
    },
  };
  problems.push(
    ...refusePairs(given),
    ...refuseDashboard(config),
    // A chain that is set and invalid has its own lines.
    ...(env.TEST_CHAIN || env.LIVE_CHAIN || config.local ? [] : refusePublicDemo(config)),
    ...(env.LIVE_CHAIN ? refuseTestSettings(env) : []),
    ...(config.rpcPort <= port && port <= config.rpcPort + 2
      ? ["RPC_PORT and the two ports after it must not meet PORT."]
      : []),
  );
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return config;
}

/** Refuses settings that have no meaning without another. */
function refusePairs({ operatorName, operatorUrl, smtpUrl, mailFrom }: Variables): string[] {
  return [
    ...(operatorUrl !== null && operatorName === null
      ? ["OPERATOR_URL is set without OPERATOR_NAME: a link needs a name."]
      : []),
    ...(smtpUrl !== null && mailFrom === null
      ? ["MAIL_FROM is needed with SMTP_URL: the address emails come from."]
      : []),
    ...(smtpUrl === null && mailFrom !== null ? ["MAIL_FROM is set without SMTP_URL. Set both, or neither."] : []),
  ];
}

/**
 * Checks the dashboard's address. Sessions and passkeys belong to its host: a name, since a passkey is bound to one. Plain
 * http is for this machine alone.
 */
function refuseDashboard({ dashboardUrl }: Config): string[] {
  const { protocol, hostname } = new URL(dashboardUrl);
  if (/^[\d.]+$|^\[/.test(hostname))
    return ["DASHBOARD_URL must name its host: passkeys do not work by an IP address."];
  if (protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost")) return [];
  return [
    "DASHBOARD_URL must start with https://, unless it is on localhost: a session's cookie must not travel openly.",
  ];
}

/**
 * Refuses a public local chain. Without a configured chain a local one runs, with a faucet, a demo business and its
 * owner's sign-in: they are not for the public.
 */
function refusePublicDemo({ apiUrl, checkoutUrl, dashboardUrl, host, databaseUrl }: Config): string[] {
  const addresses = { API_URL: apiUrl, CHECKOUT_URL: checkoutUrl, DASHBOARD_URL: dashboardUrl };
  const reasons = [
    ...Object.entries(addresses).flatMap(([name, one]) => (one.startsWith("https:") ? [`${name} is https`] : [])),
    ...(isLoopback(host) ? [] : ["HOST is not this machine alone"]),
    ...(databaseUrl === null ? [] : ["DATABASE_URL is set"]),
  ];
  if (reasons.length === 0) return [];
  return [
    `TEST_CHAIN or LIVE_CHAIN is needed where ${reasons.join(" and ")}: without one the service plays a demo. LOCAL=on allows the demo.`,
  ];
}

/** Refuses, with a live chain, settings for tests and development, which weaken it. */
const refuseTestSettings = (env: Env): string[] => [
  ...(env.HOLDFAST_FAILPOINT
    ? ["HOLDFAST_FAILPOINT ends the process for tests; with a live chain it is refused."]
    : []),
  ...["WEBHOOK_DEV_HOSTS", "WEBHOOK_CA_FILE"]
    .filter((name) => env[name])
    .map((name) => `${name} is for development and tests; it is refused where a live chain is set.`),
];
