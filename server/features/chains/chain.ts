import type { Environment } from "../../domain/terms.ts";
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
