import type { Invariant } from "../checker.ts";

/** I12: per business and environment 1, 2, 3 … up to the counter. */
export const noGaps: Invariant = {
  id: "I12",
  promise: "event sequences have no gap",
  check: ({ snapshot: { events, counters } }) => {
    const violations: string[] = [];
    const of = (row: { business_id: string; environment: string }) => `${row.business_id} ${row.environment}`;
    const byTenant = Map.groupBy(events, of);
    const known = new Set(counters.map(of));
    for (const tenant of byTenant.keys())
      if (!known.has(tenant)) violations.push(`${tenant} has events and no counter`);
    for (const counter of counters) {
      const tenant = of(counter);
      const mine = byTenant.get(tenant) ?? [];
      const sequences = mine.map((event) => Number(event.sequence)).sort((a, b) => a - b);
      const wrong = sequences.findIndex((sequence, index) => sequence !== index + 1);
      if (wrong >= 0) violations.push(`${tenant}: ${sequences[wrong]} stands where ${wrong + 1} is expected`);
      if (Number(counter.last_sequence) !== sequences.length)
        violations.push(
          `${tenant}: the counter says ${counter.last_sequence} and there are ${sequences.length} events`,
        );
    }
    return { checked: { counters: counters.length, events: events.length }, violations };
  },
};
