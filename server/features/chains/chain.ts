import type { ChainBuilder } from "../../chain/builder.ts";
import type { ChainReader, ChainSender } from "../../chain/port.ts";
import type { ChainSponsor } from "../../chain/sponsor.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Environment, Terms } from "../../domain/terms.ts";
import { flag, nullable, other, smallint, table, word } from "../../lib/columns.ts";

/** The chain of an environment. The table's other columns hold how far it is read. */
export const CHAINS = table("chains", {
  environment: word<Environment>(),
  genesisHash: word(),
  programId: word(),
  operator: word(),
});

/** Addresses at which the environment's chain has shown a mint, or none. */
export const ASSETS = table("known_assets", {
  environment: word<Environment>(),
  address: word(),
  isMint: flag(),
  decimals: nullable(smallint()),
  tokenProgram: nullable(word()),
  riskyExtensions: other<readonly string[]>("text[]"),
});

/** The arbiter's name for buyers. Its address is always shown too. */
export interface ArbiterLabel {
  readonly name: string | null;
  readonly domain: string | null;
}

/** The values of program and operator account that settings confirm, spelled as on chain; empty if no setting does. */
export interface ConfirmedBySetting {
  readonly arbiters: ReadonlySet<string>;
  /** `none`: nobody can replace the program. */
  readonly upgradeAuthorities: ReadonlySet<string>;
  readonly programHashes: ReadonlySet<string>;
}

export const NOTHING_CONFIRMED: ConfirmedBySetting = {
  arbiters: new Set(),
  upgradeAuthorities: new Set(),
  programHashes: new Set(),
};

/** The operator account and program as this process last read them. */
export interface DeploymentStatus {
  /** The arbiter of new payments; null before the first read. */
  arbiter: string | null;
  /** The reason why no checkout may be built now (§10.12), as a sentence for operators; null if checkouts may be built. */
  checkoutsHeld: string | null;
}

export const unreadDeployment = (): DeploymentStatus => ({
  arbiter: null,
  checkoutsHeld: "The operator account has not been read yet.",
});

/**
 * True if no checkout may be built now (§10.12), or none with this arbiter, because no read of the operator account
 * has shown it yet.
 */
export const isHeld = ({ deployment, confirmed }: Pick<Chain, "deployment" | "confirmed">, arbiter: string | null) =>
  deployment.checkoutsHeld !== null ||
  (arbiter !== null && arbiter !== deployment.arbiter && !confirmed.arbiters.has(arbiter));

/** One environment's chain, as the loops and routes use it. */
export interface Chain {
  readonly environment: Environment;
  readonly programId: string;
  /** Base58 of the operator account that every payment of this deployment names. */
  readonly operator: string;
  readonly arbiterLabel: ArbiterLabel;
  readonly confirmed: ConfirmedBySetting;
  readonly deployment: DeploymentStatus;
  readonly reader: ChainReader;
  /** Builds the transactions by which buyers pay. */
  readonly builder: ChainBuilder;
  /** Pays out due payments; null without a fee-payer key, and then only other callers of the program settle payments. */
  readonly sender: ChainSender | null;
  /** Pays fee and rents for buyers without SOL; null if none is configured. */
  readonly sponsor: ChainSponsor | null;
}

/**
 * Checks on chain that a merchant may ask for these terms. Throws `invalid_request`, or `unavailable` when an unknown
 * asset cannot be read. Calls `beforeRead` before it reads the chain; terms that are already known need no read.
 */
export type TermsCheck = (
  tenant: Tenant,
  terms: Pick<Terms, "asset" | "recipient">,
  beforeRead: () => Promise<unknown>,
) => Promise<void>;

/** A mint with the reason why creates refuse it, as a sentence; null if they take it. */
interface JudgedAsset {
  readonly decimals: number;
  readonly tokenProgram: string;
  readonly refusal: string | null;
}

/**
 * Returns the mint at an address, as {@link TermsCheck} judges it; null if there is none. Throws `unavailable` if an unknown
 * one cannot be read.
 */
export type FindAsset = (tenant: Tenant, mint: string) => Promise<JudgedAsset | null>;

/**
 * The reason why the watermark goes no further (§4.12): the sweep is paused; a long history is read page by page; no whole
 * list of the history has come in for half a minute; a listed transaction is not processed; one of several nodes alone
 * lists the history.
 */
export const HOLD_REASONS = ["paused", "history", "no_list", "transaction", "second_node"] as const;

/** The reason for which the watermark stands still. */
export interface Hold {
  readonly reason: (typeof HOLD_REASONS)[number];
  /** The oldest transaction that is listed and not processed; only with that reason. */
  readonly signature: string | null;
  /** The seconds since the transaction was listed, or since the last whole list; null for other reasons, or if there was none. */
  readonly seconds: number | null;
}

/** A hold as a sentence for operators. */
export function describeHold({ reason, signature, seconds }: Hold): string {
  switch (reason) {
    case "paused":
      return "The sweep is paused.";
    case "history":
      return "A long history is read, page by page.";
    case "no_list":
      return seconds === null
        ? "No node has given a whole list of the history yet."
        : `No node has given a whole list of the history for ${seconds} seconds.`;
    case "transaction":
      return `It waits for the transaction ${signature}, which was listed ${seconds} seconds ago.`;
    case "second_node":
      return "Only one node lists the history, and what a second one does not confirm counts after four minutes.";
  }
}

/** The genesis hash that no deployment may configure under the wrong environment (§10.2). */
const MAINNET = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

/** The public clusters of Solana by genesis hash, with the names that explorers use. */
const CLUSTERS = {
  [MAINNET]: "mainnet-beta",
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: "devnet",
  "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
} as const;
export const CLUSTER_NAMES = Object.values(CLUSTERS);
export type Cluster = (typeof CLUSTER_NAMES)[number];

/** The cluster name for public explorers; null if they do not show this chain. */
export const clusterOf = (genesisHash: string): Cluster | null =>
  (CLUSTERS as Readonly<Record<string, Cluster>>)[genesisHash] ?? null;

export const LOCAL_CLUSTER = "solana:localnet";

/** The chain's name in wallets. */
export function walletCluster(environment: Environment, genesisHash: string, isLocal: boolean): string {
  const cluster = isLocal && environment === "test" ? null : clusterOf(genesisHash);
  return cluster === null ? LOCAL_CLUSTER : `solana:${cluster === "mainnet-beta" ? "mainnet" : cluster}`;
}

/** The reason why a chain with this genesis hash is refused for the environment; null if it is accepted. */
export function refusal(environment: Environment, genesisHash: string, known: string | null): string | null {
  if (environment === "test" && genesisHash === MAINNET)
    return "rpcUrls in TEST_CHAIN point at Solana mainnet. Set LIVE_CHAIN for real money.";
  if (environment === "live" && genesisHash !== MAINNET) return "rpcUrls in LIVE_CHAIN do not point at Solana mainnet.";
  if (known !== null && known !== genesisHash)
    return `This database belongs to another ${environment} chain (genesis ${known}, now ${genesisHash}). Use the database that goes with the chain.`;
  return null;
}
