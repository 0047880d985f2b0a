import {
  type ActionName,
  checkAction,
  checkPlainForm,
  type PlainInstruction,
  UnexpectedBytesError,
} from "@holdfast/decoder";
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
import type { ReceiptData, ShownOnReceipt } from "./data.ts";
import { callService, type HandedOver, handOver, RefusedError } from "./service.ts";

/** The answer of `POST …/build` for an action on a payment. */
interface BuiltAction {
  /** Base64, unsigned. */
  readonly transaction: string;
  readonly fee: ActionFee;
  /** Rents that this transaction gives back; null: none. */
  readonly returns: { readonly lamports: string; readonly to: string } | null;
  readonly sponsored: boolean;
  readonly instructions: readonly PlainInstruction[];
}

interface ActionFee {
  readonly networkLamports: string;
  readonly tokenAccountLamports: string;
  readonly totalLamports: string;
}

/** An action as the page shows it. */
export interface ShownChoice {
  readonly data: ReceiptData;
  readonly action: ActionName;
  /** The buyer's total in the end, in digits; null for actions without one. */
  readonly total: string | null;
}

/** The steps of an action, for the page to show. */
export type ActionStep =
  | { readonly at: "connecting" | "preparing" | "sending" }
  | ({ readonly at: "confirming" } & Pick<BuiltAction, "transaction" | "fee" | "returns" | "sponsored">);

/**
 * The result of an attempt in this tab. It says only whether a transaction is on its way: what became of the payment is
 * what the live state shows. `transaction`: the signed one in base64, if the page has it. `isCertain`: false where the
 * service's answer was lost.
 */
export type ActionEnding =
  | NotSigned
  | { readonly kind: "sent"; readonly transaction: string | null; readonly isCertain: boolean }
  | { readonly kind: "no_answer" | "too_late" }
  /** The wallet has other accounts than the one that the action needs. */
  | { readonly kind: "other_wallet"; readonly given: string }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "unexpected_bytes"; readonly reason: string };

/** The wallet whose signature the action needs; null: anybody's. */
export function walletNeededFor(action: ActionName, { sender, recipient }: ShownOnReceipt): string | null {
  if (action === "refund") return recipient;
  return action === "dispute" || action === "release" ? sender : null;
}

interface ActionAttempt extends ShownChoice {
  readonly wallet: Wallet;
  readonly onStep: (step: ActionStep) => unknown;
}

/** Acts by a wallet: the server builds, this page checks the bytes, the wallet signs, and it or the server sends. */
export async function actBy(attempt: ActionAttempt): Promise<ActionEnding> {
  try {
    return await act(attempt);
  } catch (error) {
    return endingOf(error);
  }
}

function endingOf(error: unknown): ActionEnding {
  if (error instanceof RefusedError) return { kind: "refused", code: error.code, message: error.message };
  if (error instanceof UnexpectedBytesError) return { kind: "unexpected_bytes", reason: error.message };
  // The wallet's errors are caught earlier: here the service gave no answer.
  return { kind: "no_answer" };
}

async function act({ wallet, onStep, ...choice }: ActionAttempt): Promise<ActionEnding> {
  const { data, action } = choice;
  const { cluster, path, payment, sponsors } = data;
  onStep({ at: "connecting" });
  const connected = await connectWallet(wallet, cluster);
  if ("ending" in connected) return connected.ending;
  const needed = walletNeededFor(action, payment);
  const account = connected.accounts.find(({ address }) => needed === null || address === needed);
  if (account === undefined) return { kind: "other_wallet", given: connected.accounts[0]!.address };

  onStep({ at: "preparing" });
  // A sponsor signs last, so the wallet must be able to sign without sending.
  const sponsored = sponsors.length > 0 && wallet.features["solana:signTransaction"] !== undefined;
  const { built, transaction } = await buildChecked(choice, account.address, sponsored);
  onStep({ at: "confirming", ...built });
  const walletSends = !built.sponsored && isAskedToSend(wallet, cluster);
  const answer = await signWith({ wallet, cluster, account, transaction }, walletSends);
  return handIn(answer, { path, transaction, onStep });
}

