import { isMemo } from "../../../chain/acts.ts";
import type { Chain } from "../../../chain/chain.ts";
import { isSignature } from "../../../domain/addresses.ts";
import { fetchLandedMemo } from "../proof/landedMemo.ts";
import { isSignedBy, parseBase64 } from "../proof/signature.ts";
import type { SignedOffer } from "./queries.ts";

/** The place and the sum of an agreement, as the text that a wallet signed has to name them. */
interface AgreedPlace {
  readonly genesisHash: string;
  readonly operator: string;
  readonly payment: string;
  readonly sender: string;
  readonly total: string;
}

const ED25519_BYTES = 64;

/**
 * Checks again that both sides bound themselves to an agreement (§17.2): a member of the business, by their word, and the
 * buyer's wallet, by its signature over a text that names this payment, offer and total. Throws `ChainUnavailableError` for
 * a memo on chain that no node shows now.
 */
export async function isSignedByBoth(
  chain: Chain,
  { id, side, total, signedText, signature, acceptedBy, acceptedText, acceptedSignature }: SignedOffer,
  { genesisHash, operator, payment, sender, ...agreed }: AgreedPlace,
): Promise<boolean> {
  const isOfBuyer = side === "buyer";
  const [text, evidence] = isOfBuyer ? [signedText, signature] : [acceptedText, acceptedSignature];
  if (total !== agreed.total || acceptedBy === null || text === null || evidence === null) return false;
  const lines = new Set(text.split("\n"));
  const named = [`Genesis: ${genesisHash}`, `Operator: ${operator}`, `Payment: ${payment}`, `Total: ${total}`];
  // The buyer's own offer has no id yet when the wallet that makes it signs.
  if (!isOfBuyer) named.push(`Offer: ${id}`);
  return named.every((line) => lines.has(line)) && isEvidence(chain, { wallet: sender, text, evidence });
}

/** The evidence is a signature of the text, a transaction that was never sent, or the name of one that landed. */
async function isEvidence(
  { builder, reader }: Chain,
  { wallet, text, evidence }: { readonly wallet: string; readonly text: string; readonly evidence: string },
): Promise<boolean> {
  if (isSignature(evidence)) {
    const found = await fetchLandedMemo(reader, evidence);
    const memo = found.kind === "landed" ? found.memo : null;
    return memo !== null && memo.text === text && memo.signers.includes(wallet);
  }
  const bytes = parseBase64(evidence);
  if (bytes?.length === ED25519_BYTES) return isSignedBy(wallet, Buffer.from(text, "utf8"), bytes);
  const signed = await builder.readSigned(evidence);
  return signed.kind === "signed" && isMemo(signed, { signer: wallet, text });
}
