import { isAddress } from "../../domain/addresses.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { paymentAt } from "../payments/fragments.ts";
import type { ActedPayment } from "./paymentAction.ts";

export type BoundPayment = ActedPayment & { readonly recipient: string };

/**
 * The payment at an address for a tenant: its own, or one that is bound to no intent in its environment. Null for any
 * other.
 */
export async function findActedPayment(db: Db, tenant: Tenant, address: string): Promise<BoundPayment | null> {
  if (!isAddress(address)) return null;
  const found = await db.row<ActedPayment>(sql`
    select a.* from (${paymentAt(address)}) a
    where a.environment = ${tenant.environment} and (a."businessId" is null or a."businessId" = ${tenant.businessId})`);
  return found === null || found.recipient === null ? null : (found as BoundPayment);
}
