import type { Tenant } from "../domain/callers.ts";
import type { Environment, Terms } from "../domain/terms.ts";
import type { ActionSender } from "./actionSender.ts";
import type { ChainBuilder } from "./builder.ts";
import type { ChainReader, ChainSender } from "./port.ts";
import type { ChainSponsor } from "./sponsor.ts";

/** The arbiter's name for buyers. Its address is always shown too. */
interface ArbiterLabel {
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

/** The chain of an environment, as the loops and routes use it. */
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
  /** Sends the actions that people signed, and sends them again until they land. */
  readonly actionSender: ActionSender;
  readonly revertRule: RevertRule;
}

/** The name of an arbiter's wallet; null if it is not the deployment's current one, or has no name. */
export const arbiterNameOf = (
  chain: Pick<Chain, "arbiterLabel" | "deployment"> | null,
  arbiter: string,
): string | null => (chain?.deployment.arbiter === arbiter ? chain.arbiterLabel.name : null);

/** §3.3.1: a payment is reverted once the chain is final `slots` past it and two reads, `apartMs` apart, do not find it. */
interface RevertRule {
  readonly slots: number;
  readonly apartMs: number;
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
