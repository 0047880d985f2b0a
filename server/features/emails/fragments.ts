import { pick } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { announcing, type Sql, sql } from "../../store/sql.ts";
import { fieldRows } from "../../store/table.ts";
import { countEmails, EMAILS, EMAILS_QUEUED, type EmailKind, type NewEmail } from "./email.ts";

/** Emails of one kind that may wait, and those of one kind and source. Any beyond that are dropped. */
const OF_KIND_MAX = 10_000;
const OF_SOURCE_MAX = 100;

const rowsOf = fieldRows("e", pick(EMAILS.columns, "kind", "source", "recipient", "facts"));

/**
 * Queues emails, in the transaction of the change that they report. An email goes behind later ones of other sources and
 * kinds by ten seconds for each of its source that waits, and by one for each of its kind: a flood of one delays no
 * other's.
 */
export async function queueEmails(db: Db, emails: readonly NewEmail[]): Promise<void> {
  if (emails.length === 0) return;
  const rows = emails.map(({ facts, ...email }) => ({ ...email, facts: JSON.stringify(facts) }));
  const queued = await db.rows(
    announcing(
      sql`
        insert into emails (kind, source, recipient, facts, expires_at, ranked_at)
        select e.kind, e.source, e.recipient, e.facts,
          now() + make_interval(hours => case e.kind when 'password_link' then 1 else 24 end),
          now() + make_interval(secs => 10 * of_source.count + of_kind.count)
        from ${rowsOf(rows)}
          cross join lateral (
            select count(*)::integer from (
              select from emails w where w.kind = e.kind and w.source = e.source limit ${OF_SOURCE_MAX}::integer) w) of_source
          cross join lateral (
            select count(*)::integer from (
              select from emails w where w.kind = e.kind limit ${OF_KIND_MAX}::integer) w) of_kind
        where of_source.count < ${OF_SOURCE_MAX}::integer and of_kind.count < ${OF_KIND_MAX}::integer
        returning id`,
      () => [EMAILS_QUEUED],
    ),
  );
  countEmails("dropped", emails.length - queued.length);
}

/** The emails of one kind and source that wait, as far as any may. */
export const countWaiting = (kind: EmailKind, source: Sql): Sql => sql`
  (select count(*)::integer from (
    select from emails w where w.kind = ${kind} and w.source = ${source} limit ${OF_SOURCE_MAX}::integer) w)`;

/** True while an email of this kind is not dropped, from a source of which so many of the kind wait. */
export const hasRoom = (kind: EmailKind, waiting: Sql): Sql => sql`
  (${waiting} < ${OF_SOURCE_MAX}::integer and ${OF_KIND_MAX}::integer > (
    select count(*) from (select from emails w where w.kind = ${kind} limit ${OF_KIND_MAX}::integer) w))`;

/** The delete of emails with a link for a password that wait for a user, by the key of the address. */
export const deletePasswordEmails = (recipient: string): Sql =>
  sql`delete from emails where kind = 'password_link' and recipient = ${recipient}`;

/** The delete of emails that wait for the buyer of a dispute. */
export const deleteBuyerEmails = (disputeId: string): Sql =>
  sql`delete from emails where kind in ('address_link', 'buyer_news') and source = ${disputeId}`;
