import { isWalletAddress } from "../domain/addresses.ts";
import { BODY_WAIT_MS, INTENT_LIFETIME_MINUTES_MAX } from "../domain/limits.ts";
import type { Environment } from "../domain/terms.ts";
import { type DevHosts, readDevHosts } from "../features/webhooks/sending/resolver.ts";
import { readFailpoint } from "../lib/failpoint.ts";

/** One environment's chain, as set by `<ENV>_RPC_URLS` and its companions. */
export interface ChainSettings {
  readonly environment: Environment;
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  readonly programId: string;
  readonly operator: string;
  /** JSON array of 64 bytes, as wallets' tools write it; null: no keeper. */
  readonly keeperKeyFile: string | null;
  /** What the keeper bids for a place in a block: micro-lamports a compute unit. */
  readonly keeperUnitPrice: number;
}

export interface Config {
  readonly port: number;
  readonly rpcPort: number;
  readonly host: string;
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL of DATA_DIR. */
  readonly databaseUrl: string | null;
  /** Empty: the local chain of DATA_DIR stands in for `test`. */
  readonly chains: readonly ChainSettings[];
  readonly role: "api" | "worker" | "all";
  /** Where merchants reach the API, `/api/v1` included. */
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  readonly intentLifetimeMs: number;
  readonly bindCommitment: "confirmed" | "finalized";
  readonly allowedMints: ReadonlySet<string>;
  /** Who may read /metrics; null: this machine alone. */
  readonly metricsToken: string | null;
  /** Calls of one moment that share a statement; 1: none do. */
  readonly batchItemsMax: number;
  readonly webhooks: WebhookSettings;
  /** How long a request's body may take to arrive; tests shorten it. */
  readonly bodyWaitMs: number;
  /** The local chain's pace; tests quicken it. */
  readonly localSlotMs: number;
  readonly localFinalizedSlots: number;
  /** How often a chain that is not local is asked for news; a subscription wakes the sweep earlier. */
  readonly sweepMs: number;
  /** When a binding that never became final is given up (contract §3); tests quicken it, a live chain may not. */
  readonly revertRule: RevertRule;
  /** Where a test lets the process end; null in every deployment. */
  readonly failpoint: { readonly name: string; readonly count: number } | null;
}

interface RevertRule {
  /** How far the chain is final past the creating slot. */
  readonly slots: number;
  /** How far the two reads lie apart. */
  readonly apartMs: number;
}
const REVERT_RULE: RevertRule = { slots: 300, apartMs: 30_000 };

export interface WebhookSettings {
  /** The ring of keys that signing secrets are kept under; neither set: made in DATA_DIR, for a local run alone. */
  readonly keys: string | null;
  readonly keysFile: string | null;
  /** Names that lead to a loopback address, and a certificate authority to trust: for development and tests. */
  readonly devHosts: DevHosts;
  readonly caFile: string | null;
  /** How long events and the history of deliveries are kept, in days; never less than the retry window. */
  readonly retentionDays: number;
}

