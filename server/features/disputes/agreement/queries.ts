import type { Tenant } from "../../../domain/callers.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { Side } from "../dispute.ts";

/** A transaction of an agreement that one side has signed. */
export interface HalfSigned {
  readonly transaction: string;
  readonly by: Side;
}

/** The payment of a dispute, as its agreement on chain names it. */
export interface AgreedPayment {
  readonly payment: string;
  readonly sender: string;
  readonly recipient: string;
  readonly observedSlot: number;
}

export const findAgreedPayment = (db: Db, { businessId, environment }: Tenant, disputeId: string) =>
  db.row<AgreedPayment>(sql`
    select p.address as payment, p.sender, p.recipient, p.observed_slot::float8 as "observedSlot"
    from disputes d join payments p on p.business_id = d.business_id and p.address = d.payment_address
    where d.business_id = ${businessId} and d.id = ${disputeId} and d.environment = ${environment}`);

/** The transaction that one side has signed, while it can land. */
export const findHalfSigned = (
  db: Db,
  { businessId }: Tenant,
  disputeId: string,
  now: Date,
): Promise<(HalfSigned & { readonly until: Date }) | null> =>
  db.row<HalfSigned & { readonly until: Date }>(sql`
    select half_signed as transaction, half_signed_by as by, half_signed_until as until from dispute_agreements
    where business_id = ${businessId} and dispute_id = ${disputeId} and half_signed_until > ${now}
      and failed_at is null and executed_at is null`);

/** Keeps what one side has signed, in place of what was kept. Returns false once the agreement has ended. */
export const keepHalfSigned = (
  db: Db,
  { businessId }: Tenant,
  disputeId: string,
  { transaction, by }: HalfSigned,
  until: Date,
): Promise<boolean> =>
  db.has(sql`
    update dispute_agreements set half_signed = ${transaction}, half_signed_by = ${by}, half_signed_until = ${until}
    where business_id = ${businessId} and dispute_id = ${disputeId} and failed_at is null and executed_at is null
    returning dispute_id`);
