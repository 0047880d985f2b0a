import type { ChainBuilder } from "../../../chain/builder.ts";
import { isSignature } from "../../../domain/addresses.ts";
import { fetchLandedMemo, type MemoReader } from "../proof/landedMemo.ts";
import { isSignedBy, parseBase64 } from "../proof/signature.ts";
import type { SignedOffer } from "./queries.ts";

/** The place and the sum of an agreement, as the text that the buyer's wallet signed has to name them. */
interface AgreedPlace {
  readonly genesisHash: string;
  readonly operator: string;
  readonly payment: string;
  readonly sender: string;
  readonly total: string;
}

interface SignatureDeps {
  readonly builder: Pick<ChainBuilder, "readSignedMemo">;
  readonly reader: MemoReader;
}

const ED25519_BYTES = 64;

/**
 * Checks again that both sides bound themselves to an agreement (§17.2): a person of the business, and the buyer's wallet
 * by its signature over a text that names this payment, offer and total. Throws `ChainUnavailableError` for a memo on chain
 * that no node shows now.
 */
export async function isSignedByBoth(
  { builder, reader }: SignatureDeps,
  offer: SignedOffer,
  { genesisHash, operator, payment, sender, total }: AgreedPlace,
): Promise<boolean> {
  const isOfBuyer = offer.side === "buyer";
  const isGiven = isOfBuyer ? offer.acceptedBy !== null : offer.authorKind === "user" || offer.confirmedBy !== null;
  const text = isOfBuyer ? offer.signedText : offer.acceptedText;
  const evidence = isOfBuyer ? offer.signature : offer.acceptedSignature;
  if (!isGiven || text === null || evidence === null || offer.total !== total) return false;
  const lines = new Set(text.split("\n"));
  const named = [`Genesis: ${genesisHash}`, `Operator: ${operator}`, `Payment: ${payment}`, `Total: ${total}`];
  if (!named.every((line) => lines.has(line))) return false;
  if (!isOfBuyer && !lines.has(`Offer: ${offer.id}`)) return false;
  return isEvidence({ builder, reader }, { sender, text, evidence });
}

/** The evidence is a signature of the text, a transaction that was never sent, or the name of one that landed. */
async function isEvidence(
  { builder, reader }: SignatureDeps,
  { sender, text, evidence }: { readonly sender: string; readonly text: string; readonly evidence: string },
): Promise<boolean> {
  if (isSignature(evidence)) {
    const found = await fetchLandedMemo(reader, evidence);
    const memo = found.kind === "landed" ? found.memo : null;
    return memo !== null && memo.text === text && memo.signers.includes(sender);
  }
  const bytes = parseBase64(evidence);
  if (bytes?.length === ED25519_BYTES) return isSignedBy(sender, Buffer.from(text, "utf8"), bytes);
  const memo = await builder.readSignedMemo(evidence);
  return memo !== null && memo.signer === sender && memo.text === text;
}
