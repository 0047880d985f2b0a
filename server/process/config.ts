import { isAddress } from "../domain/addresses.ts";
import { BODY_WAIT_MS, INTENT_LIFETIME_MINUTES_MAX, INTENT_LIFETIME_MINUTES_MIN } from "../domain/limits.ts";
import type { Environment } from "../domain/terms.ts";
import type { ArbiterLabel, ConfirmedBySetting } from "../features/chains/chain.ts";
import { type DevHosts, readDevHosts } from "../features/webhooks/sending/resolver.ts";
import { readFailpoint } from "../lib/failpoint.ts";
import { LOG_FORMATS, type LogFormat } from "../lib/log.ts";
import { readHosts } from "../store/hosts.ts";
import { type Env, SettingsReader } from "./settingsReader.ts";
import { readSponsor, SPONSOR_COMPANIONS, type SponsorSettings } from "./sponsorSettings.ts";

/** What may be held, so that a copy of a deployment touches nobody outside it. */
const HELD = ["webhooks", "keeper"] as const;
type Held = (typeof HELD)[number];

/** One environment's chain, as set by `<ENV>_RPC_URLS` and its companions. */
export interface ChainSettings {
  readonly environment: Environment;
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  readonly programId: string;
  readonly operator: string;
  readonly arbiterLabel: ArbiterLabel;
  readonly confirmed: ConfirmedBySetting;
  /** The most that a checkout offers for priority: micro-lamports per compute unit. */
  readonly checkoutUnitPriceMax: number;
  /** By asset (`*`: any other), the amounts from which a second node must show a payment before it is bound. */
  readonly secondNodeFrom: ReadonlyMap<string, bigint>;
  /** Null: no keeper. */
  readonly keeper: KeeperSettings | null;
  /** Null: nobody pays for buyers. */
  readonly sponsor: SponsorSettings | null;
}

export interface KeeperSettings {
  /** A JSON array of 64 bytes, as wallets write it. */
  readonly keyFile: string;
  /** The priority fee it offers: micro-lamports per compute unit. */
  readonly unitPrice: number;
  /** How many transactions it has under way at once. */
  readonly concurrency: number;
  /** Below so many lamports of its fee payer the log says so. */
  readonly balanceMin: number;
  /** Wallets of the deployment, other than the fee payer, that paid for payments' accounts. */
  readonly rentPayers: readonly string[];
}

/** A payment of 150,000 units then offers at most 0.000075 SOL. */
export const CHECKOUT_UNIT_PRICE_MAX = 500_000;

export interface Config {
  readonly port: number;
  readonly rpcPort: number;
  readonly host: string;
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL of DATA_DIR. */
  readonly databaseUrl: string | null;
  /** Whether PostgreSQL plans a statement once, decides by itself, or plans each call. */
  readonly planMode: "generic" | "auto" | "custom";
  /** Empty: `test` is the local chain of DATA_DIR. */
  readonly chains: readonly ChainSettings[];
  readonly role: "api" | "worker" | "all";
  /** What this process leaves alone: it sends nothing to merchants, or pays nothing out. */
  readonly held: ReadonlySet<Held>;
  /** Where merchants reach the API, `/api/v1` included. */
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  /** Where staff reach the dashboard; by https, or on this machine. */
  readonly dashboardUrl: string;
  /** The operator of the site, as buyers read it; null if none is named. */
  readonly siteOperator: SiteOperator | null;
  readonly mail: MailSettings;
  readonly intentLifetimeMs: number;
  readonly bindCommitment: "confirmed" | "finalized";
  readonly allowedMints: ReadonlySet<string>;
  /** The header in which a proxy names the address of who asks, in lower case; null: there is no proxy. */
  readonly addressHeader: string | null;
  /** The token that /metrics asks for; null: it answers this machine alone. */
  readonly metricsToken: string | null;
  /** How many simultaneous calls may share a statement; 1: none do. */
  readonly batchItemsMax: number;
  readonly logFormat: LogFormat;
  /** True if each request is a line of the log. */
  readonly logRequests: boolean;
  /** How many requests of the merchant API are kept for seven days; null: none. */
  readonly requestLog: { readonly perSecondMax: number } | null;
  readonly webhooks: WebhookSettings;
  /** How long a request's body may take to arrive; tests shorten it. */
  readonly bodyWaitMs: number;
  /** The time between two slots of the local chain; tests shorten it. */
  readonly localSlotMs: number;
  readonly localFinalizedSlots: number;
  /** More programs of the local chain, each as `address=file`. */
  readonly localPrograms: readonly string[];
  /** Whether a local chain's checkout offers wallets' apps. */
  readonly localWalletApps: boolean;
  /** How often a chain that is not local is polled; a subscription wakes the sweep earlier. */
  readonly sweepMs: number;
  /** When a payment that never became final is reverted (§3.3.1). Tests lower it; a live chain may not. */
  readonly revertRule: RevertRule;
  /** The point at which a test ends the process; null in every deployment. */
  readonly failpoint: { readonly name: string; readonly count: number } | null;
}

