import {
  checkMemo,
  checkPlainForm,
  checkProof,
  type PlainInstruction,
  type ShownProof,
  UnexpectedBytesError,
} from "@holdfast/decoder";
import { fromBase64 } from "@holdfast/wallet/base64.ts";
import { connectWallet, type NotSigned } from "@holdfast/wallet/signing.ts";
import { type AskedText, type ProofBody, signProof, textWayOf } from "@holdfast/wallet/signProof.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import type { CaseData } from "./data.ts";
import { callService, RefusedError } from "./service.ts";

/** What the wallet is to sign: to read and write here, or an agreement. */
export type WantedProof =
  | { readonly act: "open_session" }
  | { readonly act: "offer"; readonly total: string; readonly until: string }
  | { readonly act: "accept_offer"; readonly offer: string; readonly total: string; readonly until: string };

export type ProofEnding =
  | NotSigned
  | { readonly kind: "proven"; readonly body: ProofBody }
  | { readonly kind: "other_wallet"; readonly given: string }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "unexpected_bytes"; readonly reason: string }
  | { readonly kind: "no_way" | "no_answer" };

/** Lets a wallet sign what it is asked for, after the page compared it with its own text. Throws nothing. */
export async function proveBy(data: CaseData, wallet: Wallet, wanted: WantedProof): Promise<ProofEnding> {
  try {
    return await prove(data, wallet, wanted);
  } catch (error) {
    if (error instanceof RefusedError) return { kind: "refused", code: error.code, message: error.message };
    if (error instanceof UnexpectedBytesError) return { kind: "unexpected_bytes", reason: error.message };
    return { kind: "no_answer" };
  }
}

async function prove(data: CaseData, wallet: Wallet, wanted: WantedProof): Promise<ProofEnding> {
  const way = textWayOf(wallet);
  if (way === null) return { kind: "no_way" };
  const connected = await connectWallet(wallet, data.cluster);
  if ("ending" in connected) return connected.ending;
  const account = connected.accounts.find(({ address }) => address === data.payment.sender);
  if (account === undefined) return { kind: "other_wallet", given: connected.accounts[0]!.address };
  const challenge = await callService<AskedText>(`${data.path}/case/challenge`, { way, ...wanted });
  return signProof({ wallet, cluster: data.cluster, account }, challenge, shownBy(data, wanted));
}

/** The text as the page would write it. */
const shownBy = (
  { genesis, payment, decimals }: CaseData,
  wanted: WantedProof,
): Omit<ShownProof, "nonce" | "expiresAt"> => ({
  ...{ host: location.host, genesis, operator: payment.operator, payment: payment.address },
  agreement:
    wanted.act === "open_session"
      ? null
      : {
          act: wanted.act,
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
  const challenge = await callService<AskedText & { readonly instructions: readonly PlainInstruction[] }>(
    `${data.path}/case/challenge`,
    body,
  );
  const { nonce, expiresAt } = challenge;
  checkProof(challenge.text, { ...shownBy(data, { act: "open_session" }), nonce, expiresAt });
  const transaction = fromBase64(challenge.transaction ?? "");
  checkMemo(transaction, { account: data.payment.sender, text: challenge.text });
  checkPlainForm(transaction, challenge.instructions);
  return challenge;
}
