import { checkAction, checkPlainForm, type PlainInstruction, UnexpectedBytesError } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "@holdfast/wallet/base64.ts";
import { connectWallet, isAskedToSend, type NotSigned, signWith, withSignature } from "@holdfast/wallet/signing.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { ApiError, call, type InputOf, type ResultOf } from "../api/client.ts";
import * as texts from "../catalogue/index.ts";

/** A refund as the page shows it: the bytes are compared with it before a wallet has them. */
export interface ShownRefund {
  readonly path: InputOf<"refundPayment">["path"];
  readonly program: { readonly programId: string; readonly operator: string };
  readonly sender: string;
  readonly recipient: string;
  readonly asset: string;
  /** The amount that the buyer has in the end, in smallest units. */
  readonly total: string;
}

export type Built = ResultOf<"refundPayment">;

export type RefundStep =
  | { readonly at: "connecting" | "preparing" }
  /** `transaction`: what the wallet signed, if the page has it. */
  | { readonly at: "sending"; readonly transaction: string | null }
  | {
      readonly at: "confirming";
      readonly transaction: string;
      readonly lamports: bigint;
      readonly accountLamports: bigint;
    };

/** `sent`: the chain decides. After `unknown` too, it may be on its way; after all others nothing was sent. */
export type RefundEnding =
  | NotSigned
  | { readonly kind: "sent" }
  /** It did nothing, and never will. */
  | { readonly kind: "too_late" | "failed" }
  | { readonly kind: "other_wallet"; readonly account: string }
  | { readonly kind: "unexpected"; readonly reason: string }
  | { readonly kind: "refused"; readonly error: unknown };

interface Signing {
  readonly refund: ShownRefund;
  readonly wallet: Wallet;
  /** The name of the network in wallets. */
  readonly cluster: string;
  readonly onStep: (step: RefundStep) => void;
}

/** Refunds by the recipient's wallet: the service builds, this page checks the bytes, the wallet signs. Throws nothing. */
export async function signRefund(signing: Signing): Promise<RefundEnding> {
  try {
    return await sign(signing);
  } catch (error) {
    return endingOf(error);
  }
}

async function sign({ refund, wallet, cluster, onStep }: Signing): Promise<RefundEnding> {
  onStep({ at: "connecting" });
  const connected = await connectWallet(wallet, cluster);
  if ("ending" in connected) return connected.ending;
  const account = connected.accounts.find(({ address }) => address === refund.recipient);
  if (account === undefined) return { kind: "other_wallet", account: connected.accounts[0]!.address };
  onStep({ at: "preparing" });
  const { built, transaction } = await buildRefund(refund);
  const { networkLamports, tokenAccountLamports } = built.fee;
  onStep({
    at: "confirming",
    transaction: built.transaction,
    lamports: BigInt(networkLamports) + BigInt(tokenAccountLamports),
    accountLamports: BigInt(tokenAccountLamports),
  });
  const signed = await signWith({ wallet, cluster, account, transaction }, isAskedToSend(wallet, cluster));
  if (signed.kind === "signed") {
    const bytes = toBase64(signed.transaction);
    onStep({ at: "sending", transaction: bytes });
    const submitted = submit(refund, bytes).catch((error: unknown) => {
      if (mayHaveArrived(error)) return null;
      throw error;
    });
    if ((await submitted) === null) return { kind: "unknown" };
  } else if (signed.kind === "sent") {
    // The wallet has sent it; the service sends the same bytes again until they land.
    const bytes = withSignature(transaction, signed.signature);
    onStep({ at: "sending", transaction: bytes });
    if (bytes !== null) await submit(refund, bytes).catch(() => undefined);
  } else return signed;
  return { kind: "sent" };
}

const submit = ({ path }: ShownRefund, transaction: string) => call("submitRefund", { path, body: { transaction } });

/** True if the service may have the transaction: it gave no answer, or failed half-way. */
const mayHaveArrived = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

/** The most that a token account of any extensions binds, in lamports. */
const ACCOUNT_LAMPORTS_MAX = (128n + 512n) * 6_960n;

/** Has the service build the refund, and checks that the bytes are this refund and nothing else. */
async function buildRefund(refund: ShownRefund): Promise<{ built: Built; transaction: Uint8Array }> {
  const { path, program, sender, recipient, asset, total } = refund;
  const built = await call("refundPayment", { path, body: { total, account: recipient } });
  const transaction = fromBase64(built.transaction);
  const { makesTokenAccount } = checkAction(transaction, {
    ...program,
    account: recipient,
    payment: path.payment,
    action: "refund",
    total,
    sender,
    recipient,
    mint: asset,
    tokenProgram: null,
    rentPayer: null,
    networkLamports: BigInt(built.fee.networkLamports),
  });
  const accountLamports = BigInt(built.fee.tokenAccountLamports);
  const isNamed = makesTokenAccount
    ? accountLamports > 0n && accountLamports <= ACCOUNT_LAMPORTS_MAX
    : accountLamports === 0n;
  if (!isNamed) throw new UnexpectedBytesError(texts.refund.otherCost);
  return { built, transaction };
}

/** The same for a wallet of several signers, with its instructions in plain form. */
export async function prepareRefund(refund: ShownRefund): Promise<Built> {
  const { built, transaction } = await buildRefund(refund);
  checkPlainForm(transaction, built.instructions as readonly PlainInstruction[]);
  return built;
}

export const endingOf = (error: unknown): RefundEnding =>
  error instanceof UnexpectedBytesError
    ? { kind: "unexpected", reason: error.message }
    : isTooLate(error)
      ? { kind: "too_late" }
      : { kind: "refused", error: error instanceof ApiError ? error : null };

export const isTooLate = (error: unknown): boolean => error instanceof ApiError && error.code === "expired";
