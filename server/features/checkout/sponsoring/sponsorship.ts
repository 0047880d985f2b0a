import type { SponsoredAction } from "../../../chain/acts.ts";
import type { BuiltPayment } from "../../../chain/builder.ts";
import type { ChainSponsor } from "../../../chain/sponsor.ts";
import type { Environment } from "../../../domain/terms.ts";
import { type FieldsOf, flag, nullable, other, table, text, time, word } from "../../../lib/columns.ts";

/** Signatures per intent, and for actions on each payment: one is enough, and a wallet that failed may try again. */
export const SPONSORED_OF_INTENT_MAX = 3;
/** Signatures per sender: those of the last day, and those whose vault is still open. */
export const SPONSORED_OF_SENDER_MAX = 5;
/** An offer is kept for this time. What was signed ends by the heights of blocks alone. */
export const OFFER_MS = 180_000;

type SponsorshipStatus = "offered" | "signed" | "landed" | "failed" | "expired" | "returned";

export const SPONSORSHIP_KEY = { businessId: word(), intentId: word(), id: word() };

/** Payments, and actions on them, that a sponsor pays for. */
export const SPONSORSHIPS = table("sponsorships", {
  ...SPONSORSHIP_KEY,
  environment: word<Environment>(),
  status: word<SponsorshipStatus>(),
  sponsor: word(),
  sender: word(),
  /** The address of the resulting payment, or of the one that is acted on. */
  payment: word(),
  /** Null: it makes the payment. */
  action: nullable(word<SponsoredAction>()),
  built: text(),
  /** The bytes with the sponsor's signature; null before that. */
  signed: nullable(text()),
  signature: nullable(word()),
  /** True if the limits count it. */
  counted: flag(),
  /** True if the sponsor signed before the buyer. */
  presigned: flag(),
  feeLamports: other<bigint>("bigint"),
  recordLamports: other<bigint>("bigint"),
  vaultLamports: other<bigint>("bigint"),
  tombstoneLamports: other<bigint>("bigint"),
  createdAt: time(),
  until: time(),
  dueAt: nullable(time()),
});
export type Sponsorship = FieldsOf<typeof SPONSORSHIPS.columns>;

/** The lamports that one payment, or one action, takes from its sponsor. */
export interface Outlay {
  readonly fee: bigint;
  readonly record: bigint;
  readonly vault: bigint;
  /** Part of the record's rent. */
  readonly tombstone: bigint;
}

export const outlayOf = ({ fee, tombstone }: Pick<BuiltPayment, "fee" | "tombstone">): Outlay => ({
  fee: fee.network,
  record: fee.record,
  vault: fee.vault,
  tombstone,
});

export const totalOf = ({ fee, record, vault }: Outlay): bigint => fee + record + vault;

/** True if a sponsor pays for payments on these terms. None pays for a wallet of the deployment's own sponsors. */
export const maySponsor = (
  { asset, amount, recipient }: { readonly asset: string; readonly amount: string; readonly recipient: string },
  sender: string,
  { addresses, limits }: Pick<ChainSponsor, "addresses" | "limits">,
): boolean => {
  const least = limits.amountsMin.get(asset);
  return (
    least !== undefined && BigInt(amount) >= least && !addresses.includes(sender) && !addresses.includes(recipient)
  );
};
