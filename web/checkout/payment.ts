import { checkTransaction, toBase58, UnexpectedBytesError } from "@holdfast/decoder";
import type { PageData } from "./data.ts";
import { type BuiltTransaction, callService, fromBase64, RefusedError, toBase64 } from "./service.ts";
import type { Wallet, WalletAccount } from "./walletStandard.ts";

/** Where a payment stands, for the page to say. */
export type Step =
  | { readonly at: "connecting" | "preparing" | "sending" }
  | { readonly at: "confirming"; readonly fee: BuiltTransaction["fee"]; readonly sponsored: boolean };

/** How it ended in this tab. `sent`: it is on its way, and the service follows it. */
export type Ending =
  | { readonly kind: "sent" }
  | { readonly kind: "rejected" | "no_account" | "arbiter_changed" | "no_answer" | "unknown" }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "wallet_failed" | "unexpected_bytes"; readonly reason: string };

export interface Attempt {
  readonly data: PageData;
  readonly wallet: Wallet;
  /** The arbiter that the page shows now; null: it shows none yet. */
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
    // Errors of the wallet are caught where it is asked: here the service gave no answer.
    return { kind: "no_answer" };
  }
}

async function pay({ data, wallet, arbiter, onStep, onArbiter }: Attempt): Promise<Ending> {
  onStep({ at: "connecting" });
  const account = await connect(wallet, data.cluster).catch((error: unknown) => failureOf(error));
  if (account === null) return { kind: "no_account" };
  if ("kind" in account) return account;

  onStep({ at: "preparing" });
  const built = await callService<BuiltTransaction>(`${data.path}/build`, { account: account.address });
  // Who judges is part of what the buyer agreed to: a change is read first, then paid.
  if (arbiter !== null && built.arbiter !== arbiter) {
    onArbiter(built.arbiter);
    return { kind: "arbiter_changed" };
  }
  const transaction = fromBase64(built.transaction);
  checkTransaction(transaction, {
    ...data.terms,
    account: account.address,
    arbiter: built.arbiter,
    termsHash: built.termsHash,
    networkLamports: BigInt(built.fee.networkLamports),
  });
  onStep({ at: "confirming", fee: built.fee, sponsored: built.sponsored });
  return sign({ data, wallet, account, transaction, onStep });
}

async function connect(wallet: Wallet, cluster: string): Promise<WalletAccount | null> {
  const { accounts } = await wallet.features["standard:connect"]!.connect();
  return [...accounts, ...wallet.accounts].find(({ chains }) => chains.includes(cluster)) ?? null;
}

interface Signing extends Pick<Attempt, "data" | "wallet" | "onStep"> {
  readonly account: WalletAccount;
  readonly transaction: Uint8Array;
}

async function sign({ data, wallet, account, transaction, onStep }: Signing): Promise<Ending> {
  const input = { account, chain: data.cluster, transaction };
  const sending = wallet.features["solana:signAndSendTransaction"];
  const signing = wallet.features["solana:signTransaction"];
  // A wallet knows no node of a local chain: there it only signs.
  if (sending !== undefined && (signing === undefined || data.cluster !== "solana:localnet")) {
    const sent = await sending.signAndSendTransaction(input).catch((error: unknown) => failureOf(error, true));
    if ("kind" in sent) return sent;
    onStep({ at: "sending" });
    await repeat(() => callService(`${data.path}/seen`, { signature: toBase58(sent[0]!.signature) }));
    return { kind: "sent" };
  }
  const signed = await signing!.signTransaction(input).catch((error: unknown) => failureOf(error));
  if ("kind" in signed) return signed;
  onStep({ at: "sending" });
  const bytes = toBase64(signed[0]!.signedTransaction);
  const isTaken = await repeat(() => callService(`${data.path}/submit`, { transaction: bytes }));
  return { kind: isTaken ? "sent" : "unknown" };
}

const TRIES_MAX = 4;
const RETRY_MS = 1_500;

/** Hands on what a wallet signed, again where no answer came: the same bytes are one payment, however often they arrive. */
async function repeat(call: () => Promise<unknown>): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    try {
      await call();
      return true;
    } catch (error) {
      if (error instanceof RefusedError && error.code !== "chain_unavailable" && error.code !== "unavailable") {
        // An earlier try arrived, and its payment is recorded already.
        if (error.code === "paid" && tries > 1) return true;
        throw error;
      }
      if (tries >= TRIES_MAX) return false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries));
    }
  }
}

/** Wallets have no common errors: a refusal is 4001 or says so. Where the wallet sends, any other leaves open whether it has. */
function failureOf(error: unknown, mayHaveSent = false): Ending & { readonly kind: string } {
  const { code, message = String(error) } = (error ?? {}) as { code?: unknown; message?: string };
  if (code === 4001 || /reject|declin|denied|cancell?ed/i.test(message)) return { kind: "rejected" };
  return mayHaveSent ? { kind: "unknown" } : { kind: "wallet_failed", reason: message.slice(0, 120) };
}
