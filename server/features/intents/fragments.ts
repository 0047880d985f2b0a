import type { Owner } from "../../domain/callers.ts";
import { readNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { type Intent, type IntentRow, readIntentRow } from "./intent.ts";

/** An intent under its row lock, with what only the writers of its story need. */
export interface LockedIntent {
  readonly intent: Intent;
  readonly paymentAddress: string | null;
  readonly generation: number;
  readonly mismatchesSeen: number;
  readonly lastOccurredAt: Date;
  /** The environment's present, taken after the lock was got. */
  readonly now: Date;
}

interface LockedRow extends IntentRow {
  payment_address: string | null;
  generation: number;
  mismatches_seen: number;
  last_occurred_at: Date;
}

/** Locks an intent to the end of the transaction: every change to it and its payments is made under this lock. */
export async function lockIntent(db: Db, owner: Owner, id: string): Promise<LockedIntent | null> {
  const row = await db.row<LockedRow>(sql`
    select * from intents
    where business_id = ${owner.businessId} and id = ${id} and environment = ${owner.environment}
    for update`);
  if (row === null) return null;
  // A second statement: the first one's clock was read before it waited for the lock.
  const now = await readNow(db, owner.environment);
  return {
    intent: readIntentRow(row),
    paymentAddress: row.payment_address,
    generation: row.generation,
    mismatchesSeen: row.mismatches_seen,
    lastOccurredAt: row.last_occurred_at,
    now,
  };
}
