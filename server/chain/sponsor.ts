import type { BuiltPayment } from "./builder.ts";
import type { ReadOptions } from "./port.ts";

/** The basis on which a sponsor signs a built payment: its bytes as built, and its maximum cost. */
export interface SponsoredPayment extends Pick<BuiltPayment, "transaction"> {
  readonly sponsor: string;
  /** The most the sponsor may lose by it, in lamports: fee and rents. */
  readonly outlayMax: bigint;
}

/** A transaction with the sponsor's signature, which names it on chain; or the reason for none, in words. */
export type SponsorAnswer =
  | { readonly kind: "signed"; readonly transaction: string; readonly signature: string }
  | { readonly kind: "refused"; readonly reason: string };

/** The most that a deployment spends for buyers; amounts in lamports. */
export interface SponsorLimits {
  /** The least amount of each token for which a sponsor pays, in its smallest unit. It does not pay for other tokens. */
  readonly amountsMin: ReadonlyMap<string, bigint>;
  /** Fees and rents spent in a clock hour, and in a day of UTC. */
  readonly hourMax: bigint;
  readonly dayMax: bigint;
  /** The most that may be outstanding at once: rents that are bound, and offers. */
  readonly boundMax: bigint;
}

/** Wallets of the deployment that pay fee and rents for buyers; present only if their keys are configured. */
export interface ChainSponsor {
  /** Same as `ChainReader.keepTo`. */
  keepTo(genesisHash: string): void;
  readonly addresses: readonly string[];
  readonly limits: SponsorLimits;
  /** Returns the next sponsor in turn among those known to have enough; null if none has. */
  pick(): string | null;
  /** The sponsor could not pay a moment ago: others are picked until its balance is read again. */
  recordShort(sponsor: string): void;
  /**
   * Returns the buyer of a transaction in base64 that has their signature and lacks a sponsor's; null if it is no such
   * transaction.
   */
  readSender(transaction: string): Promise<string | null>;
  /** Returns true if a signed transaction is this one with the sponsor's signature. */
  isSignatureOf(signed: string, transaction: string): boolean;
  /** Signs a transaction before the buyer does, for wallets that accept a transaction from elsewhere. */
  presign(payment: SponsoredPayment, options: Pick<ReadOptions, "signal">): Promise<SponsorAnswer>;
  /** Signs the transaction that the buyer's wallet made of it, if the wallet changed only allowed parts. */
  cosign(transaction: string, payment: SponsoredPayment, options: Pick<ReadOptions, "signal">): Promise<SponsorAnswer>;
  /** Fetches the sponsors' balances. */
  fetchBalances(options: Pick<ReadOptions, "signal">): Promise<ReadonlyMap<string, bigint>>;
  /** The balances as last read; without sponsors not read yet. */
  readonly lastBalances: ReadonlyMap<string, bigint>;
  /** The log warns below this balance of a sponsor, in lamports. */
  readonly balanceMin: bigint;
}
