import type { BuiltPayment } from "./builder.ts";
import type { ReadOptions } from "./port.ts";

/** What of a built payment the sponsor signs by: the bytes as they were built, and what they may cost. */
export interface SponsoredPayment extends Pick<BuiltPayment, "transaction"> {
  readonly sponsor: string;
  /** The most the sponsor may lose by it, in lamports: fee and rents. */
  readonly outlayMax: bigint;
}

/** A transaction with the sponsor's signature, which is its name on chain; or why there is none, in words. */
export type SponsorAnswer =
  | { readonly kind: "signed"; readonly transaction: string; readonly signature: string }
  | { readonly kind: "refused"; readonly reason: string };

/** What a deployment gives out for buyers at most; amounts in lamports. */
export interface SponsorLimits {
  /** The least amount of each token for which a sponsor pays, in its smallest unit; of other tokens it pays for none. */
  readonly amountsMin: ReadonlyMap<string, bigint>;
  /** Fees and rents given out in a clock hour, and in a day of UTC. */
  readonly hourMax: bigint;
  readonly dayMax: bigint;
  /** What may be out at once: rents that are bound, and offers. */
  readonly boundMax: bigint;
}

/** Wallets of the deployment that pay fee and rents for buyers; present only where their keys are configured. */
export interface ChainSponsor {
  /** As `ChainReader.keepTo`. */
  keepTo(genesisHash: string): void;
  readonly addresses: readonly string[];
  readonly limits: SponsorLimits;
  /** The sponsor whose turn it is among those that can pay, as far as is known; null: none can. */
  pick(): string | null;
  /** It could not pay a moment ago: others are picked until its balance was read again. */
  noteShort(sponsor: string): void;
  /** The buyer whose transaction in base64 has their signature and waits for a sponsor's; null: it is no such transaction. */
  readSender(transaction: string): Promise<string | null>;
  /** Signs what was built before the buyer does, for wallets that take a transaction from elsewhere. */
  presign(payment: SponsoredPayment, options: Pick<ReadOptions, "signal">): Promise<SponsorAnswer>;
  /** Signs what the buyer's wallet made of it, if it changed nothing that matters. */
  cosign(transaction: string, payment: SponsoredPayment, options: Pick<ReadOptions, "signal">): Promise<SponsorAnswer>;
  /** Reads what the sponsors hold. */
  fetchBalances(options: Pick<ReadOptions, "signal">): Promise<ReadonlyMap<string, bigint>>;
  /** As last read; without those that were not yet. */
  readonly lastBalances: ReadonlyMap<string, bigint>;
  /** Below so many lamports of a sponsor the log says so. */
  readonly balanceMin: bigint;
}