interface SiteOperator {
  readonly name: string;
  /** A page that says more, by https. */
  readonly url: string | null;
}

interface RevertRule {
  /** How far the chain is final past the creating slot. */
  readonly slots: number;
  /** The time between the two reads. */
  readonly apartMs: number;
}
const REVERT_RULE: RevertRule = { slots: 300, apartMs: 30_000 };

export interface MailSettings {
  /** Null: no letters are sent. */
  readonly smtpUrl: string | null;
  readonly from: string;
}

export interface WebhookSettings {
  /** The keys that encrypt signing secrets, as text or in a file. With neither, a local run makes one in DATA_DIR. */
  readonly keys: string | null;
  readonly keysFile: string | null;
  /** Names that resolve to a loopback address, and a certificate authority to trust: for development and tests. */
  readonly devHosts: DevHosts;
  readonly caFile: string | null;
  /** How long events and the history of deliveries are kept, in days; never less than the retry window. */
  readonly retentionDays: number;
}

/** Settings are wrong; the message has a line for each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const MINUTE_MS = 60_000;
/** The settings of a chain that mean nothing without its RPC URLS. */
const CHAIN_COMPANIONS = [
  "WS_URLS",
  "PROGRAM_ID",
  "OPERATOR",
  "ARBITER",
  "UPGRADE_AUTHORITY",
  "PROGRAM_HASH",
  "ARBITER_NAME",
  "ARBITER_DOMAIN",
  "KEEPER_KEY_FILE",
  "KEEPER_UNIT_PRICE",
  "CHECKOUT_UNIT_PRICE_MAX",
  "SECOND_NODE_FROM",
  "KEEPER_CONCURRENCY",
  "KEEPER_BALANCE_MIN",
  "KEEPER_RENT_PAYERS",
  ...SPONSOR_COMPANIONS,
];

export const KEEPER_DEFAULTS = {
  unitPrice: 0,
  /** A node that answers in 75 ms is asked about 200 times a second, and pays out twice as many parts. */
  concurrency: 16,
  /** 0.05 SOL: 10,000 transactions at the base fee. */
  balanceMin: 50_000_000,
  rentPayers: [],
} as const;

