import { UnexpectedBytesError } from "@holdfast/decoder";
import { connectWallet, type NotSigned } from "@holdfast/wallet/signing.ts";
import { type ProofBody, signProof, textWayOf } from "@holdfast/wallet/signProof.ts";
import type { Wallet, WalletAccount } from "@holdfast/wallet/wallet.ts";
import { call, type InputOf } from "../api/client.ts";

/** The recipient's wallet did not sign, or nothing is known of it. */
export type NotGiven =
  | NotSigned
  | { readonly kind: "other_wallet"; readonly account: string }
  | { readonly kind: "no_texts" }
  | { readonly kind: "unexpected"; readonly reason: string }
  | { readonly kind: "refused"; readonly error: unknown };

interface Signer {
  readonly wallet: Wallet;
  readonly cluster: string;
}

async function orEnding<Ending>(signing: Promise<Ending>): Promise<Ending | NotGiven> {
  try {
    return await signing;
  } catch (error) {
    if (error instanceof UnexpectedBytesError) return { kind: "unexpected", reason: error.message };
    return { kind: "refused", error };
  }
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
