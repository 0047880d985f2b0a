import type { Environment } from "../../../domain/terms.ts";
import { statementNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import type { KnownPayment } from "../decide/decision.ts";
import { type KnownRow, readKnownRow } from "../decide/queries.ts";

/** Unfinished and last checked longer ago than this by real time, the longest first. */
const unchecked = (environment: Environment, olderThanMs: number, limit: number): Sql => sql`
  where environment = ${environment} and status in ('protected', 'disputed')
    and checked_at < ${statementNow(environment)}
      - make_interval(secs => ${olderThanMs / 1000}::double precision)
  order by checked_at limit ${limit}::integer`;

export async function listUnfinished(
  db: Db,
  environment: Environment,
  olderThanMs: number,
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(
    sql`select address from payments ${unchecked(environment, olderThanMs, limit)}`,
  );
  return rows.map((row) => row.address);
}

/** The same of payments that are bound to no intent. */
export async function listUnfinishedUnmatched(
  db: Db,
  environment: Environment,
  olderThanMs: number,
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(sql`
    select address from unmatched_payments ${unchecked(environment, olderThanMs, limit)}`);
  return rows.map((row) => row.address);
}

/** Moves the time of the last check of payments whose accounts it did not find. */
export const touchMissing = (db: Db, environment: Environment, addresses: readonly string[]) =>
  db.rows(sql`
    with unmatched as (
      update unmatched_payments set checked_at = ${statementNow(environment)}
      where environment = ${environment} and address = any(${addresses}::text[]))
    update payments p set checked_at = ${statementNow(environment)}
    from payment_addresses a
    where a.address = any(${addresses}::text[]) and p.business_id = a.business_id and p.address = a.address
      and p.environment = ${environment}`);

/** Payments that are told of and not final, those that were missed last, the longest told first. */
export async function listUnfinalized(db: Db, environment: Environment, limit: number): Promise<KnownPayment[]> {
  const rows = await db.rows<KnownRow>(sql`
    select * from payments
    where environment = ${environment} and not finalized
    order by suspected_at nulls first, greatest(coalesce(created_slot, observed_slot), changed_slot) limit ${limit}::integer`);
  return rows.map(readKnownRow);
}

/** What an earlier read missed of a binding that is not final; null when it is final or gone. Real time, not the environment's. */
export async function findSuspected(db: Db, environment: Environment, address: string) {
  const row = await db.row<{ suspected_at: Date | null; suspected_by_node: number | null; ago_ms: string | null }>(sql`
    select p.suspected_at, p.suspected_by_node, extract(epoch from now() - p.suspected_at) * 1000 as ago_ms
    from payment_addresses a join payments p on p.business_id = a.business_id and p.address = a.address
    where a.address = ${address} and p.environment = ${environment} and not p.finalized`);
  return row === null
    ? null
    : { missingSince: row.suspected_at, missingNode: row.suspected_by_node, agoMs: Number(row.ago_ms ?? 0) };
}

export const markSuspected = (db: Db, environment: Environment, address: string, node: number) =>
  db.rows(sql`
    update payments p set suspected_at = now(), suspected_by_node = ${node}::integer
    from payment_addresses a
    where a.address = ${address} and p.business_id = a.business_id and p.address = a.address
      and p.environment = ${environment} and not p.finalized and p.suspected_at is null`);
