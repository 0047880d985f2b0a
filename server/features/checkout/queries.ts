import { environmentOf } from "../../domain/ids.ts";
import type { Row } from "../../lib/columns.ts";
import { environmentNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { type Intent, readIntentRow } from "../intents/intent.ts";
import { type Payment, readPaymentRow } from "../payments/payment.ts";

export interface CheckoutView {
  readonly intent: Intent;
  readonly businessName: string;
  readonly payment: Payment | null;
  /** The decimals of the asset; null while the chain has not shown them. */
  readonly decimals: number | null;
  readonly now: Date;
}

/** Everything that the holder of a checkout link may see. The link establishes the business: it names none. */
export async function findCheckout(db: Db, intentId: string): Promise<CheckoutView | null> {
  const environment = environmentOf(intentId);
  const row = await db.row<
    Row & { business_name: string; payment_address: string | null; decimals: number | null; now: Date }
  >(sql`
    select i.*, b.name as business_name, a.decimals, ${environmentNow(environment)} as now
    from payment_ids p
    join intents i on i.business_id = p.business_id and i.id = p.intent_id
    join businesses b on b.id = i.business_id
    left join known_assets a on a.environment = i.environment and a.address = i.asset
    where p.intent_id = ${intentId}`);
  if (row === null) return null;
  const payment =
    row.payment_address === null
      ? null
      : await db.row<Row>(
          sql`select * from payments where business_id = ${row.business_id} and address = ${row.payment_address}`,
        );
  return {
    intent: readIntentRow(row),
    businessName: row.business_name,
    payment: payment === null ? null : readPaymentRow(payment),
    decimals: row.decimals,
    now: row.now,
  };
}
