import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { ArbiterWarning } from "../../emails/email.ts";
import { conflictOf } from "./queries.ts";

/** A warning of a date of a dispute. */
export interface DueWarning {
  readonly businessId: string;
  readonly id: string;
  readonly warning: ArbiterWarning;
  readonly dueAt: Date;
}

/**
 * Claims the warnings whose time has come and of which nobody was warned, the disputes due first in front and each dispute whole.
 * Each date has each warning once, whoever claims it; the arbiter's own has none while an agreement holds. Days are of 24 hours, as those of the clocks.
 */
export const claimWarnings = (db: Db, limit: number) =>
  db.rows<DueWarning>(sql`
    with due as (
      select d.business_id, d.id, w.warning, w.due_at
      from clocks c
        join disputes d on d.environment = c.environment and d.status in ('deciding', 'agreed')
          and coalesce(d.decide_by, d.resolve_by) < now() + c.ahead + interval '720 hours'
        cross join lateral (values
          ('due_soon', case when d.status = 'deciding' then d.decide_by end, interval '72 hours'),
          ('resolve_30', d.resolve_by, interval '720 hours'),
          ('resolve_7', d.resolve_by, interval '168 hours'), ('resolve_1', d.resolve_by, interval '24 hours')
        ) w (warning, due_at, ahead)
      where w.due_at - w.ahead <= now() + c.ahead and not exists (
        select from arbiter_emails l
        where l.business_id = d.business_id and l.dispute_id = d.id and l.warning = w.warning and l.due_at = w.due_at)
      order by coalesce(d.decide_by, d.resolve_by), d.id fetch first (${limit}::integer) rows with ties),
    claimed as (
      insert into arbiter_emails (business_id, dispute_id, warning, due_at, sent_at)
      select business_id, id, warning, due_at, now() from due order by business_id, id, warning
      on conflict do nothing returning business_id, dispute_id, warning, due_at)
    select d.business_id as "businessId", d.id, d.warning, d.due_at as "dueAt"
    from due d join claimed x
      on x.business_id = d.business_id and x.dispute_id = d.id and x.warning = d.warning and x.due_at = d.due_at`);

/** True while the dispute of a warning waits for the arbiter, and its date is the same. */
export const isStillDue = (db: Db, { businessId, id, warning, dueAt }: DueWarning): Promise<boolean> =>
  db.has(sql`
    select true from disputes
    where business_id = ${businessId} and id = ${id} and status in ('deciding', 'agreed')
      and case when ${warning}::text <> 'due_soon' then resolve_by when status = 'deciding' then decide_by end
        = ${dueAt}::timestamptz`);

/** Arbiters who are warned of one dispute at most. */
const READERS_MAX = 20;

/** The addresses of the arbiter who holds a dispute and may decide it, or else of those who could. */
export async function listReaders(db: Db, { businessId, id }: DueWarning): Promise<string[]> {
  const rows = await db.rows<{ email: string }>(sql`
    select u.email
    from disputes d
      join payments p on p.business_id = d.business_id and p.address = d.payment_address
      left join dispute_holders h on h.business_id = d.business_id and h.dispute_id = d.id and h.ended_at is null
      left join users held on held.id = h.user_id and held.is_arbiter and ${conflictOf(sql`held.id`)} is null
      join users u on u.is_arbiter and (held.id is null or u.id = held.id)
    where d.business_id = ${businessId} and d.id = ${id} and ${conflictOf(sql`u.id`)} is null
    order by u.id limit ${READERS_MAX}::integer`);
  return rows.map(({ email }) => email);
}
