import type { BuiltPayment } from "../../../chain/builder.ts";
import type { ChainSponsor } from "../../../chain/sponsor.ts";

/** Signatures for one intent: one pays, and a wallet that failed may try again. */
export const SPONSORED_OF_INTENT_MAX = 3;
/** Of one sender: those of a day, and those whose vault is still open. */
export const SPONSORED_OF_SENDER_MAX = 5;
/** A wallet signs within this time, and what was signed can land for no longer: a blockhash lives for a minute or two. */
export const OFFER_MS = 180_000;
/** An offer that the sponsor signed first ends after this time, and its blockhash with it. */
export const PRESIGNED_MS = 90_000;

/** What one payment takes from its sponsor. */
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

/** Whether a sponsor pays for payments on these terms at all; none pays for a wallet of the deployment's own sponsors. */
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
