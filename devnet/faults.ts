import { type Distortion, HONEST, LACKS } from "./rpc/view.ts";

/** A fault by which a node fails to answer. */
const TRANSPORT_FAULTS = [
  "rate_limited",
  "slow",
  "time_out",
  "malformed",
  "not_json",
  "empty",
  "server_error",
  "reset",
  "rpc_error",
  "null_result",
] as const;
/** A fault of a node's knowledge, while it answers well. */
const VIEW_FAULTS = ["stale_slot", "until_unknown", "no_block_time", "reorder", "pruned", "ignorant"] as const;
/** A fault of its WebSocket: closed to all, open and silent, or silent to those who want what is confirmed. */
const SOCKET_FAULTS = ["socket_closed", "socket_silent", "notices_skipped"] as const;

export const FAULT_MODES = ["none", ...TRANSPORT_FAULTS, ...VIEW_FAULTS, ...LACKS, ...SOCKET_FAULTS] as const;
type FaultMode = (typeof FAULT_MODES)[number];
type TransportFault = (typeof TRANSPORT_FAULTS)[number];

export interface FaultRule {
  /** "none" removes every rule of the node. */
  readonly mode: FaultMode;
  /** The node, by the path of its URL; default all. */
  readonly node?: string;
  /** Only these RPC methods; default all. */
  readonly methods?: readonly string[];
  /** The number of requests it applies to; default all, until the rule is removed. */
  readonly count?: number;
  /** slow: how long, default 3,000. */
  readonly ms?: number;
  /** stale_slot, pruned: how many slots, default 100. */
  readonly slots?: number;
  /** ignorant: signatures and addresses it has never heard of. */
  readonly names?: readonly string[];
  /** rpc_error: its code and message, default −32005 "Node is unhealthy". */
  readonly code?: number;
  readonly message?: string;
}

export interface ActiveFault extends FaultRule {
  readonly mode: TransportFault;
}

const RULES_MAX = 32;
const SLOTS_DEFAULT = 100;

interface Held {
  readonly rule: FaultRule;
  left: number;
}

const isOf = <T extends string>(modes: readonly T[], mode: string): mode is T =>
  (modes as readonly string[]).includes(mode);

/** The faults switched on now, over all nodes. */
export class Faults {
  #held: Held[] = [];

  set(rule: FaultRule): void {
    if (rule.mode === "none") {
      this.#held = rule.node === undefined ? [] : this.#held.filter((held) => held.rule.node !== rule.node);
      return;
    }
    if (this.#held.length >= RULES_MAX) throw new RangeError(`at most ${RULES_MAX} faults at a time`);
    this.#held.push({ rule, left: rule.count ?? Number.POSITIVE_INFINITY });
  }

  list = (): readonly FaultRule[] => this.#held.map((held) => held.rule);

  /** The faults that one request meets; each spends one of its count. */
  take(node: string, method: string): { readonly transport: ActiveFault | null; readonly distortion: Distortion } {
    if (this.#held.length === 0) return { transport: null, distortion: HONEST };
    let transport: ActiveFault | null = null;
    let distortion = HONEST;
    for (const held of this.#held) {
      const { rule } = held;
      if (held.left <= 0 || !this.#meets(rule, node) || (rule.methods && !rule.methods.includes(method))) continue;
      if (isOf(TRANSPORT_FAULTS, rule.mode)) {
        if (transport) continue;
        transport = { ...rule, mode: rule.mode };
      } else if (isOf(VIEW_FAULTS, rule.mode)) distortion = distort(distortion, rule);
      else if (isOf(LACKS, rule.mode)) distortion = { ...distortion, lacks: new Set([...distortion.lacks, rule.mode]) };
      else continue;
      held.left--;
    }
    this.#held = this.#held.filter((held) => held.left > 0);
    return { transport, distortion };
  }

  /** For the node's WebSocket, whose messages are not counted. */
  isOn = (mode: FaultMode, node: string): boolean =>
    this.#held.some(({ rule }) => rule.mode === mode && this.#meets(rule, node));

  #meets = (rule: FaultRule, node: string): boolean => rule.node === undefined || rule.node === node;
}

function distort(distortion: Distortion, rule: FaultRule): Distortion {
  const slots = rule.slots ?? SLOTS_DEFAULT;
  if (rule.mode === "stale_slot") return { ...distortion, lagSlots: slots };
  if (rule.mode === "until_unknown") return { ...distortion, unknownUntil: true };
  if (rule.mode === "no_block_time") return { ...distortion, noBlockTime: true };
  if (rule.mode === "reorder") return { ...distortion, reorder: true };
  if (rule.mode === "pruned") return { ...distortion, prunedSlots: slots };
  return { ...distortion, ignorantOf: new Set([...distortion.ignorantOf, ...(rule.names ?? [])]) };
}
