import { checkAgreement, UnexpectedBytesError } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "@holdfast/wallet/base64.ts";
import { connectWallet, type NotSigned, signWith } from "@holdfast/wallet/signing.ts";
import { type ProofBody, signProof, textWayOf } from "@holdfast/wallet/signProof.ts";
import type { Wallet, WalletAccount } from "@holdfast/wallet/wallet.ts";
import { call, type InputOf } from "../api/client.ts";
import { write } from "../api/queries.ts";

/** An agreement as the page shows it: the bytes are compared with it before a wallet has them. */
export interface ShownAgreement {
  readonly path: InputOf<"buildAgreement">["path"];
  readonly program: { readonly programId: string; readonly operator: string };
  readonly payment: string;
  readonly sender: string;
  readonly recipient: string;
  readonly asset: string;
  readonly amount: string;
  readonly refundTotal: string;
  /** The total that the buyer has in the end. */
  readonly total: string;
}

/** The recipient's wallet did not sign, or nothing is known of it. */
export type NotGiven =
  | NotSigned
  | { readonly kind: "other_wallet"; readonly account: string }
  | { readonly kind: "no_texts" }
  | { readonly kind: "unexpected"; readonly reason: string }
  | { readonly kind: "refused"; readonly error: unknown };

/** `half`: it waits for the buyer; `sent`: both have signed, and the chain decides. */
export type AgreementEnding = NotGiven | { readonly kind: "half" | "sent" };

interface Signer {
  readonly wallet: Wallet;
  readonly cluster: string;
}

/** Signs the agreement in one transaction of both sides by the recipient's wallet. Throws nothing. */
export const signAgreement = (shown: ShownAgreement, signer: Signer): Promise<AgreementEnding> =>
  orEnding(sign(shown, signer));

async function orEnding<Ending>(signing: Promise<Ending>): Promise<Ending | NotGiven> {
  try {
    return await signing;
  } catch (error) {
    if (error instanceof UnexpectedBytesError) return { kind: "unexpected", reason: error.message };
    return { kind: "refused", error };
  }
}

async function sign(shown: ShownAgreement, { wallet, cluster }: Signer): Promise<AgreementEnding> {
  const { path, program, payment, sender, recipient, asset: mint, amount, refundTotal, total } = shown;
  const found = await findRecipient({ wallet, cluster }, recipient);
  if ("ending" in found) return found.ending;
  const { account } = found;
  const built = await call("buildAgreement", { path, body: { account: recipient } });
  const transaction = fromBase64(built.transaction);
  const sides = { account: recipient, payment, sender, recipient, mint, tokenProgram: null, rentPayer: null };
  checkAgreement(transaction, { ...program, ...sides, amount, total, refundTotal });
  // A wallet that sends by itself would send a transaction that the other side has not signed.
  const signed = await signWith({ wallet, cluster, account, transaction }, false);
  if (signed.kind === "sent") return { kind: "unknown" };
  if (signed.kind !== "signed") return signed;
  const answer = await write("submitAgreement", { path, body: { transaction: toBase64(signed.transaction) } });
  return { kind: answer.signature === null ? "half" : "sent" };
}

async function findRecipient(
  { wallet, cluster }: Signer,
  recipient: string,
): Promise<{ readonly account: WalletAccount } | { readonly ending: NotGiven }> {
  const connected = await connectWallet(wallet, cluster);
  if ("ending" in connected) return connected;
  const account = connected.accounts.find(({ address }) => address === recipient);
  return account === undefined
    ? { ending: { kind: "other_wallet", account: connected.accounts[0]!.address } }
    : { account };
}

/** An act that binds the business, as its dialog shows it. The text is compared with it before the wallet is asked. */
export interface ShownConsent {
  readonly path: InputOf<"askRecipient">["path"];
  readonly program: { readonly operator: string; readonly genesisHash: string };
  readonly payment: string;
  readonly recipient: string;
  readonly act: InputOf<"askRecipient">["body"]["act"];
  /** The offer that is confirmed or accepted; null for a new one. */
  readonly offer: string | null;
  readonly amount: string;
  readonly decimals: number;
  readonly refundTotal: string;
  readonly total: string;
  readonly until: string;
}

/** Has the recipient's wallet sign for the business. Throws nothing. */
export const signConsent = (
  shown: ShownConsent,
  signer: Signer,
): Promise<NotGiven | { readonly kind: "proven"; readonly body: ProofBody }> => orEnding(consent(shown, signer));

async function consent({ path, program, payment, recipient, ...agreement }: ShownConsent, signer: Signer) {
  const { act, offer, total, until } = agreement;
  const way = textWayOf(signer.wallet);
  if (way === null) return { kind: "no_texts" } as const;
  const terms = offer === null ? { total, until } : { offer };
  // Asked before the wallet is: the service refuses a recipient that signs no text.
  const asked = await call("askRecipient", { path, body: { way, act, ...terms } });
  const found = await findRecipient(signer, recipient);
  if ("ending" in found) return found.ending;
  const place = { host: location.host, genesis: program.genesisHash, operator: program.operator, payment };
  return signProof({ ...signer, account: found.account }, asked, { ...place, agreement });
}
