import { BODY_WAIT_MS, INTENT_LIFETIME_MINUTES_MAX, INTENT_LIFETIME_MINUTES_MIN } from "../domain/limits.ts";
import { readDevHosts } from "../features/webhooks/sending/resolver.ts";
import { readFailpoint } from "../lib/failpoint.ts";
import { LOG_FORMATS } from "../lib/log.ts";
import { readHosts } from "../store/hosts.ts";
import { CHAIN, type ChainSettings, chainForm, HTTP, LOCAL_CHAIN, shownName } from "./chainSettings.ts";
import {
  address,
  choice,
  type Env,
  form,
  integer,
  list,
  matching,
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

const databaseAddress = form(
  "postgresql://…",
  (given) => {
    readHosts(String(given));
    return String(given);
  },
  { isSecret: true },
);

/** Each property is read from the variable of its name in capitals: `apiUrl` from `API_URL`. */
const SERVICE = {
  port: setting(integer(1, 65_000), 3000, "port of the API, the checkout pages, `/docs`, health and metrics"),
  host: setting(text, "localhost", "address to listen on; `localhost` is both loopback addresses"),
  role: setting(
    choice("all", "api", "worker"),
    "all",
    "`api` answers requests, `worker` watches the chain and delivers webhooks, `all` does both",
  ),
  // So that a copy of a deployment touches nobody outside it.
  hold: setting(
    list(choice("webhooks", "keeper")),
    [],
    "parts that this process leaves alone, so that [a copy](how-to/back-up-and-restore.md#rehearse-on-a-copy) touches nobody: `webhooks` sends no event (what is due stays due) and checks no domain by itself, `keeper` pays nothing out and signs for no sponsor. One log line at the start, and `holdfast_held`",
  ),
  dataDir: setting(text, ".data", "folder of the embedded database, the local chain and `ready.json`"),
  databaseUrl: setting(
    databaseAddress,
    null,
    "PostgreSQL 15 or newer; several hosts between commas are tried in order, and `target_session_attrs` (`read-write`, `primary`, `any`; with several hosts `read-write` unless it says otherwise) passes over those that only read ([fail over](how-to/fail-over.md))",
    "the embedded PostgreSQL",
  ),
  databasePlanMode: setting(
    choice("generic", "auto", "custom"),
    "generic",
    "planning of statements: `generic` once for all values, as measured; `auto` leaves it to PostgreSQL; `custom` plans each call. For a server that plans differently",
  ),
  apiUrl: setting(
    url(...HTTP),
    null,
    "address of the API as merchants see it, `/api/v1` included; only shown",
    "`http://localhost:PORT/api/v1`",
  ),
  checkoutUrl: setting(
    url(...HTTP),
    null,
    "address before `/pay/i/…` in every `checkoutUrl`; buyers' pages answer under its host alone",
    "`http://localhost:PORT`",
  ),
  dashboardUrl: setting(
    url(...HTTP),
    null,
    "address of the dashboard; sessions and passkeys belong to its host, so it is a name, and `https` unless it is `localhost`; the dashboard answers under it alone. Give it a host of its own",
    "`http://localhost:PORT/dashboard`",
  ),
  operatorName: setting(shownName, null, "name of the site's operator: buyers see it below the checkout"),
  operatorUrl: setting(url("https:"), null, "page about the site's operator: imprint, terms, privacy"),
  clientAddressHeader: setting(
    matching(/^[A-Za-z0-9-]{1,64}$/, "the name of a header, such as X-Forwarded-For"),
    null,
    "header in which your proxy says which address asks, such as `X-Forwarded-For` (its last entry counts): for the limits of checkout and sign-in. Set it behind a proxy, or everybody shares one limit; never without one, or anybody names any address",
  ),
  smtpUrl: setting(
    url("smtp:", "smtps:"),
    null,
    "server of letters, such as `smtps://user:password@host:port`: invitations, links for new passwords, and changes of an account or a business (§13.3.5); the way there must be encrypted, except to `localhost`",
    "none: no letters",
  ),
  mailFrom: setting(text, null, "sender of letters"),
  metricsToken: setting(
    secret,
    null,
    "token that may read `/metrics` as `Authorization: Bearer …`; without one only this machine may",
  ),
  logFormat: setting(
    choice(...LOG_FORMATS),
    "text",
    "`json` writes each line of both outputs as one JSON object: `time`, `level`, `message` and, where there is one, `error`",
  ),
  logRequests: setting(
    toggle,
    false,
    "`on` writes a line of the log for each request that is answered: method, route, status, milliseconds and `Request-Id`; nothing of headers, query or body, and no id of the path",
  ),
  requestLog: setting(toggle, true, "`off` keeps no requests of the merchant API (§13.9)"),
  requestLogPerSecondMax: setting(
    integer(1, 100_000),
    500,
    "requests that are kept, a second and process, of those that succeed, as many of those that fail, and as many of those beyond a rate; the rest is dropped and counted",
  ),
  batchItemsMax: setting(
    integer(1, 1_000),
    100,
    "number of calls of one moment that share a statement; `1` switches sharing off",
  ),
  bodyWaitMs: setting(integer(100, BODY_WAIT_MS), BODY_WAIT_MS, "time in which a request's body must arrive"),
};

const INTENTS = {
  intentLifetimeMinutes: setting(
    integer(INTENT_LIFETIME_MINUTES_MIN, INTENT_LIFETIME_MINUTES_MAX),
    1_440,
    "time in which an intent can be paid",
  ),
  bindCommitment: setting(
    choice("confirmed", "finalized"),
    "confirmed",
    "commitment at which a payment is bound; `finalized` takes some seconds longer and cannot be undone",
  ),
  allowedMints: setting(
    list(address),
    [],
    "mints to accept although one of their extensions could take the funds or change the token; with a transfer hook set, checkout and keeper [do not serve them](decisions/0028-the-keeper-serves-no-hooks.md)",
  ),
  eventRetentionDays: setting(
    integer(4, 3_650),
    30,
    "days for which events (up to a week more) and the history of deliveries are kept",
  ),
  webhookKeysFile: setting(
    text,
    null,
    "file with the keys that encrypt the signing secrets and those of authenticator apps",
    "a file in `DATA_DIR`, with the local chain only",
  ),
  webhookKeys: setting(secret, null, "the same keys as JSON, in place of a file"),
};

const CHAINS = {
  testChain: setting(chainForm("test"), null, "chain of `test`"),
  liveChain: setting(chainForm("live"), null, "chain of `live`"),
};

const DEVELOPMENT = {
  local: setting(
    toggle,
    false,
    "`on` allows the local chain and its demo also where a public address or a database is set; without effect where a chain is",
  ),
  rpcPort: setting(
    integer(1, 65_000),
    null,
    "port of the local chain's RPC; its WebSocket and the controls take the two after it",
    "`PORT` + 1",
  ),
  localChain: setting(
    LOCAL_CHAIN,
    readOwn(LOCAL_CHAIN, {}),
    "pace and programs of the local chain",
    "the defaults below",
  ),
  webhookDevHosts: setting(
    form('a JSON object such as {"hooks.shop-demo.com": "127.0.0.1:8443"}', (given) => readDevHosts(String(given))),
    new Map() as ReturnType<typeof readDevHosts>,
    "names that lead to a loopback address and port (§6.1.7); refused with a live chain",
  ),
  webhookCaFile: setting(text, null, "certificate to trust at webhook endpoints; refused with a live chain"),
  holdfastFailpoint: setting(
    form("a name, or name:count", (given) => readFailpoint(String(given)) ?? undefined),
    null,
    "point at which the process ends, for tests of crashes; refused with a live chain",
  ),
};

const VARIABLES = { ...SERVICE, ...INTENTS, ...CHAINS, ...DEVELOPMENT };
type Variables = Values<typeof VARIABLES>;

/** The tables of docs/settings.md: variables by groups, then the members of those that are JSON. */
export const TABLES = {
  variables: { service: SERVICE, intents: INTENTS, chains: CHAINS, development: DEVELOPMENT },
  members: { chain: CHAIN, "local chain": LOCAL_CHAIN.members },
};

/** The present names of all variables of before. */
export const RENAMED: ReadonlyMap<string, string> = new Map([
  ...renamedIn(VARIABLES),
  ...(["sweepMs", "revertSlots", "revertApartMs"] as const).map(
    (name) => [variableOf(name), `${name} in TEST_CHAIN and LIVE_CHAIN`] as const,
  ),
]);

/** The settings of a process, each under its own name, and what follows from several of them. */
export interface Config extends Omit<Variables, "apiUrl" | "checkoutUrl" | "dashboardUrl" | "rpcPort" | "requestLog"> {
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  readonly dashboardUrl: string;
  readonly rpcPort: number;
  /** Empty: `test` is the local chain of DATA_DIR. */
  readonly chains: readonly ChainSettings[];
  readonly held: ReadonlySet<Variables["hold"][number]>;
  /** The operator of the site, as buyers read it; null if none is named. */
  readonly siteOperator: { readonly name: string; readonly url: string | null } | null;
  readonly mail: MailSettings;
  readonly intentLifetimeMs: number;
  /** In lower case; null: there is no proxy. */
  readonly addressHeader: string | null;
  /** The number of requests of the merchant API that are kept; null: none. */
  readonly requestLog: { readonly perSecondMax: number } | null;
  readonly webhooks: WebhookSettings;
}

export interface MailSettings {
  /** No letters are sent without one. */
  readonly smtpUrl: string | null;
  readonly from: string;
}

interface WebhookSettings {
  /** The keys that encrypt signing secrets, as text or in a file. With neither, a local run makes one in DATA_DIR. */
  readonly keys: string | null;
  readonly keysFile: string | null;
  /** Names that resolve to a loopback address, and a certificate authority to trust: for development and tests. */
  readonly devHosts: Variables["webhookDevHosts"];
  readonly caFile: string | null;
  readonly retentionDays: number;
}

/** Settings are wrong; the message has a line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const MINUTE_MS = 60_000;

export const refuseOldNames = (env: Env): string[] =>
  [...RENAMED].filter(([old]) => env[old]).map(([old, now]) => `${old} is now ${now}.`);

/** Reads the settings from the environment; throws {@link ConfigError} with all that is wrong at once. */
export function readConfig(env: Env): Config {
  const problems = refuseOldNames(env);
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
    // A chain that is set and wrong has its own lines.
    ...(env.TEST_CHAIN || env.LIVE_CHAIN || config.local ? [] : refusePublicDemo(config)),
    ...(env.LIVE_CHAIN ? refuseTestSettings(env) : []),
    ...(config.rpcPort <= port && port <= config.rpcPort + 2
      ? ["RPC_PORT and the two ports after it must not meet PORT."]
      : []),
  );
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return config;
}

