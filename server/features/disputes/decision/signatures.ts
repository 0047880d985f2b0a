import type { ChainBuilder } from "../../../chain/builder.ts";
import { isSignature } from "../../../domain/addresses.ts";
import { fetchLandedMemo, type MemoReader } from "../proof/landedMemo.ts";
import { isSignedBy, parseBase64 } from "../proof/signature.ts";
import type { SignedOffer } from "./queries.ts";

/** The place and the sum of an agreement, as the text that a wallet signed has to name them. */
interface AgreedPlace {
  readonly genesisHash: string;
  readonly operator: string;
  readonly payment: string;
  readonly sender: string;
  readonly recipient: string;
  readonly total: string;
}

interface SignatureDeps {
  readonly builder: Pick<ChainBuilder, "readSignedMemo">;
  readonly reader: MemoReader;
}

const ED25519_BYTES = 64;

/** The consent of a side to an agreement; without a text, it is the word of a person of the business. */
interface Consent {
  readonly by: string | null;
  readonly text: string | null;
  readonly evidence: string | null;
}

/** The consent of the side that made the offer, and of the other. */
function consentsOf(offer: SignedOffer) {
  const { authorKind, author, signedText, signature, confirmedBy, confirmedText, confirmedSignature } = offer;
  const made: Consent =
    authorKind === "key"
      ? { by: confirmedBy, text: confirmedText, evidence: confirmedSignature }
      : { by: author, text: signedText, evidence: signature };
  const accepted = { by: offer.acceptedBy, text: offer.acceptedText, evidence: offer.acceptedSignature };
  // An offer has no id yet when the wallet that makes it signs. A key's is signed later.
  const isNamed = { made: authorKind === "key", accepted: true };
  return offer.side === "buyer"
    ? { buyer: made, isNamedByBuyer: isNamed.made, merchant: accepted, isNamedByMerchant: isNamed.accepted }
    : { buyer: accepted, isNamedByBuyer: isNamed.accepted, merchant: made, isNamedByMerchant: isNamed.made };
}

/**
 * Checks again that both sides bound themselves to an agreement (§17.2): a person of the business or the recipient's
 * wallet, and the buyer's wallet; a wallet by its signature over a text that names this payment, offer and total. Throws
 * `ChainUnavailableError` for a memo on chain that no node shows now.
 */
export async function isSignedByBoth(deps: SignatureDeps, offer: SignedOffer, place: AgreedPlace): Promise<boolean> {
  if (offer.total !== place.total) return false;
  const { buyer, isNamedByBuyer, merchant, isNamedByMerchant } = consentsOf(offer);
  const isOf = (wallet: string, consent: Consent, isNamed: boolean) =>
    isSigned(deps, consent, { ...place, wallet, offer: isNamed ? offer.id : null });
  const isGiven =
    merchant.text === null ? merchant.by !== null : await isOf(place.recipient, merchant, isNamedByMerchant);
  return isGiven && isOf(place.sender, buyer, isNamedByBuyer);
}

/** The wallet signed a text that names the place, the total, and the offer if it had an id by then. */
async function isSigned(
  deps: SignatureDeps,
  { by, text, evidence }: Consent,
  { genesisHash, operator, payment, total, wallet, offer }: AgreedPlace & { wallet: string; offer: string | null },
): Promise<boolean> {
  if (by === null || text === null || evidence === null) return false;
  const lines = new Set(text.split("\n"));
  const named = [`Genesis: ${genesisHash}`, `Operator: ${operator}`, `Payment: ${payment}`, `Total: ${total}`];
  if (offer !== null) named.push(`Offer: ${offer}`);
  return named.every((line) => lines.has(line)) && isEvidence(deps, { wallet, text, evidence });
}

/** The evidence is a signature of the text, a transaction that was never sent, or the name of one that landed. */
async function isEvidence(
  { builder, reader }: SignatureDeps,
  { wallet, text, evidence }: { readonly wallet: string; readonly text: string; readonly evidence: string },
): Promise<boolean> {
  if (isSignature(evidence)) {
    const found = await fetchLandedMemo(reader, evidence);
    const memo = found.kind === "landed" ? found.memo : null;
    return memo !== null && memo.text === text && memo.signers.includes(wallet);
  }
  const bytes = parseBase64(evidence);
  if (bytes?.length === ED25519_BYTES) return isSignedBy(wallet, Buffer.from(text, "utf8"), bytes);
  const memo = await builder.readSignedMemo(evidence);
  return memo !== null && memo.signer === wallet && memo.text === text;
}
