import type { TransactionLife } from "@holdfast/wallet/life.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { useEffect, useRef, useState } from "react";
import { call } from "../api/client.ts";
import { type RefundEnding, type RefundStep, type ShownRefund, signRefund } from "./signRefund.ts";
import { useLife } from "./useLife.ts";

/** The state of a refund on the page. `done`: the chain shows it. */
export type RefundState =
  | RefundStep
  | { readonly at: "ended"; readonly ending: RefundEnding }
  | { readonly at: "sent" }
  | { readonly at: "done"; readonly total: string };

interface RefundOptions {
  readonly payment: { readonly refundTotal: string };
  readonly refund: Omit<ShownRefund, "total">;
  readonly cluster: string;
  readonly onAwait: (isAwaited: boolean) => void;
}

const BUSY: readonly RefundState["at"][] = ["connecting", "preparing", "confirming", "sending", "sent"];

/** Refunds by a wallet. Its success is what the chain shows, never what a wallet says. */
export function useRefund({ payment, refund, cluster, onAwait }: RefundOptions) {
  const [state, setState] = useState<RefundState | null>(null);
  const [total, setTotal] = useState<string | null>(null);
  /** What the wallet got or signed, while it may be on its way. */
  const [watched, setWatched] = useState<string | null>(null);
  const attempts = useRef(0);
  const isShown = total !== null && BigInt(payment.refundTotal) >= BigInt(total);
  useEffect(() => {
    if (!isShown || total === null) return;
    setWatched(null);
    setState({ at: "done", total });
  }, [isShown, total]);
  const isAwaited = state?.at === "sent" || (state !== null && isUnknown(state));
  useEffect(() => {
    if (!isAwaited) return;
    onAwait(true);
    return () => onAwait(false);
  }, [isAwaited, onAwait]);
  const secondsLeft = useLife(watched, {
    ask: (transaction) =>
      call("fetchRefundLife", { path: refund.path, body: { transaction } }) as Promise<TransactionLife>,
    onEnd: (kind) => {
      // A wallet that answers later says nothing any more.
      attempts.current++;
      setWatched(null);
      setState({ at: "ended", ending: { kind } });
    },
  });

  const start = async (wallet: Wallet, wanted: string) => {
    const attempt = ++attempts.current;
    const isLeft = () => attempt !== attempts.current;
    setTotal(wanted);
    const onStep = (step: RefundStep) => {
      if (isLeft()) return;
      setState(step);
      if ("transaction" in step && step.transaction !== null) setWatched(step.transaction);
    };
    const ending = await signRefund({ refund: { ...refund, total: wanted }, wallet, cluster, onStep });
    if (isLeft()) return;
    if (ending.kind !== "sent" && ending.kind !== "unknown") setWatched(null);
    setState((now) => {
      if (now?.at === "done") return now;
      return ending.kind === "sent" ? { at: "sent" } : { at: "ended", ending };
    });
  };
  return { state, secondsLeft, start, isBusy: state !== null && BUSY.includes(state.at) };
}

const isUnknown = (state: RefundState): boolean => state.at === "ended" && state.ending.kind === "unknown";
