import type { BuiltTransaction } from "@holdfast/decoder";
import { type Act, type ActState, attempt, isOpen } from "@holdfast/wallet/act.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { useEffect, useRef, useState } from "react";

/** An act by a wallet, as a page shows it. */
export interface ShownAct {
  /** Null: none was begun. */
  readonly state: ActState<BuiltTransaction> | null;
  /** The seconds for which the network takes what the wallet was given; null: not known. */
  readonly secondsLeft: number | null;
  /** The wallet's name. */
  readonly wallet: string;
}

/**
 * Has a wallet do acts, one at a time. Their success is what the chain shows, never what a wallet says. `isDone`: the page
 * shows it.
 */
export function useAct(cluster: string, isDone = false) {
  const [state, setState] = useState<ShownAct["state"]>(null);
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);
  const [wallet, setWallet] = useState("");
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  useEffect(() => {
    if (isDone) stop.current();
  }, [isDone]);
  const start = (act: Act, by: Wallet) => {
    stop.current();
    setWallet(by.name);
    stop.current = attempt(act, { wallet: by, cluster, onState: setState, onLeft: setSecondsLeft });
  };
  const ending = state?.at === "ended" ? state.ending : null;
  return {
    shown: { state, secondsLeft, wallet },
    /** True if the chain may show it. */
    isAwaited: !isDone && ending !== null && isOpen(ending),
    isBusy: !isDone && state !== null && (ending === null || ending.kind === "sent"),
    start,
  };
}
