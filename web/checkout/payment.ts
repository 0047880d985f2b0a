import { checkTransaction, toBase58, UnexpectedBytesError } from "@holdfast/decoder";
import type { PageData } from "./data.ts";
import { type BuiltTransaction, callService, fromBase64, RefusedError, toBase64 } from "./service.ts";
import { hashTerms } from "./terms.ts";
import { NothingSentError, type Wallet, type WalletAccount } from "./wallet.ts";

/** The steps of a payment, for the page to show. */
export type Step =
  | { readonly at: "connecting" | "preparing" | "sending" }
  | {
      readonly at: "confirming";
      readonly fee: BuiltTransaction["fee"];
      readonly sponsored: boolean;
      /** True if the wallet is asked to send, too: then it may do so though no answer ever reaches this page. */
      readonly walletSends: boolean;
    };

/**
 * The result of an attempt in this tab. `sent`: it is on its way. `unknown`: it may be on its way, so the page must not
 * invite to pay again. With all others the transaction was not sent, and cannot land.
 */
export type Ending =
  | { readonly kind: "sent" | "unknown" }
  | { readonly kind: "rejected" | "no_account" | "arbiter_changed" | "no_answer" }
  | { readonly kind: "refused"; readonly message: string }
  /** `text`: the name of the text with the reason. */
  | { readonly kind: "not_ready"; readonly text: string }
  | { readonly kind: "wallet_failed" | "unexpected_bytes"; readonly reason: string };

export interface Attempt {
  readonly data: PageData;
  readonly wallet: Wallet;
  /** The arbiter that the page shows now; null: it shows none yet, and the page does not pay before it does. */
  readonly arbiter: string | null;
  readonly onStep: (step: Step) => void;
  readonly onArbiter: (arbiter: string) => void;
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
  } finally {
    attempt.wallet.close?.();
  }
}

async function pay({ data, wallet, arbiter, onStep, onArbiter }: Attempt): Promise<Ending> {
  onStep({ at: "connecting" });
  const connected = await ask(() => connect(wallet), "signs");
  if ("ending" in connected) return connected.ending;
  const account = connected.answer.find(({ chains }) => chains.includes(data.cluster));
  if (account === undefined)
    return connected.answer.length === 0 ? { kind: "no_account" } : { kind: "not_ready", text: "wrongNetwork" };

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
    termsHash: await hashTerms(built.terms, built.arbiter, data.terms),
    networkLamports: BigInt(built.fee.networkLamports),
  });
  checkFee(built, checked.makesRecipientAccount);
  const walletSends = !built.sponsored && isAskedToSend(wallet, data.cluster);
  onStep({ at: "confirming", fee: built.fee, sponsored: built.sponsored, walletSends });
  const signing = { data, wallet, account, transaction, onStep };
  return walletSends ? signAndSend(signing) : sign(signing);
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

/** Returns the accounts for Solana, of any network. */
async function connect(wallet: Wallet): Promise<readonly WalletAccount[]> {
  const { accounts } = await wallet.features["standard:connect"]!.connect();
  const isOfSolana = (chain: string) => chain.startsWith("solana:");
  return [...accounts, ...wallet.accounts].filter(({ chains }) => chains.some(isOfSolana));
}

interface Signing extends Pick<Attempt, "data" | "wallet" | "onStep"> {
  readonly account: WalletAccount;
  readonly transaction: Uint8Array;
}

/** A wallet has no node of a local chain: there it only signs, if it can. */
const isAskedToSend = ({ features }: Wallet, cluster: string): boolean =>
  features["solana:signAndSendTransaction"] !== undefined &&
  (features["solana:signTransaction"] === undefined || cluster !== "solana:localnet");

async function signAndSend({ data, wallet, account, transaction, onStep }: Signing): Promise<Ending> {
  const { signAndSendTransaction } = wallet.features["solana:signAndSendTransaction"]!;
  const input = { account, chain: data.cluster, transaction };
  const sent = await ask(() => signAndSendTransaction(input), "sends");
  if ("ending" in sent) return sent.ending;
  onStep({ at: "sending" });
  // The wallet could not send after all, and returns the signed bytes.
  const signed = bytesOf(sent.answer, "signedTransaction");
  if (signed !== null) return handOver(`${data.path}/submit`, { transaction: toBase64(signed) });
  const signature = bytesOf(sent.answer, "signature");
  // The wallet agreed, but its answer has no valid signature.
  if (signature?.length !== SIGNATURE_BYTES) return { kind: "unknown" };
  // The transaction is sent, even if this report fails: the sweep then finds the payment.
  await handOver(`${data.path}/seen`, { signature: toBase58(signature), ...signedBy(transaction, signature) });
  return { kind: "sent" };
}

