import type { Invariant } from "../checker.ts";
import type { EventRow } from "../databaseSnapshot.ts";

/** Sequences count per business and environment 1, 2, 3 … up to the counter, but for the gap that an `events.restored` names. */
export const noGaps: Invariant = {
  id: "sequences",
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
      const sorted = mine.toSorted((a, b) => Number(a.sequence) - Number(b.sequence));
      let last = 0;
      for (const event of sorted) {
        if (event.type === "events.restored") last = endOfGap(event, last) ?? last;
        if (Number(event.sequence) !== last + 1)
          violations.push(`${tenant}: ${event.sequence} stands where ${last + 1} is expected`);
        last = Number(event.sequence);
      }
      if (Number(counter.last_sequence) !== last)
        violations.push(`${tenant}: the counter says ${counter.last_sequence} and the last event is ${last}`);
    }
    return { checked: { counters: counters.length, events: events.length }, violations };
  },
};

/** The last number left out; null if the gap does not begin where the sequence stopped. */
function endOfGap(event: EventRow, last: number): number | null {
  const { after, before } = JSON.parse(event.body).data.object;
  return after === String(last) ? Number(before) - 1 : null;
}
