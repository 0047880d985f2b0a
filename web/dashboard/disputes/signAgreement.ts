import { checkAgreement, UnexpectedBytesError } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "@holdfast/wallet/base64.ts";
import { connectWallet, type NotSigned, signWith } from "@holdfast/wallet/signing.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
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

/** `half`: it waits for the buyer; `sent`: both have signed, and the chain decides. */
export type AgreementEnding =
  | NotSigned
  | { readonly kind: "half" | "sent" }
  | { readonly kind: "other_wallet"; readonly account: string }
  | { readonly kind: "unexpected"; readonly reason: string }
  | { readonly kind: "refused"; readonly error: unknown };

/** Signs the agreement in one transaction of both sides by the recipient's wallet. Throws nothing. */
export async function signAgreement(
  shown: ShownAgreement,
  { wallet, cluster }: { readonly wallet: Wallet; readonly cluster: string },
): Promise<AgreementEnding> {
  try {
    return await sign(shown, wallet, cluster);
  } catch (error) {
    if (error instanceof UnexpectedBytesError) return { kind: "unexpected", reason: error.message };
    return { kind: "refused", error };
  } finally {
    wallet.close?.();
  }
}

async function sign(shown: ShownAgreement, wallet: Wallet, cluster: string): Promise<AgreementEnding> {
  const { path, program, payment, sender, recipient, asset: mint, amount, refundTotal, total } = shown;
  const connected = await connectWallet(wallet, cluster);
  if ("ending" in connected) return connected.ending;
  const account = connected.accounts.find(({ address }) => address === recipient);
  if (account === undefined) return { kind: "other_wallet", account: connected.accounts[0]!.address };
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
