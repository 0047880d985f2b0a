import type { Log } from "../../lib/log.ts";
import { LEVELS, type Level } from "../consensus.ts";
import type { Clock } from "./clock.ts";
import { ALONE_MS_MAX, LAG_SLOTS_MAX, REST_MS_MAX, REST_MS_MIN, SLOT_AGE_MS_MAX } from "./limits.ts";
import { measureTime } from "./measureTime.ts";
import type { NodeError } from "./nodeError.ts";

/** The state of each node: if it may be asked now, and the newest slot it has shown. */
export interface NodeBook {
  /**
   * Every node but those excluded: the healthy ones in the order configured, then the resting ones, the next to recover
   * first.
   */
  order(exclude: ReadonlySet<number>): number[];
  recordFailure(node: number, error: NodeError): void;
  recordAnswer(node: number): void;
  noteSlot(node: number, slot: number, level: Level): void;
  /**
   * Returns true if the slot is further ahead of every known slot than the chain advances between two reads; false while no
   * slot is known.
   */
  isJump(slot: number): boolean;
  /** True if the slot is so far ahead that one node's word is not enough. */
  isFarJump(slot: number): boolean;
  /** The slots in a time, by those that became final lately. */
  slotsIn(ms: number): number;
  /** The oldest slot from which an absence is believed; 0 while no slot is known. */
  trustedSlot(level: Level): number;
}

interface ObservedSlot {
  readonly slot: number;
  readonly atMs: number;
}

interface NodeState {
  failures: number;
  restUntilMs: number;
  /** The missing abilities that the log has named. */
  readonly lacks: Set<string>;
  /** Finalized slots trail the others by about 32, so each level has its own record. */
  readonly slots: Map<Level, ObservedSlot>;
}

export function createNodeBook(nodes: number, clock: Clock, log: Log): NodeBook {
  const states = Array.from(
    { length: nodes },
    (): NodeState => ({ failures: 0, restUntilMs: Number.NEGATIVE_INFINITY, lacks: new Set(), slots: new Map() }),
  );

  const slots = measureTime(clock);
  const slotsIn = (ms: number) => Math.ceil(ms / slots.ms());

  return {
    order(exclude) {
      const now = clock.now();
      const restMsLeft = (node: number) => Math.max(0, states[node]!.restUntilMs - now);
      return [...states.keys()].filter((node) => !exclude.has(node)).sort((a, b) => restMsLeft(a) - restMsLeft(b));
    },

    recordFailure(node, error) {
      const state = states[node]!;
      if (error.isLack && !state.lacks.has(error.message)) log(`Node ${node} ${error.message}.`, undefined, "warn");
      if (error.isLack) state.lacks.add(error.message);
      if (!error.rests) return;
      if (state.failures === 0) log(`Node ${node} failed: ${error.message}.`, undefined, "warn");
      // Many reads fail together: while it rests, only a longer wait that it asks for counts.
      const isResting = clock.now() < state.restUntilMs;
      const backoffMs = isResting ? 0 : Math.min(REST_MS_MIN * 2 ** state.failures, REST_MS_MAX);
      if (!isResting) state.failures = Math.min(state.failures + 1, 30);
      state.restUntilMs = Math.max(state.restUntilMs, clock.now() + Math.max(error.restMs ?? 0, backoffMs));
    },

    recordAnswer(node) {
      const state = states[node]!;
      // What it answers while it rests was asked of it alone, with more time: it may be too slow to be asked first.
      if (state.failures === 0 || clock.now() < state.restUntilMs) return;
      log(`Node ${node} works again, after ${state.failures} failures in a row.`);
      state.failures = 0;
      state.restUntilMs = Number.NEGATIVE_INFINITY;
    },

    noteSlot(node, slot, level) {
      const now = clock.now();
      if (level === "finalized") slots.record(slot);
      const known = states[node]!.slots;
      const last = known.get(level);
      // Answers overtake each other, and several machines may share a URL: for a while the highest slot counts.
      if (last === undefined || slot >= last.slot || now - last.atMs > SLOT_AGE_MS_MAX) {
        known.set(level, { slot, atMs: now });
      }
    },

    isJump: (slot) => isAhead(slot, LAG_SLOTS_MAX),
    isFarJump: (slot) => isAhead(slot, slotsIn(ALONE_MS_MAX)),
    slotsIn,

    trustedSlot: (level) => Math.max(0, highestSlot(level) - LAG_SLOTS_MAX),
  };

  function isAhead(slot: number, by: number): boolean {
    const known = highestSlot("processed");
    return known > 0 && slot > known + by;
  }

  /** A slot observed at one level bounds the levels before it too. */
  function highestSlot(level: Level): number {
    const atLeast = LEVELS.slice(LEVELS.indexOf(level));
    return Math.max(0, ...states.flatMap(({ slots }) => atLeast.map((known) => slots.get(known)?.slot ?? 0)));
  }
}
