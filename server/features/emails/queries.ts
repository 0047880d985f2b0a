import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { countEmails, EMAILS, type WaitingEmail } from "./email.ts";

/** The time that a claim lasts. After it, any process may claim the email again: that is the whole recovery from a crash. */
const LEASE_SECONDS = 60;

const CLAIMED = selected(EMAILS.columns, "e");

/** An email that this process may send. */
export interface ClaimedEmail extends WaitingEmail {
  readonly token: string;
  readonly isExpired: boolean;
}

/** Claims the due email whose turn it is. */
export const claimEmail = (db: Db): Promise<ClaimedEmail | null> =>
  db.row<ClaimedEmail>(sql`
    with next as (
      select id from emails where due_at <= now() and (leased_until is null or leased_until <= now())
      order by ranked_at, id limit 1 for update skip locked)
    update emails e set lease_token = gen_random_uuid(),
      leased_until = now() + make_interval(secs => ${LEASE_SECONDS}::integer)
    from next where e.id = next.id
    returning ${CLAIMED}, e.lease_token as token, e.expires_at <= now() as "isExpired"`);

/** Deletes an email that was sent, or never will be. */
export const deleteEmail = (db: Db, { id, token }: ClaimedEmail): Promise<unknown> =>
  db.rows(sql`delete from emails where id = ${id}::bigint and lease_token = ${token}::uuid`);

/** Puts an email behind those that were queued meanwhile. Attempts are counted when they end: a crash costs none, only a possible repeat. */
export const putBackEmail = (db: Db, { id, token, attempts }: ClaimedEmail, minutes: number): Promise<unknown> =>
  db.rows(sql`
    update emails set attempts = ${attempts}::integer, due_at = retry.at, ranked_at = greatest(ranked_at, retry.at),
      lease_token = null, leased_until = null
    from (select now() + make_interval(mins => ${minutes}::integer) as at) retry
    where id = ${id}::bigint and lease_token = ${token}::uuid`);

const PURGED_MAX = 1_000;

/** Deletes emails that nobody sent in time, in a process that sends none. True if there are more. */
export async function purgeEmails(db: Db): Promise<boolean> {
  const purged = await db.rows(sql`
    delete from emails where id in (
      select id from emails where expires_at <= now() limit ${PURGED_MAX}::integer for update skip locked)
    returning id`);
  countEmails("dropped", purged.length);
  return purged.length === PURGED_MAX;
}
