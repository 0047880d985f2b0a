import { toBase64 } from "./base64.ts";
import type { Wallet, WalletAccount } from "./wallet.ts";

/** The wallet did not sign, or nothing is known of it. Only after `unknown` the transaction may have been sent. */
export type NotSigned =
  | { readonly kind: "unknown" | "rejected" | "wrong_network" | "no_account" }
  | { readonly kind: "wallet_failed"; readonly reason: string }
  /** The wallet gave other accounts than the one that has to sign. */
  | { readonly kind: "other_wallet"; readonly given: string; readonly needed: string };

/**
 * Asks the wallet for the account that has to sign on a network, or for any if none has to. It has other accounts for
 * Solana if it is on another network, and none if it is locked.
 */
export async function connectWallet(
  wallet: Wallet,
  cluster: string,
  needed: string | null,
): Promise<{ readonly account: WalletAccount } | { readonly ending: NotSigned }> {
  const connected = await ask(() => connect(wallet), "signs");
  if ("ending" in connected) return connected;
  const accounts = connected.answer.filter(({ chains }) => chains.includes(cluster));
  const [first] = accounts;
  if (first === undefined) return { ending: { kind: connected.answer.length > 0 ? "wrong_network" : "no_account" } };
  const account = needed === null ? first : accounts.find(({ address }) => address === needed);
  if (account !== undefined) return { account };
  return { ending: { kind: "other_wallet", given: first.address, needed: needed! } };
}

/** Returns the accounts for Solana, of any network. */
async function connect(wallet: Wallet): Promise<readonly WalletAccount[]> {
  const { accounts } = await wallet.features["standard:connect"]!.connect();
  const isOfSolana = (chain: string) => chain.startsWith("solana:");
  return [...accounts, ...wallet.accounts].filter(({ chains }) => chains.some(isOfSolana));
}

/** A wallet has no node of a local chain: there it only signs, if it can. */
export const isAskedToSend = ({ features }: Wallet, cluster: string): boolean =>
  features["solana:signAndSendTransaction"] !== undefined &&
  (features["solana:signTransaction"] === undefined || cluster !== "solana:localnet");

export interface Signing {
  readonly wallet: Wallet;
  readonly cluster: string;
  readonly account: WalletAccount;
  /** Unsigned, and checked before. */
  readonly transaction: Uint8Array;
}

/** `signed`: to be handed in. `sent`: the wallet says that it sent the transaction, which has this signature. */
type Signed =
  | { readonly kind: "signed"; readonly transaction: Uint8Array }
  | { readonly kind: "sent"; readonly signature: Uint8Array };

/** Lets the wallet sign, or sign and send; throws nothing. */
export const signWith = (signing: Signing, sends: boolean): Promise<Signed | NotSigned> =>
  sends ? signAndSend(signing) : sign(signing);

async function signAndSend({ wallet, cluster, account, transaction }: Signing): Promise<Signed | NotSigned> {
  const { signAndSendTransaction } = wallet.features["solana:signAndSendTransaction"]!;
  const sent = await ask(() => signAndSendTransaction({ account, chain: cluster, transaction }), "sends");
  if ("ending" in sent) return sent.ending;
  const signature = bytesOf(sent.answer, "signature");
  // The wallet agreed, but its answer has no valid signature.
  return signature?.length === SIGNATURE_BYTES ? { kind: "sent", signature } : { kind: "unknown" };
}

async function sign({ wallet, cluster, account, transaction }: Signing): Promise<Signed | NotSigned> {
  const { signTransaction } = wallet.features["solana:signTransaction"]!;
  const signed = await ask(() => signTransaction({ account, chain: cluster, transaction }), "signs");
  if ("ending" in signed) return signed.ending;
  const bytes = bytesOf(signed.answer, "signedTransaction");
  // The wallet agreed, but did not return the signed bytes.
  return bytes === null ? { kind: "unknown" } : { kind: "signed", transaction: bytes };
}

export const SIGNATURE_BYTES = 64;

/** Returns the wallet's answer about the one transaction; null if it does not follow the standard. */
export function bytesOf(answer: unknown, name: string): Uint8Array | null {
  const value: unknown = Array.isArray(answer) ? answer[0]?.[name] : undefined;
  if (!ArrayBuffer.isView(value) || value.byteLength === 0) return null;
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/**
 * Adds the signature that a wallet reported to its transaction, in base64. If the wallet changed nothing, the result is
 * valid. Null: the transaction has further signers.
 */
export function withSignature(transaction: Uint8Array, signature: Uint8Array): string | null {
  if (transaction[0] !== 1) return null;
  const signed = transaction.slice();
  signed.set(signature, 1);
  return toBase64(signed);
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
export async function ask<Answer>(
  call: () => Promise<Answer>,
  does: "signs" | "sends",
): Promise<{ readonly answer: Answer } | { readonly ending: NotSigned }> {
  try {
    return { answer: await call() };
  } catch (error) {
    const { code, message = String(error) } = (error ?? {}) as { code?: unknown; message?: unknown };
    const text = String(message);
    if (code === 4001 || (does === "signs" ? REFUSED : DECLINED).test(text)) return { ending: { kind: "rejected" } };
    if (does === "sends") return { ending: { kind: "unknown" } };
    return { ending: { kind: "wallet_failed", reason: text.slice(0, REASON_CHARACTERS_MAX) } };
  }
}
