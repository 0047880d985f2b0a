import { formatUnits } from "../../../domain/money.ts";

/** The texts that the buyer's wallet signs (§16.3). A page writes them again by itself, and compares them byte for byte. */

/** The place that a signature is for: it is worthless at any other. */
export interface ProofPlace {
  /** The host of the page that asks, with its port if it has one. */
  readonly host: string;
  readonly genesisHash: string;
  readonly operator: string;
  /** The payment's address. */
  readonly payment: string;
}

/** The amounts of an agreement, in smallest units. */
interface AgreedAmounts {
  readonly amount: string;
  readonly decimals: number;
  /** The total that the buyer has in the end. */
  readonly total: string;
  /** The part of it that is bound already. */
  readonly refundTotal: string;
}

export interface OfferedAgreement extends AgreedAmounts {
  /** The offer's id; null for an offer that the signature itself makes. */
  readonly offer: string | null;
  /** The offer can be accepted until then. */
  readonly offerUntil: Date;
}

export type ProofAct =
  | { readonly kind: "open_session" }
  | { readonly kind: "offer" | "accept_offer"; readonly agreement: OfferedAgreement };

/** The challenge of one browser: used once, by a signature made before it ends. */
export interface ProofNonce {
  readonly nonce: string;
  readonly expiresAt: Date;
}

const ACT_TEXTS: Readonly<Record<ProofAct["kind"], string>> = {
  open_session: "Write in the dispute about this payment from this browser. This moves no money.",
  offer: "Offer to end the dispute with these amounts. The shop can accept.",
  accept_offer: "Accept the shop's offer, and end the dispute with these amounts.",
};

/** Writes a time with whole seconds, as the texts have it. */
const inSeconds = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, "Z");

/** One field a line, in ASCII: the screens of hardware wallets show nothing else. */
export function proofText(place: ProofPlace, act: ProofAct, { nonce, expiresAt }: ProofNonce): string {
  return [
    "Holdfast",
    `Host: ${place.host}`,
    `Genesis: ${place.genesisHash}`,
    `Operator: ${place.operator}`,
    `Payment: ${place.payment}`,
    `Act: ${ACT_TEXTS[act.kind]}`,
    `Nonce: ${nonce}`,
    ...(act.kind === "open_session" ? [] : agreementLines(act.agreement)),
    `Sign before: ${inSeconds(expiresAt)}`,
  ].join("\n");
}

function agreementLines({ offer, amount, decimals, total, refundTotal, offerUntil }: OfferedAgreement): string[] {
  const shop = (BigInt(amount) - BigInt(total)).toString();
  return [
    ...(offer === null ? [] : [`Offer: ${offer}`]),
    `You have in the end: ${formatUnits(total, decimals)}`,
    `The shop has in the end: ${formatUnits(shop, decimals)}`,
    `Total: ${total}`,
    `Refund total now: ${refundTotal}`,
    `Until: ${inSeconds(offerUntil)}`,
  ];
}

/** The agreement that a signature is for, by the dispute as it is now. */
export const draftAgreement = (
  { amount, refundTotal }: { readonly amount: string; readonly refundTotal: string },
  decimals: number,
  offer: { readonly id: string | null; readonly total: string; readonly until: Date },
): OfferedAgreement => ({
  ...{ offer: offer.id, amount, decimals, total: offer.total, refundTotal },
  offerUntil: offer.until,
});