/** Settings that mean nothing without another. */
function refusePairs({ operatorName, operatorUrl, smtpUrl, mailFrom }: Variables): string[] {
  return [
    ...(operatorUrl !== null && operatorName === null
      ? ["OPERATOR_URL is set without OPERATOR_NAME: a link needs a name."]
      : []),
    ...(smtpUrl !== null && mailFrom === null
      ? ["MAIL_FROM is needed with SMTP_URL: the address letters come from."]
      : []),
    ...(smtpUrl === null && mailFrom !== null ? ["MAIL_FROM is set without SMTP_URL. Set both, or neither."] : []),
  ];
}

/** Sessions and passkeys belong to the dashboard's host: a name, since a passkey is bound to one; by http on this machine alone. */
function refuseDashboard({ dashboardUrl }: Config): string[] {
  const { protocol, hostname } = new URL(dashboardUrl);
  if (/^[\d.]+$|^\[/.test(hostname))
    return ["DASHBOARD_URL must name its host: passkeys do not work by an IP address."];
  if (protocol === "https:" || hostname === "localhost" || hostname.endsWith(".localhost")) return [];
  return [
    "DASHBOARD_URL must start with https://, unless it is on localhost: a session's cookie must not travel openly.",
  ];
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);

/** Without a chain a local one is played, with a faucet, a demo business and its owner's sign-in: nothing for the public. */
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

/** With a live chain nothing may be weakened that only tests and development need. */
const refuseTestSettings = (env: Env): string[] => [
  ...(env.HOLDFAST_FAILPOINT
    ? ["HOLDFAST_FAILPOINT ends the process for tests; with a live chain it is refused."]
    : []),
  ...["WEBHOOK_DEV_HOSTS", "WEBHOOK_CA_FILE"]
    .filter((name) => env[name])
    .map((name) => `${name} is for development and tests; it is refused where a live chain is set.`),
];
