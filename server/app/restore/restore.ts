import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { listChains } from "../../features/chains/fragments.ts";
import { draftEvent, type PendingEvent } from "../../features/events/event.ts";
import { liftSequences } from "../../features/events/queries.ts";
import { recordEvents } from "../../features/webhooks/fragments.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

export const LIFT_DEFAULT = 1_000_000;
/** Sequences have at most eighteen digits. */
export const LIFT_MAX = 1_000_000_000_000;

const PAGE = 200;

/** The gap that a restore left in a tenant's sequence: the numbers strictly between the two. */
export interface SequenceGap extends Tenant {
  readonly after: string;
  readonly before: string;
}

/**
 * After a restore: raises the sequence of every tenant whose environment has a chain by `lift`, so that no number is
 * used twice, even if it was used after the copy was made. Records `events.restored`, which names the gap (§6.6.6).
 * Returns the gaps. A repeat raises the sequences again, which is harmless. No process of the service may run before
 * it has ended.
 */
export async function recordRestore(database: Database, lift: number): Promise<SequenceGap[]> {
  const gaps: SequenceGap[] = [];
  // Without a chain there was never a key, so there are no events either.
  const joined = (await listChains(database))
    .map(({ environment }) => environment)
    .sort()
    .reverse();
  for (const environment of joined)
    for (let last: SequenceGap | undefined; ; ) {
      const page = await liftPage(database, environment, last?.businessId ?? "", lift);
      gaps.push(...page);
      last = page.at(-1);
      if (page.length < PAGE) break;
    }
  return gaps;
}

const liftPage = (database: Database, environment: Environment, above: string, lift: number): Promise<SequenceGap[]> =>
  database.transaction(async (db) => {
    const lifted = await liftSequences(db, environment, { above, lift, limit: PAGE });
    if (lifted.length === 0) return [];
    const gaps = lifted.map(({ businessId, before }) => ({
      businessId,
      environment,
      after: String(BigInt(before) - BigInt(lift) - 1n),
      before,
    }));
    const drafts = gaps.map((gap) => draftEvent(gap, pendingRestoredEvent(gap, lifted[0]!.now), lifted[0]!.now));
    await db.rows(sql`with ${recordEvents(drafts)} select sequence from recorded_events`);
    return gaps;
  });

const pendingRestoredEvent = (
  { businessId, environment, after, before }: SequenceGap,
  occurredAt: Date,
): PendingEvent => ({
  type: "events.restored",
  objectId: `sequence_${environment}_${businessId}`,
  generation: 1,
  transition: `restored before ${before}`,
  intentId: null,
  paymentAddress: null,
  occurredAt,
  object: { object: '"sequence_gap"', after: `"${after}"`, before: `"${before}"` },
  before: null,
});
