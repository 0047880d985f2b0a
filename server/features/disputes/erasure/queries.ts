import type { Tenant } from "../../../domain/callers.ts";
import { omit } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { columnNames, columnValues, selected } from "../../../store/table.ts";
import { deleteBuyerEmails } from "../../emails/fragments.ts";
import type { Dispute } from "../dispute.ts";
import { ERASURES, type Erasure } from "./erasure.ts";

/** The tables of a dispute whose rows say by `business_id` and `dispute_id` whose they are. */
const ofDispute = ({ businessId, id }: Dispute) => sql`business_id = ${businessId} and dispute_id = ${id}`;

/**
 * Erases the texts and files of a dispute, with their salts, the drafts of decisions, and what tells of the buyer: address,
 * sessions and challenges. The caller holds the lock of the intent.
 */
export const eraseTexts = (db: Db, dispute: Dispute, at: Date) =>
  db.rows(sql`
    with erased_statements as (
      update dispute_statements set text = null, salt = null, erased_at = ${at}
      where ${ofDispute(dispute)} and erased_at is null),
    erased_files as (
      update dispute_files set name = null, sha256 = null, salt = null, erased_at = ${at}
      where ${ofDispute(dispute)} and erased_at is null),
    erased_parts as (delete from dispute_file_parts where ${ofDispute(dispute)}),
    erased_uploads as (delete from dispute_uploads where ${ofDispute(dispute)}),
    erased_questions as (
      update dispute_questions set text = null, erased_at = ${at} where ${ofDispute(dispute)} and erased_at is null),
    erased_offers as (update dispute_offers set text = null where ${ofDispute(dispute)} and text is not null),
    erased_drafts as (
      delete from dispute_decisions where ${ofDispute(dispute)}
        and id is distinct from ${dispute.ruling?.decisionId ?? null}::text),
    erased_addresses as (delete from dispute_addresses where ${ofDispute(dispute)}),
    erased_links as (delete from dispute_links where ${ofDispute(dispute)}),
    erased_emails as (${deleteBuyerEmails(dispute.id)}),
    erased_sessions as (
      delete from dispute_sessions
      where business_id = ${dispute.businessId} and payment_address = ${dispute.payment}),
    erased_challenges as (
      delete from dispute_challenges
      where business_id = ${dispute.businessId} and payment_address = ${dispute.payment})
    update disputes set erased_at = coalesce(erased_at, ${at})
    where business_id = ${dispute.businessId} and id = ${dispute.id}`);

/** Deletes what arbiters noted on a dispute: it may quote any part of it. */
export const deleteNotes = (db: Db, dispute: Dispute) =>
  db.rows(sql`delete from dispute_notes where ${ofDispute(dispute)}`);

/** Returns false if the dispute has no such statement, or it is erased. */
export const eraseStatement = (db: Db, dispute: Dispute, number: number, at: Date): Promise<boolean> =>
  db.has(sql`
    update dispute_statements set text = null, salt = null, erased_at = ${at}
    where ${ofDispute(dispute)} and number = ${number}::smallint and erased_at is null returning number`);

/** Returns false if the dispute has no such file, or it is erased. */
export const eraseFile = (db: Db, dispute: Dispute, id: string, at: Date): Promise<boolean> =>
  db.has(sql`
    with erased_parts as (delete from dispute_file_parts where ${ofDispute(dispute)} and file_id = ${id})
    update dispute_files set name = null, sha256 = null, salt = null, erased_at = ${at}
    where ${ofDispute(dispute)} and id = ${id} and erased_at is null returning id`);

/** Erases the record of the decision, which has the reasons. Its hash stays. Returns false if there is none. */
export const eraseRecord = (db: Db, dispute: Dispute, at: Date): Promise<boolean> =>
  db.has(sql`
    update dispute_decisions set record = null, erased_at = ${at}
    where ${ofDispute(dispute)} and id = ${dispute.ruling?.decisionId ?? null}::text and erased_at is null returning id`);

const NUMBERED = omit(ERASURES.columns, "number");
const names = columnNames(NUMBERED);
const values = columnValues(NUMBERED);

export const insertErasure = (db: Db, erasure: Omit<Erasure, "number">) =>
  db.rows(sql`
    insert into dispute_erasures (${names}, number)
    select ${values(erasure)}, coalesce(max(number), 0) + 1 from dispute_erasures
    where business_id = ${erasure.businessId} and dispute_id = ${erasure.disputeId}`);

/** Erasures of all businesses, the newest first, with their payments. */
export const listErasures = (db: Db, limit: number) =>
  db.rows<Erasure & { readonly payment: string }>(sql`
    select ${selected(ERASURES.columns, "e")}, d.payment_address as payment
    from dispute_erasures e join disputes d on d.business_id = e.business_id and d.id = e.dispute_id
    order by e.erased_at desc, e.dispute_id, e.number limit ${limit}::integer`);

/**
 * Disputes whose texts have been kept long enough: since they closed, or since the decision while the money has not left.
 * Those in `except` are left out.
 */
export const listKept = (db: Db, retentionDays: number, except: readonly string[], limit: number) =>
  db.rows<Tenant & { readonly id: string; readonly intentId: string }>(sql`
    select d.business_id as "businessId", d.environment, d.id, d.intent_id as "intentId"
    from clocks c
      cross join lateral (select now() + c.ahead - make_interval(days => ${retentionDays}::integer) as ended_by) k
      join disputes d on d.environment = c.environment and d.status in ('decided', 'closed') and d.erased_at is null
        and coalesce(d.closed_at, d.last_word_at) <= k.ended_by
    where not (d.id = any(${except}::text[])) and (d.closed_at is not null or exists (
      select from dispute_rulings r where r.business_id = d.business_id and r.dispute_id = d.id and r.ruled_at <= k.ended_by))
    limit ${limit}::integer`);
