import { readNow } from "../../../store/clock.ts";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { aNewIntent } from "../../intents/fixtures.ts";
import { draftIntent, type Intent } from "../../intents/intent.ts";

const TERMS_OF_INTENT = aNewIntent({ amount: "5" });

/** A database with two businesses and an open intent each. */
export async function openWithIntents() {
  const opened = await openTestDatabase("", { connectionsMax: 6 });
  const { database } = opened;
  const now = await readNow(database, "test");
  const insert = async (businessId: string): Promise<Intent> => {
    const intent = draftIntent({ businessId, environment: "test" }, TERMS_OF_INTENT, now, 3_600_000);
    await database.rows(sql`insert into businesses (id, name, created_at) values (${businessId}, 'Shop', now())`);
    await database.rows(sql`
      insert into intents (business_id, id, environment, status, holds_reference, recipient, amount, asset, protection_period,
        merchant_reference, metadata, payment_id, created_at, expires_at, last_occurred_at, list_position)
      values (${businessId}, ${intent.id}, 'test', 'requires_payment', true, ${intent.recipient}, 5, ${intent.asset}, 'oneDay',
        'order-1', '{}', ${intent.paymentId}, ${intent.createdAt}, ${intent.expiresAt}, ${intent.createdAt}, 1)`);
    return intent;
  };
  return { opened, database, now, intent: await insert("biz_1"), other: await insert("biz_2") };
}
