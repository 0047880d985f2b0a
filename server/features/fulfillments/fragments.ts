import type { Tenant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { FULFILLMENTS, type Fulfillment } from "./fulfillment.ts";

/** The fulfillments of an intent, oldest first: few, by their limit. */
export const listFulfillments = (db: Db, tenant: Tenant, intentId: string) =>
  db.rows<Fulfillment>(sql`
    select ${selected(FULFILLMENTS.columns, "f")} from fulfillments f
    where f.business_id = ${tenant.businessId} and f.intent_id = ${intentId} order by f.number`);
