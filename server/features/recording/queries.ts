import type { Tenant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { sameHash } from "../../store/textHash.ts";

/** The payments of a business that a transaction made. */
export const listPaymentsOfSignature = (db: Db, tenant: Tenant, signature: string, limit: number) =>
  db.rows<{ address: string; intentId: string }>(sql`
    select address, intent_id as "intentId" from payments
    where business_id = ${tenant.businessId} and signature = ${signature} and environment = ${tenant.environment}
      and ${sameHash(sql`signature`, sql`${signature}`)}
    limit ${limit}::integer`);
