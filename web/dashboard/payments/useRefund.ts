import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { useEffect, useState } from "react";
import { type RefundEnding, type RefundStep, type ShownRefund, signRefund } from "./signRefund.ts";

/** The state of a refund on the page. `done`: the chain shows it; `late`: it was sent, and the chain does not show it yet. */
export type RefundState =
  | RefundStep
  | { readonly at: "ended"; readonly ending: RefundEnding }
  | { readonly at: "sent" | "late" }
  | { readonly at: "done"; readonly total: string };

interface RefundOptions {
  readonly payment: { readonly refundTotal: string };
  readonly refund: Omit<ShownRefund, "total">;
  readonly cluster: string;
  readonly onAwait: (isAwaited: boolean) => void;
}

/** A blockhash lives for about a minute: what has not landed in twice that never will. */
const AWAITED_MS_MAX = 120_000;
const BUSY: readonly RefundState["at"][] = ["connecting", "preparing", "confirming", "sending", "sent"];

/** Refunds by a wallet. Its success is what the chain shows, never what a wallet says. */
export function useRefund({ payment, refund, cluster, onAwait }: RefundOptions) {
  const [state, setState] = useState<RefundState | null>(null);
  const [total, setTotal] = useState<string | null>(null);
  const isShown = total !== null && BigInt(payment.refundTotal) >= BigInt(total);
  const mayArrive = state !== null && (BUSY.includes(state.at) || state.at === "late" || isUnknown(state));
  useEffect(() => {
    if (isShown && mayArrive && total !== null) setState({ at: "done", total });
  }, [isShown, mayArrive, total]);
  const isAwaited = state?.at === "sent" || (state !== null && isUnknown(state));
  useEffect(() => {
    if (!isAwaited) return;
    onAwait(true);
    const timer = setTimeout(() => {
      onAwait(false);
      setState((now) => (now?.at === "sent" ? { at: "late" } : now));
    }, AWAITED_MS_MAX);
    return () => {
      clearTimeout(timer);
      onAwait(false);
    };
  }, [isAwaited, onAwait]);

  const start = async (wallet: Wallet, wanted: string) => {
    setTotal(wanted);
    const ending = await signRefund({ refund: { ...refund, total: wanted }, wallet, cluster, onStep: setState });
    setState((now) => {
      if (now?.at === "done") return now;
      return ending.kind === "sent" ? { at: "sent" } : { at: "ended", ending };
    });
  };
  return { state, start, isBusy: state !== null && BUSY.includes(state.at) };
}

const isUnknown = (state: RefundState): boolean => state.at === "ended" && state.ending.kind === "unknown";
