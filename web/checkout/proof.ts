import {
  checkMemo,
  checkPlainForm,
  checkProof,
  checkSignIn,
  type PlainInstruction,
  type ShownProof,
  UnexpectedBytesError,
} from "@holdfast/decoder";
import { fromBase64, toBase64 } from "@holdfast/wallet/base64.ts";
import { connectWallet, type NotSigned, signText, signWith } from "@holdfast/wallet/signing.ts";
import type { SignInInput, Wallet, WalletAccount } from "@holdfast/wallet/wallet.ts";
import type { CaseData } from "./data.ts";
import { callService, RefusedError } from "./service.ts";

/** What the wallet is to sign: to read and write here, or an agreement. */
export type WantedProof =
  | { readonly act: "open_session" }
  | { readonly act: "offer"; readonly total: string; readonly until: string }
  | { readonly act: "accept_offer"; readonly offer: string; readonly total: string; readonly until: string };

interface Challenge {
  readonly nonce: string;
  readonly expiresAt: string;
  readonly text: string | null;
  readonly signIn: SignInInput | null;
  /** Base64, unsigned. */
  readonly transaction: string | null;
}

/** The body by which the service checks the proof. */
export type ProofBody = Readonly<Record<string, string>>;

export type ProofEnding =
  | NotSigned
  | { readonly kind: "proven"; readonly body: ProofBody }
  | { readonly kind: "other_wallet"; readonly given: string }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "unexpected_bytes"; readonly reason: string }
  | { readonly kind: "no_way" | "no_answer" };

type Way = "sign_in" | "message" | "transaction";

/** A sign-in names this site in the wallet's own words, but binds nothing. */
function wayOf({ features }: Wallet, { act }: WantedProof): Way | null {
  if (act === "open_session" && features["solana:signIn"] !== undefined) return "sign_in";
  if (features["solana:signMessage"] !== undefined) return "message";
  return features["solana:signTransaction"] !== undefined ? "transaction" : null;
}

/** Lets a wallet sign what it is asked for, after the page compared it with its own text. Throws nothing. */
export async function proveBy(data: CaseData, wallet: Wallet, wanted: WantedProof): Promise<ProofEnding> {
  try {
    return await prove(data, wallet, wanted);
  } catch (error) {
    if (error instanceof RefusedError) return { kind: "refused", code: error.code, message: error.message };
    if (error instanceof UnexpectedBytesError) return { kind: "unexpected_bytes", reason: error.message };
    return { kind: "no_answer" };
  } finally {
    wallet.close?.();
  }
}

async function prove(data: CaseData, wallet: Wallet, wanted: WantedProof): Promise<ProofEnding> {
  const way = wayOf(wallet, wanted);
  if (way === null) return { kind: "no_way" };
  const connected = await connectWallet(wallet, data.cluster);
  if ("ending" in connected) return connected.ending;
  const account = connected.accounts.find(({ address }) => address === data.payment.sender);
  if (account === undefined) return { kind: "other_wallet", given: connected.accounts[0]!.address };
  const challenge = await callService<Challenge>(`${data.path}/case/challenge`, { way, ...wanted });
  const { nonce } = challenge;
  if (way === "sign_in") return proveBySignIn(data, wallet, account, challenge);
  checkProof(challenge.text ?? "", shownBy(data, wanted, challenge));
  if (way === "message") {
    const signed = await signText(wallet, account, { message: new TextEncoder().encode(challenge.text!) });
    return signed.kind === "text" ? { kind: "proven", body: { nonce, signature: toBase64(signed.signature) } } : signed;
  }
  const transaction = fromBase64(challenge.transaction ?? "");
  checkMemo(transaction, { account: account.address, text: challenge.text! });
  const signed = await signWith({ wallet, cluster: data.cluster, account, transaction }, false);
  if (signed.kind === "signed") return { kind: "proven", body: { nonce, transaction: toBase64(signed.transaction) } };
  return signed.kind === "sent" ? { kind: "unknown" } : signed;
}

async function proveBySignIn(
  data: CaseData,
  wallet: Wallet,
  account: WalletAccount,
  challenge: Challenge,
): Promise<ProofEnding> {
  const { nonce, signIn } = challenge;
  const asked = signIn ?? {};
  const { agreement: _, ...place } = shownBy(data, { act: "open_session" }, challenge);
  const uri = `${location.origin}${data.path}/case`;
  checkSignIn(asked, { ...place, uri, chainId: data.cluster, account: account.address });
  const signed = await signText(wallet, account, { signIn: asked });
  if (signed.kind !== "text") return signed;
  const [signature, signedMessage] = [signed.signature, signed.signedMessage].map(toBase64) as [string, string];
  return { kind: "proven", body: { nonce, signature, signedMessage } };
}

/** The text as the page would write it. */
const shownBy = (
  { genesis, payment, decimals }: CaseData,
  wanted: WantedProof,
  { nonce, expiresAt }: Pick<Challenge, "nonce" | "expiresAt">,
): ShownProof => ({
  ...{ host: location.host, genesis, operator: payment.operator, payment: payment.address, nonce, expiresAt },
  agreement:
    wanted.act === "open_session"
      ? null
      : {
          offer: wanted.act === "offer" ? null : wanted.offer,
          amount: payment.amount,
          decimals: decimals ?? 0,
          total: wanted.total,
          refundTotal: payment.refundTotal,
          until: wanted.until,
        },
});

/** The memo for a wallet that is not in this browser, checked as any other text, in each form in which it is shown. */
export async function askMemo(data: CaseData) {
  const body = { way: "memo", act: "open_session" };
  const challenge = await callService<Challenge & { readonly instructions: readonly PlainInstruction[] }>(
    `${data.path}/case/challenge`,
    body,
  );
  checkProof(challenge.text ?? "", shownBy(data, { act: "open_session" }, challenge));
  const transaction = fromBase64(challenge.transaction ?? "");
  checkMemo(transaction, { account: data.payment.sender, text: challenge.text! });
  checkPlainForm(transaction, challenge.instructions);
  return challenge;
}
