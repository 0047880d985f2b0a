import { checkMemo, checkPlainForm, checkProof, type ShownProof } from "@holdfast/decoder";
import { type ActEnding, endingOf } from "@holdfast/wallet/act.ts";
import { fromBase64 } from "@holdfast/wallet/base64.ts";
import { connectWallet } from "@holdfast/wallet/signing.ts";
import { type ProofBody, signProof, textWayOf } from "@holdfast/wallet/signProof.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import type { CaseData } from "./data.ts";
import { callService } from "./service.ts";

/** What the wallet is to sign: to read and write here, or an agreement. */
export type WantedProof =
  | { readonly act: "open_session" }
  | { readonly act: "offer"; readonly total: string; readonly until: string }
  | { readonly act: "accept_offer"; readonly offer: string; readonly total: string; readonly until: string };

/** `no_way`: the wallet can sign neither texts nor transactions. */
export type ProofEnding =
  | ActEnding
  | { readonly kind: "proven"; readonly body: ProofBody }
  | { readonly kind: "no_way" };

/** Lets a wallet sign what it is asked for, after the page compared it with its own text. Throws nothing. */
export const proveBy = (data: CaseData, wallet: Wallet, wanted: WantedProof): Promise<ProofEnding> =>
  prove(data, wallet, wanted).catch(endingOf);

async function prove(data: CaseData, wallet: Wallet, wanted: WantedProof): Promise<ProofEnding> {
  const way = textWayOf(wallet);
  if (way === null) return { kind: "no_way" };
  const connected = await connectWallet(wallet, data.cluster, data.payment.sender);
  if ("ending" in connected) return connected.ending;
  const challenge = await callService("/pay/p/{payment}/case/challenge", data, { way, ...wanted });
  return signProof({ wallet, cluster: data.cluster, ...connected }, challenge, shownBy(data, wanted));
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
  const challenge = await callService("/pay/p/{payment}/case/challenge", data, { way: "memo", act: "open_session" });
  const { nonce, expiresAt } = challenge;
  checkProof(challenge.text, { ...shownBy(data, { act: "open_session" }), nonce, expiresAt });
  const transaction = fromBase64(challenge.transaction ?? "");
  checkMemo(transaction, { account: data.payment.sender, text: challenge.text });
  checkPlainForm(transaction, challenge.instructions ?? []);
  return challenge;
}
