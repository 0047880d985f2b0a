import type { ChainBuilder } from "../../chain/builder.ts";
import type { ChainReader, ChainSender } from "../../chain/port.ts";
import type { ChainSponsor } from "../../chain/sponsor.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Environment, Terms } from "../../domain/terms.ts";
import { flag, nullable, other, smallint, table, word } from "../../lib/columns.ts";

/** The chain that an environment belongs to; its other columns say how far it is read. */
export const CHAINS = table("chains", {
  environment: word<Environment>(),
  genesisHash: word(),
  programId: word(),
  operator: word(),
});

/** The environment's chain has shown a mint at this address, or none. */
export const ASSETS = table("known_assets", {
  environment: word<Environment>(),
  address: word(),
  isMint: flag(),
  decimals: nullable(smallint()),
  tokenProgram: nullable(word()),
  riskyExtensions: other<readonly string[]>("text[]"),
});

/** The arbiter's name where buyers read of it; its address is shown always. */
export interface ArbiterLabel {
  readonly name: string | null;
  readonly domain: string | null;
}

/** What settings confirm of the program and the operator account, as the chain spells it; empty: they say nothing of it. */
export interface ConfirmedBySetting {
  readonly arbiters: ReadonlySet<string>;
  /** `none`: it was given up. */
  readonly upgradeAuthorities: ReadonlySet<string>;
  readonly programHashes: ReadonlySet<string>;
}

export const NOTHING_CONFIRMED: ConfirmedBySetting = {
  arbiters: new Set(),
  upgradeAuthorities: new Set(),
  programHashes: new Set(),
};

/** What this process knows of the operator account and the program; each look at them writes it. */
export interface DeploymentStatus {
  /** Of payments made from now on; null: not read yet. */
  arbiter: string | null;
  /** Why no checkout may be built now (§10.12), in a sentence for operators; null: it may. */
  checkoutsHeld: string | null;
}

export const unreadDeployment = (): DeploymentStatus => ({
  arbiter: null,
  checkoutsHeld: "The operator account has not been read yet.",
});

/** Whether no checkout may be built now (§10.12), or none with this arbiter, whom no look at the operator account has shown yet. */
export const isHeld = ({ deployment, confirmed }: Pick<Chain, "deployment" | "confirmed">, arbiter: string | null) =>
  deployment.checkoutsHeld !== null ||
  (arbiter !== null && arbiter !== deployment.arbiter && !confirmed.arbiters.has(arbiter));

/** One environment's chain, as the loops and routes use it. */
export interface Chain {
  readonly environment: Environment;
  readonly programId: string;
  /** Base58 of the operator account every payment of this deployment names. */
  readonly operator: string;
  readonly arbiterLabel: ArbiterLabel;
  readonly confirmed: ConfirmedBySetting;
  readonly deployment: DeploymentStatus;
  readonly reader: ChainReader;
  /** Makes the transactions by which buyers pay. */
  readonly builder: ChainBuilder;
  /** Null where no fee-payer key is configured: payments are then settled only by other callers of the program. */
  readonly sender: ChainSender | null;
  /** Pays fee and rents for buyers who have no SOL; null: nobody does. */
  readonly sponsor: ChainSponsor | null;
}

/**
 * Checks on chain whether a merchant may ask for these terms: throws `invalid_request`, or `unavailable` when an unknown
 * asset cannot be looked up. `beforeRead` runs before the chain is read, which known answers never need.
 */
export type TermsCheck = (tenant: Tenant, terms: Terms, beforeRead: () => Promise<unknown>) => Promise<void>;

/** The genesis hash that no deployment may configure under the wrong environment (§10.2). */
const MAINNET = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d";

/** The public clusters of Solana, as explorers name them, by genesis hash. */
const CLUSTERS = {
  [MAINNET]: "mainnet-beta",
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: "devnet",
  "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY": "testnet",
} as const;
export const CLUSTER_NAMES = Object.values(CLUSTERS);
export type Cluster = (typeof CLUSTER_NAMES)[number];

/** The cluster by which public explorers know a chain; null for a chain that none shows. */
export const clusterOf = (genesisHash: string): Cluster | null =>
  (CLUSTERS as Readonly<Record<string, Cluster>>)[genesisHash] ?? null;

/** Why a chain with this genesis hash may not stand under the environment; null when it may. */
export function refusal(environment: Environment, genesisHash: string, known: string | null): string | null {
  if (environment === "test" && genesisHash === MAINNET)
    return "rpcUrls in TEST_CHAIN point at Solana mainnet. Set LIVE_CHAIN for real money.";
  if (environment === "live" && genesisHash !== MAINNET) return "rpcUrls in LIVE_CHAIN do not point at Solana mainnet.";
  if (known !== null && known !== genesisHash)
    return `This database belongs to another ${environment} chain (genesis ${known}, now ${genesisHash}). Use the database that goes with the chain.`;
  return null;
}
