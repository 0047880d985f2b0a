import type { Database } from "../../server/store/database.ts";
import { sql } from "../../server/store/sql.ts";

/** Everything the checker reads, as one snapshot saw it. Rows as PostgreSQL returns them; `xmin` is the transaction that wrote the row. */
export interface DatabaseSnapshot {
  readonly intents: readonly IntentRow[];
  readonly payments: readonly PaymentRow[];
  readonly reverted: readonly (Xmin & { address: string; generation: number; intent_id: string; snapshot: string })[];
  readonly unmatched: readonly UnmatchedRow[];
  readonly events: readonly EventRow[];
  readonly disputes: readonly DisputeRow[];
  readonly statements: readonly { dispute_id: string; number: number; side: string; text: string }[];
  readonly offers: readonly { dispute_id: string; side: string; status: string }[];
  readonly agreements: readonly { dispute_id: string; failed_at: Date | null }[];
  readonly eventKeys: readonly (Xmin & { key: Buffer })[];
  readonly counters: readonly { business_id: string; environment: string; last_sequence: string }[];
  /** The present of `test`, where a local chain's clock may run ahead. */
  readonly now: Date;
}

interface Xmin {
  readonly xmin: string;
}

export interface IntentRow {
  readonly business_id: string;
  readonly environment: string;
  readonly id: string;
  readonly status: string;
  readonly holds_reference: boolean;
  readonly recipient: string;
  readonly amount: string;
  readonly asset: string;
  readonly protection_period: string;
  readonly merchant_reference: string;
  readonly payment_address: string | null;
  readonly generation: number;
  readonly mismatch_count: number;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly canceled_at: Date | null;
  readonly last_occurred_at: Date;
}

export interface PaymentRow {
  readonly business_id: string;
  readonly environment: string;
  readonly address: string;
  readonly intent_id: string;
  readonly generation: number;
  readonly recorded_sequence: string;
  readonly role: string;
  readonly status: string;
  readonly sender: string;
  readonly recipient: string;
  readonly amount: string;
  readonly asset: string;
  readonly late_reason: string | null;
  readonly signature: string | null;
  readonly created_at: Date;
  readonly protection_deadline: Date;
  readonly disputed_at: Date | null;
  readonly settled_at: Date | null;
  readonly refunded_at: Date | null;
  readonly outcome: string | null;
  readonly refund_total: string;
  readonly amount_refunded: string;
  readonly amount_released: string;
  readonly settleable_event_sent: boolean;
  readonly finalized: boolean;
}

export interface UnmatchedRow {
  readonly environment: string;
  readonly address: string;
  readonly status: string;
  readonly amount: string;
  readonly asset: string;
  readonly outcome: string | null;
  readonly refund_total: string;
  readonly amount_refunded: string;
  readonly amount_released: string;
}

export interface DisputeRow {
  readonly id: string;
  readonly payment_address: string;
  readonly intent_id: string;
  readonly status: string;
  readonly opened_at: Date;
  readonly refund_total: string;
  readonly buyer_statements: number;
  readonly merchant_statements: number;
  readonly buyer_offers: number;
  readonly merchant_offers: number;
  readonly version: number;
}

export interface EventRow extends Xmin {
  readonly business_id: string;
  readonly environment: string;
  readonly id: string;
  readonly sequence: string;
  readonly type: string;
  readonly intent_id: string | null;
  readonly payment_address: string | null;
  readonly occurred_at: Date;
  readonly created_at: Date;
  readonly body: string;
}

export const readSnapshot = (database: Database): Promise<DatabaseSnapshot> =>
  database.transaction(async (db) => {
    await db.rows(sql`set transaction isolation level repeatable read, read only`);
    const time = await db.row<{ now: Date }>(
      sql`select clock_timestamp() + ahead as now from clocks where environment = 'test'`,
    );
    return {
      now: time!.now,
      intents: await db.rows(sql`select * from intents order by business_id, id`),
      payments: await db.rows(sql`select * from payments order by business_id, recorded_sequence`),
      reverted: await db.rows(sql`select *, xmin::text from reverted_payments order by reverted_at`),
      unmatched: await db.rows(sql`select * from unmatched_payments`),
      events: await db.rows(
        sql`select *, xmin::text from events order by business_id, environment, sequence, recorded_at`,
      ),
      disputes: await db.rows(sql`select * from disputes order by id`),
      statements: await db.rows(sql`select dispute_id, number, side, text from dispute_statements`),
      offers: await db.rows(sql`select dispute_id, side, status from dispute_offers`),
      agreements: await db.rows(sql`select dispute_id, failed_at from dispute_agreements`),
      eventKeys: await db.rows(sql`select *, xmin::text from event_keys`),
      counters: await db.rows(sql`select * from event_counters`),
    };
  });