/** Every setting that is wrong, a line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const MINUTE_MS = 60_000;

/** Reads the settings from the environment; throws {@link ConfigError} with all that is wrong at once. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const problem = (line: string): void => void problems.push(line);
  const text = (name: string) => (env[name] === undefined || env[name] === "" ? null : env[name]);

  const whole = (name: string, fallback: number, min: number, max: number): number => {
    const given = text(name);
    if (given === null) return fallback;
    const number = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    if (number >= min && number <= max) return number;
    problem(`${name} must be a whole number from ${min} to ${max}, not "${given}".`);
    return fallback;
  };
  const oneOf = <Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice => {
    const given = text(name);
    const choice = given === null ? choices[0] : choices.find((known) => known === given);
    if (choice === undefined) problem(`${name} must be one of ${choices.join(", ")}, not "${given}".`);
    return choice ?? choices[0];
  };
  // What was given is not repeated: addresses of databases and nodes hold passwords and keys.
  const url = (name: string, given: string, protocols: readonly string[]): string => {
    const parsed = URL.parse(given);
    if (parsed === null || !protocols.includes(parsed.protocol))
      problem(`${name} must be an address that starts with ${protocols.map((one) => `${one}//`).join(" or ")}.`);
    return given.replace(/\/+$/, "");
  };
  const address = (name: string): string => {
    const given = text(name);
    if (given !== null && isWalletAddress(given)) return given;
    problem(
      given === null ? `${name} is needed beside the RPC URLs.` : `${name} must be a Solana address, not "${given}".`,
    );
    return "";
  };
  const list = (name: string) =>
    text(name)
      ?.split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "") ?? [];
  const chain = (environment: Environment, prefix: string): ChainSettings | null => {
    const rpcUrls = list(`${prefix}_RPC_URLS`).map((item) => url(`${prefix}_RPC_URLS`, item, ["http:", "https:"]));
    if (rpcUrls.length === 0) {
      for (const companion of ["WS_URLS", "PROGRAM_ID", "OPERATOR", "KEEPER_KEY_FILE", "KEEPER_UNIT_PRICE"])
        if (text(`${prefix}_${companion}`) !== null)
          problem(`${prefix}_${companion} is set without ${prefix}_RPC_URLS. Set both, or neither.`);
      return null;
    }
    return {
      environment,
      rpcUrls,
      wsUrls: list(`${prefix}_WS_URLS`).map((item) => url(`${prefix}_WS_URLS`, item, ["ws:", "wss:"])),
      programId: address(`${prefix}_PROGRAM_ID`),
      operator: address(`${prefix}_OPERATOR`),
      keeperKeyFile: text(`${prefix}_KEEPER_KEY_FILE`),
      keeperUnitPrice: whole(`${prefix}_KEEPER_UNIT_PRICE`, 0, 0, 1_000_000_000),
    };
  };
  const mints = (): ReadonlySet<string> => {
    const given = list("ALLOWED_MINTS");
    for (const mint of given)
      if (!isWalletAddress(mint)) problem(`ALLOWED_MINTS must be Solana addresses; "${mint}" is none.`);
    return new Set(given);
  };
  const devHosts = (): DevHosts => {
    try {
      return readDevHosts(text("WEBHOOK_DEV_HOSTS") ?? "{}");
    } catch (error) {
      problem((error as Error).message);
      return new Map();
    }
  };

  const port = whole("PORT", 3000, 1, 65_000);
  const config: Config = {
    port,
    rpcPort: whole("RPC_PORT", port + 1, 1, 65_000),
    host: text("HOST") ?? "localhost",
    dataDir: text("DATA_DIR") ?? ".data",
    databaseUrl:
      text("DATABASE_URL") === null ? null : url("DATABASE_URL", text("DATABASE_URL")!, ["postgres:", "postgresql:"]),
    chains: [chain("test", "TEST"), chain("live", "LIVE")].filter((settings) => settings !== null),
    role: oneOf("ROLE", ["all", "api", "worker"]),
    apiUrl: url("API_URL", text("API_URL") ?? `http://localhost:${port}/api/v1`, ["http:", "https:"]),
    checkoutUrl: url("CHECKOUT_URL", text("CHECKOUT_URL") ?? `http://localhost:${port}`, ["http:", "https:"]),
    intentLifetimeMs: whole("INTENT_LIFETIME_MINUTES", 1_440, 15, INTENT_LIFETIME_MINUTES_MAX) * MINUTE_MS,
    bindCommitment: oneOf("BIND_COMMITMENT", ["confirmed", "finalized"]),
    allowedMints: mints(),
    metricsToken: text("METRICS_TOKEN"),
    batchItemsMax: whole("BATCH_ITEMS_MAX", 100, 1, 1_000),
    webhooks: {
      keys: text("WEBHOOK_KEYS"),
      keysFile: text("WEBHOOK_KEYS_FILE"),
      devHosts: devHosts(),
      caFile: text("WEBHOOK_CA_FILE"),
      retentionDays: whole("EVENT_RETENTION_DAYS", 30, 4, 3_650),
    },
    bodyWaitMs: whole("BODY_WAIT_MS", BODY_WAIT_MS, 100, BODY_WAIT_MS),
    localSlotMs: whole("LOCAL_SLOT_MS", 400, 10, 60_000),
    localFinalizedSlots: whole("LOCAL_FINALIZED_SLOTS", 32, 3, 10_000),
    sweepMs: whole("SWEEP_MS", 4_000, 20, 60_000),
    revertRule: {
      slots: whole("REVERT_SLOTS", REVERT_RULE.slots, 0, 100_000),
      apartMs: whole("REVERT_APART_MS", REVERT_RULE.apartMs, 0, 3_600_000),
    },
    failpoint: null,
  };
  const place = text("HOLDFAST_FAILPOINT");
  const failpoint = place === null ? null : readFailpoint(place);
  if (place !== null && failpoint === null)
    problem(`HOLDFAST_FAILPOINT must be a name, or name:count, not "${place}".`);
  if (config.chains.some((settings) => settings.environment === "live")) {
    if (place !== null) problem("HOLDFAST_FAILPOINT ends the process for tests; with a live chain it is refused.");
    if (config.revertRule.slots < REVERT_RULE.slots || config.revertRule.apartMs < REVERT_RULE.apartMs)
      problem(
        `With a live chain REVERT_SLOTS is at least ${REVERT_RULE.slots} and REVERT_APART_MS at least ${REVERT_RULE.apartMs}.`,
      );
  }
  if (config.rpcPort <= port && port <= config.rpcPort + 2)
    problem("RPC_PORT and the two ports after it must not meet PORT.");
  if (config.chains.some((one) => one.environment === "live"))
    for (const name of ["WEBHOOK_DEV_HOSTS", "WEBHOOK_CA_FILE"])
      if (text(name) !== null) problem(`${name} is for development and tests; it is refused beside a live chain.`);
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  return { ...config, failpoint };
}
