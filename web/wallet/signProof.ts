import { checkMemo, checkProof, type ShownProof } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "./base64.ts";
import { ask, bytesOf, type NotSigned, SIGNATURE_BYTES, type Signing, signWith } from "./signing.ts";
import type { Wallet, WalletAccount } from "./wallet.ts";

/** A text that the service asks a wallet to sign, or a transaction with it as a memo, which is never sent. */
export interface AskedText {
  readonly nonce: string;
  readonly expiresAt: string;
  readonly text: string;
  /** Base64, unsigned; null for a message. */
  readonly transaction: string | null;
}

/** The members of a request by which the service checks the signature. */
export interface ProofBody {
  readonly nonce: string;
  readonly signature?: string;
  readonly transaction?: string;
  /** The signature of the landed transaction with the memo. */
  readonly landed?: string;
}

/** The way in which a wallet signs a text; null if it can do neither. */
export function textWayOf({ features }: Wallet): "message" | "transaction" | null {
  if (features["solana:signMessage"] !== undefined) return "message";
  return features["solana:signTransaction"] !== undefined ? "transaction" : null;
}

/** Lets a wallet sign a text. Throws `UnexpectedBytesError`, before the wallet is asked, unless the page writes the same. */
export async function signProof(
  signing: Omit<Signing, "transaction">,
  { nonce, expiresAt, text, transaction: unsigned }: AskedText,
  shown: Omit<ShownProof, "nonce" | "expiresAt">,
): Promise<{ readonly kind: "proven"; readonly body: ProofBody } | NotSigned> {
  const { wallet, account } = signing;
  checkProof(text, { ...shown, nonce, expiresAt });
  if (unsigned === null) {
    const signed = await signText(wallet, account, new TextEncoder().encode(text));
    return signed.kind === "text" ? { kind: "proven", body: { nonce, signature: toBase64(signed.signature) } } : signed;
  }
  const transaction = fromBase64(unsigned);
  checkMemo(transaction, { account: account.address, text });
  const signed = await signWith({ ...signing, transaction }, false);
  if (signed.kind === "signed") return { kind: "proven", body: { nonce, transaction: toBase64(signed.transaction) } };
  return signed.kind === "sent" ? { kind: "unknown" } : signed;
}

/** Lets the wallet sign a text, and returns the signature; throws nothing. */
async function signText(
  { features }: Wallet,
  account: WalletAccount,
  message: Uint8Array,
): Promise<{ readonly kind: "text"; readonly signature: Uint8Array } | NotSigned> {
  const given = await ask(() => features["solana:signMessage"]!.signMessage({ account, message }), "signs");
  if ("ending" in given) return given.ending;
  const signature = bytesOf(given.answer, "signature");
  return signature?.length === SIGNATURE_BYTES ? { kind: "text", signature } : { kind: "unknown" };
}