async function sign({ data, wallet, account, transaction, onStep }: Signing): Promise<Ending> {
  const { signTransaction } = wallet.features["solana:signTransaction"]!;
  const input = { account, chain: data.cluster, transaction };
  const signed = await ask(() => signTransaction(input), "signs");
  if ("ending" in signed) return signed.ending;
  onStep({ at: "sending" });
  const bytes = bytesOf(signed.answer, "signedTransaction");
  // The wallet agreed, but did not return the signed bytes.
  if (bytes === null) return { kind: "unknown" };
  return handOver(`${data.path}/submit`, { transaction: toBase64(bytes) });
}

const SIGNATURE_BYTES = 64;

/** Returns the wallet's answer about the one transaction; null if it does not follow the standard. */
function bytesOf(answer: unknown, name: string): Uint8Array | null {
  const value: unknown = Array.isArray(answer) ? answer[0]?.[name] : undefined;
  if (!ArrayBuffer.isView(value) || value.byteLength === 0) return null;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/**
 * Adds the signature that a wallet reported to the transaction. If the wallet changed nothing it is valid, which proves
 * that the signature is of this payment, and lets the relay send it, too.
 */
const signedBy = (transaction: Uint8Array, signature: Uint8Array): { readonly transaction?: string } => {
  if (transaction[0] !== 1) return {};
  const signed = transaction.slice();
  signed.set(signature, 1);
  return { transaction: toBase64(signed) };
};

const TRIES_MAX = 4;
const RETRY_MS = 1_500;
/** Failures half-way: the request's transaction may have been accepted. */
const MAY_HAVE_ARRIVED: ReadonlySet<string> = new Set(["chain_unavailable", "unavailable", "internal_error"]);

/**
 * Passes signed bytes to the service, and retries without an answer: the same bytes are one payment, however often they
 * arrive. Once an attempt may have arrived, no later answer can say that the transaction was not sent.
 */
async function handOver(path: string, body: unknown): Promise<Ending> {
  let mayHaveArrived = false;
  for (let tries = 1; ; tries++) {
    try {
      await callService(path, body);
      return { kind: "sent" };
    } catch (error) {
      const refusal = error instanceof RefusedError ? error : null;
      // The payment of an earlier attempt is recorded already.
      if (refusal?.code === "paid" && mayHaveArrived) return { kind: "sent" };
      mayHaveArrived ||= refusal === null || MAY_HAVE_ARRIVED.has(refusal.code);
      const isFinal = refusal !== null && refusal.code !== "rate_limited" && !MAY_HAVE_ARRIVED.has(refusal.code);
      if (isFinal || tries >= TRIES_MAX)
        return mayHaveArrived || refusal === null ? { kind: "unknown" } : { kind: "refused", message: refusal.message };
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries));
    }
  }
}

const REASON_CHARACTERS_MAX = 120;
const REFUSED = /reject|declin|denied|cancell?ed/i;
/** For a wallet that also sends, an error may come from its node: only words about the user mean that it did not send. */
const DECLINED =
  /\buser\b.{0,40}(reject|declin|den(y|ied)|cancel)|(approval|permission) denied|(reject|declin|den|cancel)\w+ by (the )?user/i;

/**
 * Asks the wallet. Wallets have no common errors: a declined request has code 4001 or says so. After any other error, a
 * wallet that sends may have sent.
 */
async function ask<Answer>(
  call: () => Promise<Answer>,
  does: "signs" | "sends",
): Promise<{ readonly answer: Answer } | { readonly ending: Ending }> {
  try {
    return { answer: await call() };
  } catch (error) {
    if (error instanceof NothingSentError)
      return {
        ending:
          error.text === null
            ? { kind: "wallet_failed", reason: error.message.slice(0, REASON_CHARACTERS_MAX) }
            : { kind: "not_ready", text: error.text },
      };
    const { code, message = String(error) } = (error ?? {}) as { code?: unknown; message?: unknown };
    const words = String(message);
    if (code === 4001 || (does === "signs" ? REFUSED : DECLINED).test(words)) return { ending: { kind: "rejected" } };
    if (does === "sends") return { ending: { kind: "unknown" } };
    return { ending: { kind: "wallet_failed", reason: words.slice(0, REASON_CHARACTERS_MAX) } };
  }
}