const HTTP = ["http:", "https:"] as const;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Reads the settings from the environment; throws {@link ConfigError} with all that is wrong at once. */
export function readConfig(env: Env): Config {
  const reader = new SettingsReader(env);
  const port = reader.integer("PORT", 3000, 1, 65_000);
  const rpcPort = reader.integer("RPC_PORT", port + 1, 1, 65_000);
  const config: Config = {
    port,
    rpcPort,
    host: reader.text("HOST") ?? "localhost",
    dataDir: reader.text("DATA_DIR") ?? ".data",
    databaseUrl: reader.parsed("DATABASE_URL", readDatabaseUrl, null),
    planMode: reader.choice("DATABASE_PLAN_MODE", ["generic", "auto", "custom"]),
    chains: [readChain(reader, "test", "TEST"), readChain(reader, "live", "LIVE")].filter((one) => one !== null),
    role: reader.choice("ROLE", ["all", "api", "worker"]),
    held: reader.choices("HOLD", HELD),
    apiUrl: reader.url("API_URL", `http://localhost:${port}/api/v1`, HTTP),
    checkoutUrl: reader.url("CHECKOUT_URL", `http://localhost:${port}`, HTTP),
    dashboardUrl: readDashboardUrl(reader, port),
    siteOperator: readSiteOperator(reader),
    mail: readMail(reader),
    intentLifetimeMs:
      reader.integer("INTENT_LIFETIME_MINUTES", 1_440, INTENT_LIFETIME_MINUTES_MIN, INTENT_LIFETIME_MINUTES_MAX) *
      MINUTE_MS,
    bindCommitment: reader.choice("BIND_COMMITMENT", ["confirmed", "finalized"]),
    allowedMints: reader.addresses("ALLOWED_MINTS"),
    addressHeader: readHeaderName(reader, "CLIENT_ADDRESS_HEADER"),
    metricsToken: reader.text("METRICS_TOKEN"),
    batchItemsMax: reader.integer("BATCH_ITEMS_MAX", 100, 1, 1_000),
    logFormat: reader.choice("LOG_FORMAT", LOG_FORMATS),
    logRequests: reader.choice("LOG_REQUESTS", ["off", "on"]) === "on",
    requestLog: readRequestLog(reader),
    webhooks: readWebhooks(reader),
    bodyWaitMs: reader.integer("BODY_WAIT_MS", BODY_WAIT_MS, 100, BODY_WAIT_MS),
    localSlotMs: reader.integer("LOCAL_SLOT_MS", 400, 10, 60_000),
    localFinalizedSlots: reader.integer("LOCAL_FINALIZED_SLOTS", 32, 3, 10_000),
    localPrograms: reader.list("LOCAL_PROGRAMS"),
    localWalletApps: reader.choice("LOCAL_WALLET_APPS", ["off", "on"]) === "on",
    sweepMs: reader.integer("SWEEP_MS", 4_000, 20, 60_000),
    revertRule: {
      slots: reader.integer("REVERT_SLOTS", REVERT_RULE.slots, 0, 100_000),
      apartMs: reader.integer("REVERT_APART_MS", REVERT_RULE.apartMs, 0, 3_600_000),
    },
    failpoint: reader.parsed("HOLDFAST_FAILPOINT", parseFailpoint, null),
  };
  const isLocalWanted = reader.choice("LOCAL", ["off", "on"]) === "on";
  if (config.chains.length === 0 && !isLocalWanted) refusePublicDemo(reader, config);
  if (config.chains.some(({ environment }) => environment === "live")) refuseTestSettings(reader, config.revertRule);
  if (rpcPort <= port && port <= rpcPort + 2) reader.refuse("RPC_PORT and the two ports after it must not meet PORT.");
  if (reader.problems.length > 0) throw new ConfigError(reader.problems.join("\n"));
  return config;
}

function readChain(reader: SettingsReader, environment: Environment, prefix: string): ChainSettings | null {
  const rpcUrls = reader.urls(`${prefix}_RPC_URLS`, HTTP);
  if (rpcUrls.length === 0) {
    for (const companion of CHAIN_COMPANIONS)
      if (reader.text(`${prefix}_${companion}`) !== null)
        reader.refuse(`${prefix}_${companion} is set without ${prefix}_RPC_URLS. Set both, or neither.`);
    return null;
  }
  return {
    environment,
    rpcUrls,
    wsUrls: reader.urls(`${prefix}_WS_URLS`, ["ws:", "wss:"]),
    programId: reader.address(`${prefix}_PROGRAM_ID`),
    operator: reader.address(`${prefix}_OPERATOR`),
    confirmed: {
      arbiters: reader.addresses(`${prefix}_ARBITER`),
      upgradeAuthorities: reader.addresses(`${prefix}_UPGRADE_AUTHORITY`, ["none"]),
      programHashes: readHashes(reader, `${prefix}_PROGRAM_HASH`),
    },
    arbiterLabel: {
      name: readName(reader, `${prefix}_ARBITER_NAME`),
      domain: reader.matching(
        `${prefix}_ARBITER_DOMAIN`,
        DOMAIN,
        "a domain in lower case, such as arbiter.example.com",
      ),
    },
    checkoutUnitPriceMax: reader.integer(
      `${prefix}_CHECKOUT_UNIT_PRICE_MAX`,
      CHECKOUT_UNIT_PRICE_MAX,
      0,
      // At the runtime's most units this stays below what the page's decoder lets pass.
      7_000_000,
    ),
    secondNodeFrom: readSecondNodeFrom(reader, `${prefix}_SECOND_NODE_FROM`, rpcUrls.length),
    keeper: readKeeper(reader, prefix),
    sponsor: readSponsor(reader, prefix),
  };
}

