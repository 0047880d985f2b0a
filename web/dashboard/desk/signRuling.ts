import { checkPlainForm, checkRuling, UnexpectedBytesError } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "@holdfast/wallet/base64.ts";
import { connectWallet, isAskedToSend, type NotSigned, signWith, withSignature } from "@holdfast/wallet/signing.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { ApiError, call } from "../api/client.ts";
import { write } from "../api/queries.ts";
import type { FrozenDecision } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import { isTooLate } from "../payments/signRefund.ts";
import { hashRecord, type ShownDecision } from "./ruling.ts";

/** A frozen decision as the page shows it: record and bytes are compared with it before a wallet has them. */
export interface ShownRuling extends ShownDecision {
  readonly programId: string;
  readonly path: { readonly dispute: string; readonly decision: string };
}

export type SigningStep = "connecting" | "preparing" | "confirming" | "sending";

/** `sent`: the chain decides. After `unknown` too, it may be on its way; after all others nothing was sent. */
export type SigningEnding =
  | NotSigned
  | { readonly kind: "sent" }
  /** It did nothing, and never will. */
  | { readonly kind: "too_late" | "failed" }
  | { readonly kind: "other_wallet"; readonly account: string }
  | { readonly kind: "unexpected"; readonly reason: string }
  | { readonly kind: "refused"; readonly error: unknown };

interface Signing {
  readonly ruling: ShownRuling;
  readonly wallet: Wallet;
  /** The name of the network in wallets. */
  readonly cluster: string;
  readonly onStep: (step: SigningStep) => void;
  /** Called with what the wallet gets, and then with what it signed, in base64. */
  readonly onTransaction: (transaction: string) => void;
}

/** Signs by the arbiter's wallet: the service builds, this page checks the bytes, the wallet signs. Throws nothing. */
export async function signRuling(signing: Signing): Promise<SigningEnding> {
  try {
    return await sign(signing);
  } catch (error) {
    return endingOf(error);
  }
}

async function sign({ ruling, wallet, cluster, onStep, onTransaction }: Signing): Promise<SigningEnding> {
  onStep("connecting");
  const connected = await connectWallet(wallet, cluster);
  if ("ending" in connected) return connected.ending;
  const account = connected.accounts.find(({ address }) => address === ruling.arbiter);
  if (account === undefined) return { kind: "other_wallet", account: connected.accounts[0]!.address };
  onStep("preparing");
  const { transaction } = await prepareRuling(ruling);
  onTransaction(toBase64(transaction));
  onStep("confirming");
  const signed = await signWith({ wallet, cluster, account, transaction }, isAskedToSend(wallet, cluster));
  if (signed.kind === "signed") {
    const bytes = toBase64(signed.transaction);
    onTransaction(bytes);
    onStep("sending");
    return submit(ruling, bytes);
  }
  if (signed.kind !== "sent") return signed;
  // The wallet has sent it; the service sends the same bytes again until they land.
  const bytes = withSignature(transaction, signed.signature);
  if (bytes !== null) {
    onTransaction(bytes);
    await submit(ruling, bytes).catch(() => undefined);
  }
  return { kind: "sent" };
}

/** Has the service build the ruling with a new blockhash, and checks that it is the decision shown and nothing else. */
export async function prepareRuling(
  ruling: ShownRuling,
): Promise<{ readonly built: FrozenDecision; readonly transaction: Uint8Array }> {
  const built = await call("buildDecision", { path: ruling.path });
  if (built.transaction === null || built.plain === null) throw new UnexpectedBytesError(texts.desk.sign.otherRecord);
  const transaction = fromBase64(built.transaction);
  const memo = await hashRecord(built.record, ruling);
  checkRuling(transaction, { ...ruling, memo });
  checkPlainForm(transaction, built.plain);
  return { built, transaction };
}

const submit = ({ path }: ShownRuling, transaction: string): Promise<SigningEnding> =>
  asEnding(write("submitDecision", { path, body: { transaction } }));

/** Without an answer, or after one half-way, the service may have the transaction. */
async function asEnding(sent: Promise<unknown>): Promise<SigningEnding> {
  try {
    await sent;
    return { kind: "sent" };
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0 && error.status < 500) throw error;
    return { kind: "unknown" };
  }
}

export const endingOf = (error: unknown): SigningEnding =>
  error instanceof UnexpectedBytesError
    ? { kind: "unexpected", reason: error.message }
    : isTooLate(error)
      ? { kind: "too_late" }
      : { kind: "refused", error: error instanceof ApiError ? error : null };
