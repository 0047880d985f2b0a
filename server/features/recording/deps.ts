import { UnreadList } from "../../chain/fetchOrLeave.ts";
import type { Chain } from "../chains/chain.ts";
import type { RecordingDeps } from "./decide/record.ts";

export interface SweepDeps extends RecordingDeps {
  readonly chain: Chain;
}

export interface FinalityDeps extends SweepDeps {
  /** §3.3.1: a payment is reverted once the chain is final `slots` past it and two reads, `apartMs` apart, do not find it. */
  readonly revertRule: { readonly slots: number; readonly apartMs: number };
}

/** For a loop of this chain that reads accounts of payments. */
export const unreadIn = ({ chain, log }: Pick<SweepDeps, "chain" | "log">, loop: string): UnreadList =>
  new UnreadList(`${chain.environment} ${loop}: the account of a payment`, log);