/** `mint=amount`, between commas; `*` for all mints that are not named. */
function readSecondNodeFrom(reader: SettingsReader, name: string, nodes: number): ReadonlyMap<string, bigint> {
  const given = reader.list(name);
  if (given.length > 0 && nodes < 2) reader.refuse(`${name} needs two RPC URLs at least.`);
  const amounts = new Map<string, bigint>();
  for (const one of given) {
    const [, mint, amount] = /^(\*|[1-9A-HJ-NP-Za-km-z]{32,44})=([1-9][0-9]{0,19})$/.exec(one) ?? [];
    if (mint === undefined || (mint !== "*" && !isAddress(mint)))
      reader.refuse(`${name} must be mint=amount pairs, or *=amount, not "${one}".`);
    else amounts.set(mint, BigInt(amount!));
  }
  return amounts;
}

function readHashes(reader: SettingsReader, name: string): ReadonlySet<string> {
  const given = reader.list(name);
  for (const one of given)
    if (!/^[0-9a-f]{64}$/.test(one)) reader.refuse(`${name} must be 64 hex digits, not "${one}".`);
  return new Set(given);
}
const readHeaderName = (reader: SettingsReader, name: string): string | null =>
  reader.matching(name, /^[A-Za-z0-9-]{1,64}$/, "the name of a header, such as X-Forwarded-For")?.toLowerCase() ?? null;

function readKeeper(reader: SettingsReader, prefix: string): KeeperSettings | null {
  const { unitPrice, concurrency, balanceMin } = KEEPER_DEFAULTS;
  const settings = {
    unitPrice: reader.integer(`${prefix}_KEEPER_UNIT_PRICE`, unitPrice, 0, 1_000_000_000),
    concurrency: reader.integer(`${prefix}_KEEPER_CONCURRENCY`, concurrency, 1, 64),
    balanceMin: reader.integer(`${prefix}_KEEPER_BALANCE_MIN`, balanceMin, 0, 1_000_000_000_000),
    rentPayers: [...reader.addresses(`${prefix}_KEEPER_RENT_PAYERS`)],
  };
  const keyFile = reader.text(`${prefix}_KEEPER_KEY_FILE`);
  return keyFile === null ? null : { keyFile, ...settings };
}

