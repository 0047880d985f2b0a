import { checkAgreement, UnexpectedBytesError } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "@holdfast/wallet/base64.ts";
import { connectWallet, type NotSigned, signWith } from "@holdfast/wallet/signing.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import type { CaseData } from "./data.ts";
import { callService, RefusedError } from "./service.ts";

/** The result of signing the transaction of an agreement. `half`: it waits for the shop; `sent`: both have signed. */
export type AgreementEnding =
  | NotSigned
  | { readonly kind: "half" }
  | { readonly kind: "sent" }
  | { readonly kind: "no_answer" }
  | { readonly kind: "other_wallet"; readonly given: string }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "unexpected_bytes"; readonly reason: string };

/** Signs the agreement in one transaction of both sides, after the page checked its bytes. Throws nothing. */
export async function agreeBy(
  data: CaseData,
  wallet: Wallet,
  onConfirm: (networkLamports: string) => void,
): Promise<AgreementEnding> {
  try {
    return await agree(data, wallet, onConfirm);
  } catch (error) {
    if (error instanceof RefusedError) return { kind: "refused", code: error.code, message: error.message };
    if (error instanceof UnexpectedBytesError) return { kind: "unexpected_bytes", reason: error.message };
    return { kind: "no_answer" };
  }
}

async function agree(
  data: CaseData,
  wallet: Wallet,
  onConfirm: (networkLamports: string) => void,
): Promise<AgreementEnding> {
  const { cluster, path, payment, agreed } = data;
  const connected = await connectWallet(wallet, cluster);
  if ("ending" in connected) return connected.ending;
  const account = connected.accounts.find(({ address }) => address === payment.sender);
  if (account === undefined) return { kind: "other_wallet", given: connected.accounts[0]!.address };
  const body = { account: account.address };
  const built = await callService<{ readonly transaction: string }>(`${path}/case/agreement/build`, body);
  const transaction = fromBase64(built.transaction);
  const shown = { ...payment, payment: payment.address, account: account.address, total: agreed?.total ?? "" };
  const { networkLamports, feePayer } = checkAgreement(transaction, shown);
  onConfirm(feePayer === account.address ? networkLamports.toString() : "0");
  const signed = await signWith({ wallet, cluster, account, transaction }, false);
  if (signed.kind === "sent") return { kind: "unknown" };
  if (signed.kind !== "signed") return signed;
  const answer = await callService<{ readonly signature?: string }>(`${path}/case/agreement/submit`, {
    transaction: toBase64(signed.transaction),
  });
  return answer.signature === undefined ? { kind: "half" } : { kind: "sent" };
}