/** Has the service build the transaction, and checks all of it: the wallet never gets bytes that the page does not show. */
async function buildChecked({ data, action, total }: ShownChoice, account: string, sponsored: boolean) {
  const body = { action, account, sponsored, ...(total !== null && { total }) };
  const built = await callService<BuiltAction>(`${data.path}/build`, body);
  const transaction = fromBase64(built.transaction);
  const checked = checkAction(transaction, {
    ...data.payment,
    payment: data.payment.address,
    account,
    action,
    total,
    sponsors: built.sponsored ? data.sponsors : [],
    networkLamports: BigInt(built.fee.networkLamports),
  });
  if (built.sponsored !== checked.isSponsored) throw new UnexpectedBytesError("somebody else pays its cost");
  checkFee(built, checked.makesTokenAccount);
  checkReturns(built, data.payment);
  return { built, transaction };
}

/** Solana has never asked more for an account of a token, which has 165 bytes and those of its extensions. */
const TOKEN_ACCOUNT_LAMPORTS_MAX = (128n + 512n) * 6_960n;

/** Checks the cost. The page shows the sum; the bytes reveal only the network's part, and whether an account is made. */
function checkFee({ fee, sponsored }: BuiltAction, makesTokenAccount: boolean): void {
  const [network, tokenAccount, total] = [fee.networkLamports, fee.tokenAccountLamports, fee.totalLamports].map(
    BigInt,
  ) as [bigint, bigint, bigint];
  const isNamed = makesTokenAccount
    ? tokenAccount > 0n && tokenAccount <= TOKEN_ACCOUNT_LAMPORTS_MAX
    : tokenAccount === 0n;
  if (!isNamed) throw new UnexpectedBytesError("its cost is not that of the token account that it makes");
  if (!sponsored && network + tokenAccount !== total) throw new UnexpectedBytesError("its cost does not add up");
}

/** Deposits come back to the wallet that paid them. They have no bound: anybody may send lamports to a vault. */
function checkReturns({ returns }: BuiltAction, { rentPayer }: ShownOnReceipt): void {
  if (returns !== null && returns.to !== (rentPayer ?? returns.to))
    throw new UnexpectedBytesError("its deposit goes elsewhere");
}

interface Handing {
  readonly path: string;
  /** Unsigned. */
  readonly transaction: Uint8Array;
  readonly onStep: ActionAttempt["onStep"];
}

async function handIn(answer: Signed | NotSigned, { path, transaction, onStep }: Handing): Promise<ActionEnding> {
  if (answer.kind !== "signed" && answer.kind !== "sent") return answer;
  onStep({ at: "sending" });
  const isSent = answer.kind === "sent";
  const signed = isSent ? withSignature(transaction, answer.signature) : toBase64(answer.transaction);
  if (signed === null) return { kind: "sent", transaction: null, isCertain: true };
  const handed = await handAgain(path, signed);
  // The wallet sent it already. The service refuses it if the wallet changed it first.
  if (isSent) return { kind: "sent", transaction: handed.kind === "refused" ? null : signed, isCertain: true };
  if (handed.kind === "too_late") return handed;
  if (handed.kind === "refused") return { kind: "refused", code: "", message: handed.message };
  return { kind: "sent", transaction: signed, isCertain: handed.kind === "sent" };
}

/** Hands in a signed transaction, for the service to send it until it lands. It lands once, however often it is sent. */
export const handAgain = (path: string, transaction: string): Promise<HandedOver> =>
  handOver(`${path}/submit`, { transaction });

/** The unsigned transaction of an action, for a wallet of several signers. */
export interface UnsignedAction {
  /** Base64. */
  readonly transaction: string;
  /** Its instructions as JSON. */
  readonly plain: string;
}

/** Prepares an action for a wallet that is not in this browser, checked as for one that is. */
export async function prepareUnsigned(choice: ShownChoice, account: string): Promise<UnsignedAction | ActionEnding> {
  try {
    const { built, transaction } = await buildChecked(choice, account, false);
    checkPlainForm(transaction, built.instructions);
    return { transaction: built.transaction, plain: JSON.stringify(built.instructions, null, 2) };
  } catch (error) {
    return endingOf(error);
  }
}