/** Where sessions and passkeys belong: a name, since a passkey is bound to one; by http on this machine alone. */
function readDashboardUrl(reader: SettingsReader, port: number): string {
  const url = reader.url("DASHBOARD_URL", `http://localhost:${port}/dashboard`, HTTP);
  const { protocol, hostname } = URL.parse(url) ?? { protocol: "https:", hostname: "unread.example" };
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (/^[\d.]+$|^\[/.test(hostname))
    reader.refuse("DASHBOARD_URL must name its host: passkeys do not work by an IP address.");
  else if (protocol === "http:" && !isLocal)
    reader.refuse(
      "DASHBOARD_URL must start with https://, unless it is on localhost: a session's cookie must not travel openly.",
    );
  return url;
}

function readRequestLog(reader: SettingsReader): Config["requestLog"] {
  const perSecondMax = reader.integer("REQUEST_LOG_PER_SECOND_MAX", 500, 1, 100_000);
  return reader.choice("REQUEST_LOG", ["on", "off"]) === "on" ? { perSecondMax } : null;
}

const readName = (reader: SettingsReader, name: string): string | null =>
  reader.matching(name, /^(?!\s)\P{Cc}{1,100}(?<!\s)$/u, "a name of 1 to 100 characters");

function readSiteOperator(reader: SettingsReader): SiteOperator | null {
  const name = readName(reader, "OPERATOR_NAME");
  const url = reader.url("OPERATOR_URL", null, ["https:"]);
  if (url !== null && name === null) reader.refuse("OPERATOR_URL is set without OPERATOR_NAME: a link needs a name.");
  return name === null ? null : { name, url };
}

function readMail(reader: SettingsReader): MailSettings {
  const smtpUrl = reader.url("SMTP_URL", null, ["smtp:", "smtps:"]);
  const from = reader.text("MAIL_FROM");
  if (smtpUrl !== null && from === null)
    reader.refuse("MAIL_FROM is needed with SMTP_URL: the address letters come from.");
  if (smtpUrl === null && from !== null) reader.refuse("MAIL_FROM is set without SMTP_URL. Set both, or neither.");
  return { smtpUrl, from: from ?? "" };
}

const readWebhooks = (reader: SettingsReader): WebhookSettings => ({
  keys: reader.text("WEBHOOK_KEYS"),
  keysFile: reader.text("WEBHOOK_KEYS_FILE"),
  devHosts: reader.parsed<DevHosts>("WEBHOOK_DEV_HOSTS", (text) => readDevHosts(text ?? "{}"), new Map()),
  caFile: reader.text("WEBHOOK_CA_FILE"),
  retentionDays: reader.integer("EVENT_RETENTION_DAYS", 30, 4, 3_650),
});

function readDatabaseUrl(text: string | null): string | null {
  if (text === null) return null;
  try {
    readHosts(text);
  } catch (error) {
    throw new Error(`DATABASE_URL ${(error as Error).message}`);
  }
  return text;
}

function parseFailpoint(text: string | null): Config["failpoint"] {
  if (text === null) return null;
  const failpoint = readFailpoint(text);
  if (failpoint === null) throw new Error(`HOLDFAST_FAILPOINT must be a name, or name:count, not "${text}".`);
  return failpoint;
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);

/** Without a chain a local one is played, with a faucet, a demo business and its owner's sign-in: nothing for the public. */
function refusePublicDemo(reader: SettingsReader, config: Config): void {
  const addresses = { API_URL: config.apiUrl, CHECKOUT_URL: config.checkoutUrl, DASHBOARD_URL: config.dashboardUrl };
  const reasons = [
    ...Object.entries(addresses).flatMap(([name, url]) => (url.startsWith("https:") ? [`${name} is https`] : [])),
    ...(isLoopback(config.host) ? [] : ["HOST is not this machine alone"]),
    ...(config.databaseUrl === null ? [] : ["DATABASE_URL is set"]),
  ];
  if (reasons.length > 0)
    reader.refuse(
      `TEST_RPC_URLS or LIVE_RPC_URLS is needed where ${reasons.join(" and ")}: without one the service plays a demo. LOCAL=on allows the demo.`,
    );
}

/** Where a live chain is set nothing may be weakened that only tests and development need. */
function refuseTestSettings(reader: SettingsReader, revertRule: RevertRule): void {
  if (reader.text("HOLDFAST_FAILPOINT") !== null)
    reader.refuse("HOLDFAST_FAILPOINT ends the process for tests; with a live chain it is refused.");
  if (revertRule.slots < REVERT_RULE.slots || revertRule.apartMs < REVERT_RULE.apartMs)
    reader.refuse(
      `With a live chain REVERT_SLOTS is at least ${REVERT_RULE.slots} and REVERT_APART_MS at least ${REVERT_RULE.apartMs}.`,
    );
  for (const name of ["WEBHOOK_DEV_HOSTS", "WEBHOOK_CA_FILE"])
    if (reader.text(name) !== null)
      reader.refuse(`${name} is for development and tests; it is refused where a live chain is set.`);
}
