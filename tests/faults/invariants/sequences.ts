import type { Invariant } from "../checker.ts";

/** I12: per business and environment 1, 2, 3 … up to the counter. */
export const noGaps: Invariant = {
  id: "I12",
  promise: "event sequences have no gap",
  check: ({ books: { events, counters } }) => {
    const violations: string[] = [];
    const of = (row: { business_id: string; environment: string }) => `${row.business_id} ${row.environment}`;
    const byOwner = Map.groupBy(events, of);
    const known = new Set(counters.map(of));
    for (const owner of byOwner.keys()) if (!known.has(owner)) violations.push(`${owner} has events and no counter`);
    for (const counter of counters) {
      const owner = of(counter);
      const mine = byOwner.get(owner) ?? [];
      const sequences = mine.map((event) => Number(event.sequence)).sort((a, b) => a - b);
      const wrong = sequences.findIndex((sequence, index) => sequence !== index + 1);
      if (wrong >= 0) violations.push(`${owner}: ${sequences[wrong]} stands where ${wrong + 1} is expected`);
      if (Number(counter.last_sequence) !== sequences.length)
        violations.push(`${owner}: the counter says ${counter.last_sequence} and there are ${sequences.length} events`);
    }
    return { checked: { counters: counters.length, events: events.length }, violations };
  },
};
