import { type BuiltTransaction, UnexpectedBytesError } from "@holdfast/decoder";
import { fromBase64, toBase64 } from "./base64.ts";
import { followLife, type TransactionLife } from "./life.ts";
import { connectWallet, isAskedToSend, type NotSigned, signWith, withSignature } from "./signing.ts";
import type { Wallet } from "./wallet.ts";

/** An act on chain as a page has it done: the service builds, the page checks the bytes, a wallet signs. */
export interface Act<Built extends BuiltTransaction = BuiltTransaction> {
  /** The address that has to sign; null: any. */
  readonly signer: string | null;
  /** True if the site may pay the network's fee. */
  readonly isSponsorable?: boolean;
  /** Has the service build it, and checks all of it: the wallet never gets bytes that the page does not show. */
  readonly build: (account: string, sponsored: boolean) => Promise<Built>;
  /** Hands in a signed transaction, in base64. It lands once, however often it is sent. */
  readonly submit: (signed: string) => Promise<ActEnding>;
  /** Reports what a wallet sent; default: hands it in, too. `signed`: null if the page cannot complete it. */
  readonly report?: (signature: Uint8Array, signed: string | null) => Promise<unknown>;
  life(transaction: string, built: Built): Promise<TransactionLife>;
}

/** The steps of an attempt, for the page to show. */
export type ActStep<Built> =
  | { readonly at: "connecting" | "preparing" }
  /** `walletSends`: the wallet is asked to send, too. Then it may do so though no answer ever reaches the page. */
  | { readonly at: "confirming"; readonly built: Built; readonly walletSends: boolean }
  /** `signed`: in base64; null: the page does not have it. */
  | { readonly at: "sending"; readonly built: Built; readonly signed: string | null };

/**
 * The result of an attempt. `sent`: it is on its way. `unknown`: it may be. `too_late`, `failed`: it did nothing, and never
 * will. With all others it was not sent. What became of the payment is what the live state shows.
 */
export type ActEnding =
  | NotSigned
  | { readonly kind: "sent" | "too_late" | "failed" | "no_answer" }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "unexpected_bytes"; readonly reason: string };

/** True if the transaction is on its way, or may be. */
export const isOpen = ({ kind }: ActEnding): boolean => kind === "sent" || kind === "unknown";
/** True if the transaction did nothing, and never will. */
export const isOver = ({ kind }: ActEnding): boolean => kind === "too_late" || kind === "failed";

export type ActState<Built> = ActStep<Built> | { readonly at: "ended"; readonly ending: ActEnding };

interface AttemptOptions<Built> {
  readonly wallet: Wallet;
  /** The wallets' name of the network. */
  readonly cluster: string;
  /** Called with each step and ending. An attempt that was sent ends once more if it can no longer land; one that was too late goes on if its wallet sends all the same. */
  readonly onState: (state: ActState<Built>) => void;
  /** Called with the seconds for which the network takes what the wallet was given; null: it has answered. */
  readonly onLeft: (seconds: number | null) => void;
}

/** Lets a wallet do an act. Returns the function after which nothing is said any more; what a wallet signs is sent all the same. */
export function attempt<Built extends BuiltTransaction>(
  act: Act<Built>,
  { wallet, cluster, onState, onLeft }: AttemptOptions<Built>,
): () => void {
  let isStopped = false;
  let hasEnded = false;
  let unfollow = () => {};

  const say = (state: ActState<Built>) => isStopped || onState(state);
  function end(ending: ActEnding): void {
    if (!isOpen(ending)) unfollow();
    say({ at: "ended", ending });
  }
  function follow(transaction: string, step: ActStep<Built> & { readonly built: Built }): void {
    unfollow();
    hasEnded = false;
    if (isStopped) return;
    const stop = followLife({
      ask: () => act.life(transaction, step.built),
      onLeft: (seconds) => step.at === "confirming" && onLeft(seconds),
      onEnd: (status) => {
        hasEnded = true;
        end({ kind: status === "ended" ? "too_late" : "failed" });
      },
    });
    unfollow = () => {
      stop();
      onLeft(null);
    };
    say(step);
  }

  async function run(): Promise<ActEnding | null> {
    say({ at: "connecting" });
    const connected = await connectWallet(wallet, cluster, act.signer);
    if ("ending" in connected) return connected.ending;
    const { account } = connected;
    say({ at: "preparing" });
    const canSign = wallet.features["solana:signTransaction"] !== undefined;
    // A sponsor signs last, so the wallet must be able to sign without sending.
    const built = await act.build(account.address, act.isSponsorable === true && canSign);
    // A seat is held once the signed transaction is handed in, so it is not sent before.
    const isHandedIn = built.seated === true && canSign;
    const walletSends = !built.sponsored && !isHandedIn && isAskedToSend(wallet, cluster);
    const transaction = fromBase64(built.transaction);
    follow(built.transaction, { at: "confirming", built, walletSends });
    const answer = await signWith({ wallet, cluster, account, transaction }, walletSends);
    if (answer.kind === "sent") {
      const signed = withSignature(transaction, answer.signature);
      follow(signed ?? built.transaction, { at: "sending", built, signed });
      // The transaction is sent, even if this report fails.
      if (act.report !== undefined) await act.report(answer.signature, signed);
      else if (signed !== null) await act.submit(signed).catch(() => undefined);
      return hasEnded ? null : { kind: "sent" };
    }
    // The network no longer takes what a wallet signs later.
    if (hasEnded) return null;
    if (answer.kind !== "signed") return answer;
    const signed = toBase64(answer.transaction);
    follow(signed, { at: "sending", built, signed });
    const ending = await act.submit(signed);
    return hasEnded ? null : ending;
  }

  void run()
    .catch(endingOf)
    .then((ending) => ending !== null && end(ending));
  return () => {
    isStopped = true;
    unfollow();
  };
}

/** The ending of an attempt by an error of the service, or of the check of its answer. */
export function endingOf(error: unknown): ActEnding {
  if (error instanceof UnexpectedBytesError) return { kind: "unexpected_bytes", reason: error.message };
  const { code, message } = Object(error) as { readonly code?: unknown; readonly message: string };
  return typeof code === "string" ? { kind: "refused", code, message } : { kind: "no_answer" };
}

/** Has the service build an act for a wallet that is not in this browser, checked as for one that is. */
export const prepare = <Built extends BuiltTransaction>(act: Act<Built>, signer: string): Promise<Built | ActEnding> =>
  act.build(signer, false).catch(endingOf);
