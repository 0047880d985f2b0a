import type { Log } from "../../lib/log.ts";
import type { Consensus } from "../consensus.ts";
import type { Clock } from "./clock.ts";

export interface SolanaSettings {
  /** http(s) addresses of JSON-RPC nodes, the preferred one first. */
  readonly rpcUrls: readonly string[];
  /** ws(s) addresses; without any, the sweep is not woken between its polls. */
  readonly wsUrls?: readonly string[];
  /** Base58 address of the escrow program. */
  readonly programId: string;
  /** Base58 address of the operator account whose payments are ours. */
  readonly operator: string;
  /** Shared by everything that reads this chain; default: one of its own. */
  readonly consensus?: Consensus;
  /** By asset (`*`: any other), the amounts from which a payment is bound only if a second node shows it too; default none. */
  readonly secondNodeFrom?: ReadonlyMap<string, bigint>;
  /** Called when a node fails and when it recovers. It never receives a URL: URLs hold credentials. */
  readonly log: Log;
  /** Deadline of a read over all its nodes. */
  readonly deadlineMs?: number;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}
