import { checkTransaction, toBase58, UnexpectedBytesError } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "@holdfast/wallet/base64.ts";
import {
  connectWallet,
  isAskedToSend,
  type NotSigned,
  type Signed,
  signWith,
  withSignature,
} from "@holdfast/wallet/signing.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import type { PageData } from "./data.ts";
import type { Watched } from "./doubt.ts";
import { type BuiltTransaction, callService, type HandedOver, handOver, RefusedError } from "./service.ts";
import { hashTerms } from "./terms.ts";

/** The steps of a payment, for the page to show. */
export type Step =
  | { readonly at: "connecting" | "preparing" }
  /** `watched`: what the wallet signed, if the page has it. */
  | { readonly at: "sending"; readonly watched: Watched }
  | {
      readonly at: "confirming";
      readonly fee: BuiltTransaction["fee"];
      readonly sponsored: boolean;
      /** True if the wallet is asked to send, too: then it may do so though no answer ever reaches this page. */
      readonly walletSends: boolean;
      readonly watched: Watched;
    };

/**
 * The result of an attempt in this tab. `sent`: it is on its way. `unknown`: it may be on its way, so the page must not
 * invite to pay again. With all others the transaction was not sent, and cannot land.
 */
export type Ending =
  | NotSigned
  | { readonly kind: "sent" }
  | { readonly kind: "too_late" }
  | { readonly kind: "arbiter_changed" }
  | { readonly kind: "no_answer" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unexpected_bytes"; readonly reason: string };

export interface Attempt {
  readonly data: PageData;
  readonly wallet: Wallet;
  /** The arbiter that the page shows now; null: it shows none yet, and the page does not pay before it does. */
  readonly arbiter: string | null;
  readonly onStep: (step: Step) => void;
  /** Resolved once the transaction that the wallet got can no longer land, if the wallet takes that long. */
  readonly tooLate: Promise<{ readonly kind: "too_late" }>;
  readonly onArbiter: (arbiter: string) => void;
  /** Called if the wallet says after {@link tooLate} that it has sent: it may have changed the blockhash. */
  readonly onLate: (watched: Watched) => void;
}

/** Pays by a wallet: the server builds, this page checks the bytes, the wallet signs, and it or the server's relay sends. */
export async function payBy(attempt: Attempt): Promise<Ending> {
  try {
    return await pay(attempt);
  } catch (error) {
    if (error instanceof RefusedError) return { kind: "refused", message: error.message };
    if (error instanceof UnexpectedBytesError) return { kind: "unexpected_bytes", reason: error.message };
    // The wallet's errors are caught earlier: here the service gave no answer.
    return { kind: "no_answer" };
  }
}

async function pay({ data, wallet, arbiter, onStep, tooLate, onArbiter, onLate }: Attempt): Promise<Ending> {
  onStep({ at: "connecting" });
  const connected = await connectWallet(wallet, data.cluster);
  if ("ending" in connected) return connected.ending;
  const account = connected.accounts[0]!;

  onStep({ at: "preparing" });
  // A sponsor signs last, so the wallet must be able to sign without sending. A buyer with SOL pays without a sponsor.
  const sponsored = data.terms.sponsors.length > 0 && wallet.features["solana:signTransaction"] !== undefined;
  const built = await callService<BuiltTransaction>(`${data.path}/build`, { account: account.address, sponsored });
  // The buyer agrees to the arbiter, too: the page first shows a new arbiter, and then lets the buyer pay.
  if (built.arbiter !== arbiter) {
    onArbiter(built.arbiter);
    return { kind: "arbiter_changed" };
  }
  const transaction = fromBase64(built.transaction);
  const checked = checkTransaction(transaction, {
    ...data.terms,
    sponsors: built.sponsored ? data.terms.sponsors : [],
    account: account.address,
    arbiter: built.arbiter,
    termsHash: await hashTerms(built.terms, built.arbiter, data.terms, data.decimals),
    networkLamports: BigInt(built.fee.networkLamports),
  });
  if (built.sponsored !== checked.isSponsored) throw new UnexpectedBytesError("somebody else pays its cost");
  checkFee(built, checked.makesRecipientAccount);
  // A seat is held once the signed transaction is handed in, so it is not sent before.
  const isHandedIn = built.seated && wallet.features["solana:signTransaction"] !== undefined;
  const walletSends = !built.sponsored && !isHandedIn && isAskedToSend(wallet, data.cluster);
  const watched = { transaction: built.transaction, payment: built.payment };
  onStep({ at: "confirming", fee: built.fee, sponsored: built.sponsored, walletSends, watched });
  const signing = signWith({ wallet, cluster: data.cluster, account, transaction }, walletSends);
  const answer = await Promise.race([signing, tooLate]);
  if (answer.kind !== "too_late") return handIn(answer, { path: data.path, transaction, watched, onStep });
  // What a wallet signs later is dropped. What it has sent is followed all the same.
  void signing.then((late) => {
    if (late.kind !== "sent") return;
    onLate(watchedBy(watched, withSignature(transaction, late.signature)));
    void report(late.signature, { path: data.path, transaction });
  });
  return answer;
}

/** The most lamports that an account of `bytes` bytes binds. Solana has never asked more for a byte, and adds 128 bytes. */
const rentMax = (bytes: number): bigint => (128n + BigInt(bytes)) * 6_960n;
const RECORD_LAMPORTS_MAX = rentMax(312);
/** A token account has 165 bytes and those of its extensions. */
const TOKEN_ACCOUNT_LAMPORTS_MAX = rentMax(512);

/**
 * Checks the cost. The page shows the sum; the bytes reveal only the network's part, and the accounts that are created. A
 * sponsored payment costs its buyer nothing.
 */
function checkFee({ fee, sponsored }: BuiltTransaction, makesRecipientAccount: boolean): void {
  const [network, record, vault, tokenAccount, total] = [
    fee.networkLamports,
    fee.recordLamports,
    fee.vaultLamports,
    fee.tokenAccountLamports,
    fee.totalLamports,
  ].map(BigInt) as [bigint, bigint, bigint, bigint, bigint];
  const isWithin = (cost: bigint, max: bigint) => cost > 0n && cost <= max;
  // A sponsor pays for no such account.
  const isNamed = makesRecipientAccount
    ? !sponsored && isWithin(tokenAccount, TOKEN_ACCOUNT_LAMPORTS_MAX)
    : tokenAccount === 0n;
  if (!isNamed) throw new UnexpectedBytesError("its cost is not that of the token account that it makes");
  if (!isWithin(record, RECORD_LAMPORTS_MAX) || !isWithin(vault, TOKEN_ACCOUNT_LAMPORTS_MAX))
    throw new UnexpectedBytesError("its deposit is beyond all reason");
  if (!sponsored && network + record + vault + tokenAccount !== total)
    throw new UnexpectedBytesError("its cost does not add up");
}

interface Handing {
  readonly path: string;
  /** Unsigned. */
  readonly transaction: Uint8Array;
  readonly watched: Watched;
  readonly onStep: Attempt["onStep"];
}

const watchedBy = (watched: Watched, signed: string | null): Watched =>
  signed === null ? watched : { ...watched, transaction: signed };

/** Hands in the wallet's answer: signed bytes, or the report of a transaction that it sent. */
async function handIn(answer: Signed | NotSigned, handing: Handing): Promise<Ending> {
  if (answer.kind !== "signed" && answer.kind !== "sent") return answer;
  const { path, watched, onStep } = handing;
  const signed =
    answer.kind === "signed" ? toBase64(answer.transaction) : withSignature(handing.transaction, answer.signature);
  onStep({ at: "sending", watched: watchedBy(watched, signed) });
  if (answer.kind === "signed") return handOver(`${path}/submit`, { transaction: signed });
  // The transaction is sent, even if this report fails: the sweep then finds the payment.
  await report(answer.signature, handing);
  return { kind: "sent" };
}

/**
 * Reports a transaction that the wallet sent. With the signed transaction the report proves that the signature is of this
 * payment, and lets the relay send it, too.
 */
function report(
  signature: Uint8Array,
  { path, transaction }: Pick<Handing, "path" | "transaction">,
): Promise<HandedOver> {
  const signed = withSignature(transaction, signature);
  return handOver(`${path}/seen`, { signature: toBase58(signature), ...(signed !== null && { transaction: signed }) });
}
