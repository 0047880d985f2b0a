import type { Log } from "../../lib/log.ts";
import type { Commitment } from "../port.ts";
import type { Clock } from "./clock.ts";
import type { NodeFault } from "./fault.ts";
import { lagSlotsMax, restMsMax, restMsMin, sightingMsMax } from "./limits.ts";

export type SlotLevel = "processed" | Commitment;
/** A slot seen at one level bounds the levels before it too: what is finalized has been confirmed. */
const AT_LEAST: Readonly<Record<SlotLevel, readonly SlotLevel[]>> = {
  processed: ["processed", "confirmed", "finalized"],
  confirmed: ["confirmed", "finalized"],
  finalized: ["finalized"],
};

/** What is known of each node: whether it may be asked now, and how far along the chain it has shown itself. */
export interface NodeBook {
  /** Every node but those excluded: the well ones in the order configured, then the resting ones, the soonest rested first. */
  order(exclude: ReadonlySet<number>): number[];
  failed(node: number, fault: NodeFault): void;
  answered(node: number): void;
  saw(node: number, slot: number, level: SlotLevel): void;
  /** The oldest slot from which "it is not there" is believed; 0 while no slot is known. */
  trustedSlot(level: SlotLevel): number;
}

interface Sighting {
  readonly slot: number;
  readonly atMs: number;
}

interface NodeState {
  failures: number;
  restUntilMs: number;
  /** Finalized slots trail the others by about 32, so each level is judged by itself. */
  readonly seen: Map<SlotLevel, Sighting>;
}

export function createNodeBook(nodes: number, clock: Clock, log: Log): NodeBook {
  const states = Array.from(
    { length: nodes },
    (): NodeState => ({ failures: 0, restUntilMs: Number.NEGATIVE_INFINITY, seen: new Map() }),
  );

  return {
    order(exclude) {
      const now = clock.now();
      const restMsLeft = (node: number) => Math.max(0, states[node]!.restUntilMs - now);
      return [...states.keys()].filter((node) => !exclude.has(node)).sort((a, b) => restMsLeft(a) - restMsLeft(b));
    },

    failed(node, fault) {
      if (!fault.rests) return;
      const state = states[node]!;
      const restMs = Math.max(fault.restMs ?? 0, Math.min(restMsMin * 2 ** state.failures, restMsMax));
      if (state.failures === 0) log(`Node ${node} failed: ${fault.message}.`);
      state.failures = Math.min(state.failures + 1, 30);
      state.restUntilMs = clock.now() + restMs;
    },

    answered(node) {
      const state = states[node]!;
      if (state.failures === 0) return;
      log(`Node ${node} works again, after ${state.failures} failures in a row.`);
      state.failures = 0;
      state.restUntilMs = Number.NEGATIVE_INFINITY;
    },

    saw(node, slot, level) {
      const now = clock.now();
      const { seen } = states[node]!;
      const last = seen.get(level);
      // Answers overtake each other, and one URL may hide several machines: for a while the highest counts.
      if (last === undefined || slot >= last.slot || now - last.atMs > sightingMsMax) {
        seen.set(level, { slot, atMs: now });
      }
    },

    trustedSlot(level) {
      const sightings = states.flatMap(({ seen }) => AT_LEAST[level].map((known) => seen.get(known)?.slot ?? 0));
      const best = Math.max(0, ...sightings);
      return Math.max(0, best - lagSlotsMax);
    },
  };
}
