import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { conditionsOf } from "../../edge/http/listFilters.ts";
import { type FieldsOf, pick, type Row } from "../../lib/columns.ts";
import { statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { watermarkOf } from "../chains/fragments.ts";
import type { EventDraft } from "../events/event.ts";
import { moveLastOccurred } from "../intents/fragments.ts";
import { recordEvents } from "../webhooks/fragments.ts";
import { type Dispute, rulingOf } from "./dispute.ts";
import { DISPUTE_WITH_PARTS, type DisputeChange, OWN_ARBITER_OF_D, readDisputeRow, saveDisputes } from "./fragments.ts";
import { QUESTIONS } from "./question.ts";
import { type DisputeQuery, DUE, LIST_DISPUTES } from "./schema.ts";
import { STATEMENTS } from "./statement.ts";
import type { Waits } from "./waits.ts";

export async function findDispute(db: Db, tenant: Tenant, id: string): Promise<Dispute | null> {
  const row = await db.row<Row>(sql`
    select ${DISPUTE_WITH_PARTS} from disputes d
    where d.business_id = ${tenant.businessId} and d.id = ${id} and d.environment = ${tenant.environment}`);
  return row === null ? null : readDisputeRow(row);
}

/** Disputes of all businesses that wait for the arbiter, the ones due first in front. */
export async function listForArbiter(db: Db, environment: Environment, limit: number): Promise<Dispute[]> {
  const rows = await db.rows<Row>(sql`
    select ${DISPUTE_WITH_PARTS} from disputes d
    where d.environment = ${environment} and d.turn = 'arbiter' order by ${DUE}, d.id limit ${limit}::integer`);
  return rows.map(readDisputeRow);
}

/** The intent of a dispute, whose lock every change holds. */
export async function findIntentOf(db: Db, tenant: Tenant, id: string): Promise<string | null> {
  const row = await db.row<{ intent_id: string }>(sql`
    select intent_id from disputes
    where business_id = ${tenant.businessId} and id = ${id} and environment = ${tenant.environment}`);
  return row?.intent_id ?? null;
}

const SHOWN_STATEMENT = pick(STATEMENTS.columns, "number", "side", "text", "createdAt", "erasedAt");
export type ShownStatement = FieldsOf<typeof SHOWN_STATEMENT>;

/** All statements of a dispute, oldest first: few, by their limits. */
export const listStatements = (db: Db, tenant: Tenant, id: string) =>
  db.rows<ShownStatement>(sql`
    select ${selected(SHOWN_STATEMENT, "s")} from dispute_statements s
    where s.business_id = ${tenant.businessId} and s.dispute_id = ${id} order by s.number`);

const SHOWN_QUESTION = pick(QUESTIONS.columns, "number", "text", "askedSide", "askedAt", "until", "erasedAt");
export type ShownQuestion = FieldsOf<typeof SHOWN_QUESTION>;

/** The arbiter's questions in a dispute: two at most. */
export const listQuestions = (db: Db, tenant: Tenant, id: string) =>
  db.rows<ShownQuestion>(sql`
    select ${selected(SHOWN_QUESTION, "q")} from dispute_questions q
    where q.business_id = ${tenant.businessId} and q.dispute_id = ${id} order by q.number`);

/** The operator's words on the reason of a dispute, and whether the shop itself decides it. */
export const findGrounds = (db: Db, { businessId, id }: Pick<Dispute, "businessId" | "id">) =>
  db.row<Grounds>(sql`
    select o.text as "usualOutcome", ${OWN_ARBITER_OF_D} as "ownArbiter"
    from disputes d left join usual_outcomes o on o.reason = d.reason
    where d.business_id = ${businessId} and d.id = ${id}`);
export interface Grounds {
  readonly usualOutcome: string | null;
  readonly ownArbiter: boolean;
}

/** The frozen record of a dispute's ruling, or the time at which it was erased; null without one. */
export async function findRecord(db: Db, tenant: Tenant, dispute: Dispute): Promise<FoundRecord | null> {
  const id = rulingOf(dispute)?.decisionId ?? null;
  if (id === null) return null;
  return db.row<FoundRecord>(sql`
    select record, erased_at as "erasedAt" from dispute_decisions
    where business_id = ${tenant.businessId} and id = ${id}`);
}
interface FoundRecord {
  readonly record: string | null;
  readonly erasedAt: Date | null;
}

const conditions = conditionsOf(LIST_DISPUTES.query);
const OPEN = sql`d.turn <> 'nobody'`;

/** The index that a query's rows lie in by their ids: the column in front of the id with its value, and its rows. */
function indexOf({ status, turn, dueBefore }: DisputeQuery): {
  readonly column: Sql | null;
  readonly value: Sql;
  readonly rows: Sql;
} {
  if (turn !== null && turn !== "nobody") return { column: sql`d.turn`, value: sql`${turn}::text`, rows: OPEN };
  if (status !== null) return { column: sql`d.status`, value: sql`${status}::text`, rows: sql`true` };
  // A dispute that is not open is not due.
  return { column: null, value: sql``, rows: dueBefore === null ? sql`true` : OPEN };
}

/** Below and above every id. */
const [ID_MIN, ID_MAX] = ["", "~"];

/** Newest first; one row more than `limit` says that there is more. */
export async function listDisputes(db: Db, tenant: Tenant, query: DisputeQuery): Promise<Dispute[]> {
  const upward = query.endingBefore !== null;
  const matching = sql`
    d.business_id = ${tenant.businessId} and d.environment = ${tenant.environment} and ${conditions(query)}`;
  const rows = await db.rows<Row>(
    query.payment === null && query.intent === null
      ? pageByIndex(query, matching, upward)
      : // The disputes of an intent are few: they are found first, and then put in their order.
        sql`
    with found as materialized (select d.* from disputes d where ${ofPayments(query)} and ${matching})
    select ${DISPUTE_WITH_PARTS} from found d
    where d.id > ${query.endingBefore ?? ID_MIN}::text and d.id < ${query.startingAfter ?? ID_MAX}::text
    order by d.id ${upward ? sql`` : sql`desc`} limit ${query.limit + 1}::integer`,
  );
  const disputes = rows.map(readDisputeRow);
  return upward ? disputes.reverse() : disputes;
}

/** Each of them selects the rows of an index. */
const ofPayments = ({ payment, intent }: DisputeQuery): Sql =>
  payment === null ? sql`d.intent_id = ${intent}::text` : sql`d.payment_address = ${payment}::text`;

/** Columns and id are compared as one row, for which only the index of both serves. */
function pageByIndex(query: DisputeQuery, matching: Sql, upward: boolean): Sql {
  const { column, value, rows } = indexOf(query);
  const [columns, values] = column === null ? [sql``, sql``] : [sql`${column}, `, sql`${value}, `];
  const cursor = query.startingAfter ?? query.endingBefore;
  const [range, order] = upward
    ? [sql`(${columns}d.id) > (${values}${cursor}::text) and (${columns}d.id) < (${values}${ID_MAX})`, sql`asc`]
    : [
        sql`(${columns}d.id) > (${values}${ID_MIN}) and (${columns}d.id) < (${values}${cursor ?? ID_MAX}::text)`,
        sql`desc`,
      ];
  const ordered = column === null ? sql`` : sql`${column} ${order}, `;
  return sql`
    select ${DISPUTE_WITH_PARTS} from disputes d
    where ${matching} and ${rows} and ${range} order by ${ordered}d.id ${order} limit ${query.limit + 1}::integer`;
}

/** The time at which a dispute is due; null if it is not open. */
async function findDue(db: Db, { businessId }: Tenant, id: string): Promise<Date | null> {
  const row = await db.row<{ due: Date | null }>(sql`
    select ${DUE} as due from disputes d where d.business_id = ${businessId} and d.id = ${id}`);
  return row?.due ?? null;
}

/** Open disputes of a turn, the one that is due first in front. */
export async function listDue(db: Db, tenant: Tenant, query: DisputeQuery): Promise<Dispute[]> {
  const cursor = query.startingAfter;
  const ofTurn = sql`d.business_id = ${tenant.businessId} and d.environment = ${tenant.environment} and d.turn = ${query.turn}::text and ${OPEN}`;
  const after = cursor === null ? null : await findDue(db, tenant, cursor);
  if (cursor !== null && after === null) return [];
  const rows = await db.rows<Row>(sql`
    select ${DISPUTE_WITH_PARTS} from disputes d
    where ${ofTurn} and ${conditions(query)}
      and (d.turn, ${DUE}, d.id) > (${query.turn}::text, ${after ?? "-infinity"}::timestamptz, ${cursor ?? ID_MIN}::text)
    order by d.turn, ${DUE}, d.id limit ${query.limit + 1}::integer`);
  return rows.map(readDisputeRow);
}

/**
 * Disputes that time alone changes, the ones due longest first, without those in `except`. An agreement waits until the
 * chain is read up to its end, since it may have been carried out before.
 */
export const listDueByClock = (db: Db, environment: Environment, except: readonly string[], limit: number) =>
  db.rows<{ businessId: string; id: string }>(sql`
    select d.business_id as "businessId", d.id from disputes d
    where d.environment = ${environment} and d.next_at <= ${statementNow(environment)}
      and (d.status <> 'agreed' or d.next_at < ${watermarkOf(environment)}) and not (d.id = any(${except}::text[]))
    order by d.next_at limit ${limit}::integer`);

/** Writes a change with its event, under the lock of the intent. */
export const saveChange = (db: Db, tenant: Tenant, change: DisputeChange, event: EventDraft) =>
  db.rows(sql`
    with changed_intents as (${moveLastOccurred(tenant, change.after.intentId, event.pendingEvent.occurredAt)}),
    ${recordEvents([event], sql`exists (select from changed_intents)`)}${saveDisputes([change])}
    select sequence from recorded_events`);

/** Sets the waits of disputes that begin from now on. */
export const saveWaits = (db: Db, environment: Environment, { answerDays, decideDays, agreementDays }: Waits) =>
  db.rows(sql`
    insert into dispute_waits (environment, answer_days, decide_days, agreement_days, set_at)
    values (${environment}, ${answerDays}::integer, ${decideDays}::integer, ${agreementDays}::integer, now())
    on conflict (environment) do update set answer_days = excluded.answer_days, decide_days = excluded.decide_days,
      agreement_days = excluded.agreement_days, set_at = excluded.set_at`);
