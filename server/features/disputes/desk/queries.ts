import type { ConflictOfInterest } from "../../../domain/errors.ts";
import { ENVIRONMENTS, type Environment } from "../../../domain/terms.ts";
import { type FieldsOf, type Row, rowReader } from "../../../lib/columns.ts";
import { environmentNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { jsonReader, jsonRow } from "../../../store/table.ts";
import { sameHash } from "../../../store/textHash.ts";
import { type Cluster, clusterOf } from "../../chains/chain.ts";
import { DISPUTES, type Dispute, type DisputeReason } from "../dispute.ts";
import { DISPUTE_WITH_PARTS, OWN_ARBITER_OF_D, readDisputeRow } from "../fragments.ts";
import { OPEN_STATUSES } from "./desk.ts";
import { type DeskQuery, FACTS, type LOOSE } from "./schema.ts";

/** The businesses of which a user is a member, or was one within a year. */
const businessesOf = (userId: Sql): Sql => sql`
  select m.business_id from members m where m.user_id = ${userId}
  union
  select f.business_id from former_members f where f.user_id = ${userId} and f.left_at > now() - interval '1 year'`;

/**
 * Why a user may not decide the dispute `d` of the payment `p`; null if they may. Where the shop itself decides, its
 * members and its recipients are no conflict.
 */
export const conflictOf = (userId: Sql): Sql => sql`(
    case
      when not ${OWN_ARBITER_OF_D} and exists (
        select from members m where m.business_id = d.business_id and m.user_id = ${userId}) then 'member'
      when not ${OWN_ARBITER_OF_D} and exists (
        select from former_members f where f.business_id = d.business_id and f.user_id = ${userId}
          and f.left_at > now() - interval '1 year') then 'former_member'
      when exists (
        select from (select business_id, address from saved_recipients
            union all select business_id, address from former_recipients) s
        where s.business_id in (${businessesOf(userId)})
          and (s.address = p.sender or s.address = p.recipient and not ${OWN_ARBITER_OF_D})) then 'wallet'
    end)`;

/** The sides of the payment `p` that an arbiter of the dispute `d` must not be paid by, or pay to. */
export const SIDES: Sql = sql`case when ${OWN_ARBITER_OF_D} then array[p.sender] else array[p.sender, p.recipient] end`;

/** Those of these addresses that are, or were, recipients of a business of the user in this cell. */
export async function listOwnWallets(db: Db, userId: string, addresses: readonly string[]): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(sql`
    select distinct s.address from (select business_id, address from saved_recipients
      union all select business_id, address from former_recipients) s
    where s.business_id in (${businessesOf(sql`${userId}`)}) and s.address = any(${addresses}::text[])`);
  return rows.map(({ address }) => address);
}

const DESK_COLUMNS = (userId: string): Sql => sql`
  json_build_object('id', b.id, 'name', b.name) as business, p.asset, k.decimals, h.user_id as "heldBy",
  ${conflictOf(sql`${userId}`)} as conflict, ${SIDES} as sides`;

const OF_D: Sql = sql`
  join businesses b on b.id = d.business_id
  join payments p on p.business_id = d.business_id and p.address = d.payment_address
  left join known_assets k on k.environment = d.environment and k.address = p.asset
  left join dispute_holders h on h.business_id = d.business_id and h.dispute_id = d.id and h.ended_at is null`;

/** What the desk adds to the row of a case. */
interface DeskParts {
  readonly business: { readonly id: string; readonly name: string };
  readonly asset: string;
  readonly decimals: number | null;
  /** The id of the arbiter. */
  readonly heldBy: string | null;
  /** By what this cell knows of the arbiter. */
  readonly conflict: ConflictOfInterest | null;
  readonly sides: readonly string[];
  readonly now: Date;
}

/** The place of a case in the queue. `date`: microseconds since 1970. */
export interface QueuePlace {
  readonly rank: number;
  readonly date: number;
  readonly id: string;
}
export type QueueRow = FieldsOf<typeof DISPUTES.columns> & DeskParts & { readonly place: QueuePlace };

const readRow = rowReader(DISPUTES.columns);
const QUEUE_DATE: Sql = sql`coalesce(d.decide_by, d.resolve_by)`;
/** The same in microseconds, which a number holds exactly. */
const QUEUE_MICROS: Sql = sql`(extract(epoch from ${QUEUE_DATE}) * 1000000)::float8`;
const RANK_OF_D: Sql = sql`case when d.status in ('deciding', 'agreed') then 0 else 1 end`;

/**
 * The cases of the cell's queue after a place, each status of each environment in the order of its index; one row more than
 * the limit.
 */
export async function listQueue(
  db: Db,
  userId: string,
  { environment, status, held, dueBefore, limit }: Omit<DeskQuery, "startingAfter">,
  after: QueuePlace | null,
): Promise<QueueRow[]> {
  const isHeld = sql`(
    ${held}::text is null
    or case ${held}::text
      when 'me' then exists (select from dispute_holders x where x.business_id = d.business_id and x.dispute_id = d.id
        and x.ended_at is null and x.user_id = ${userId})
      when 'nobody' then not exists (select from dispute_holders x where x.business_id = d.business_id and x.dispute_id = d.id
        and x.ended_at is null)
      else exists (select from dispute_holders x where x.business_id = d.business_id and x.dispute_id = d.id
        and x.ended_at is null and x.user_id <> ${userId}) end)`;
  const rows = await db.rows<Row & DeskParts & { readonly place: QueuePlace }>(sql`
    with page as (
      select d.*, g.rank, g.now
      from (
        select e as environment, s as status, case when s in ('deciding', 'agreed') then 0 else 1 end as rank,
          date_trunc('milliseconds', clock_timestamp()) + c.ahead as now
        from unnest(${environment === null ? [...ENVIRONMENTS] : [environment]}::text[]) e
          join clocks c on c.environment = e
          cross join unnest(${status === null ? [...OPEN_STATUSES] : [status]}::text[]) s) g
        cross join lateral (
          select d.* from disputes d
          where d.environment = g.environment and d.status = g.status and g.rank >= ${after?.rank ?? 0}::integer
            and (g.rank > ${after?.rank ?? -1}::integer
              or (${QUEUE_DATE}, d.id) > (to_timestamp(0) + ${after?.date ?? 0}::float8 * interval '1 microsecond', ${after?.id ?? ""}::text))
            and (${dueBefore}::timestamptz is null or ${QUEUE_DATE} < ${dueBefore}) and ${isHeld}
          order by ${QUEUE_DATE}, d.id limit ${limit + 1}::integer) d
      order by g.rank, ${QUEUE_DATE}, d.id limit ${limit + 1}::integer)
    select d.*, ${DESK_COLUMNS(userId)}, json_build_object('rank', d.rank, 'date', ${QUEUE_MICROS}, 'id', d.id) as place
    from page d ${OF_D} order by d.rank, ${QUEUE_DATE}, d.id`);
  return rows.map((row) => {
    const { business, asset, decimals, heldBy, conflict, sides, now, place } = row;
    return { ...readRow(row), business, asset, decimals, heldBy, conflict, sides, now, place };
  });
}

export const findPlace = (db: Db, id: string): Promise<QueuePlace | null> =>
  db.row<QueuePlace>(
    sql`select ${RANK_OF_D} as rank, ${QUEUE_MICROS} as date, d.id from disputes d where d.id = ${id}`,
  );

export interface Counts {
  readonly merchant: { payments: number; disputes: number; decidedAgainst: number; refunds: number };
  readonly buyer: { payments: number; disputes: number; decidedAgainst: number };
}
export interface DeskCase extends DeskParts {
  readonly dispute: Dispute;
  readonly intentDescription: string | null;
  readonly facts: FieldsOf<typeof FACTS>;
  readonly chain: { readonly programId: string; readonly operator: string; readonly cluster: Cluster | null };
  readonly genesisHash: string;
}

/** Rows of a side that are counted at most. */
const COUNTED_MAX = 1_000;
const readFacts = jsonReader(FACTS);

interface CaseColumns {
  readonly facts: Record<string, unknown>;
  readonly intentDescription: string | null;
  readonly programId: string;
  readonly operator: string;
  readonly genesisHash: string;
}

/** A case by its id alone, for an arbiter. */
export async function findDeskCase(db: Db, userId: string, id: string): Promise<DeskCase | null> {
  const row = await db.row<Row & DeskParts & CaseColumns>(sql`
    select ${DISPUTE_WITH_PARTS}, ${DESK_COLUMNS(userId)}, i.description as "intentDescription",
      g.program_id as "programId", g.operator, g.genesis_hash as "genesisHash",
      ${jsonRow("p", FACTS)} as facts, date_trunc('milliseconds', clock_timestamp()) + c.ahead as now
    from disputes d ${OF_D}
      join intents i on i.business_id = d.business_id and i.id = d.intent_id
      join clocks c on c.environment = d.environment
      join chains g on g.environment = d.environment
    where d.id = ${id}`);
  if (row === null) return null;
  const { business, asset, decimals, heldBy, conflict, sides, now, intentDescription, programId, operator } = row;
  const { genesisHash } = row;
  const chain = { programId, operator, cluster: clusterOf(genesisHash) };
  const dispute = readDisputeRow(row);
  const facts = readFacts(row.facts);
  return {
    dispute,
    business,
    asset,
    decimals,
    heldBy,
    conflict,
    sides,
    now,
    intentDescription,
    facts,
    chain,
    genesisHash,
  };
}

/** The history of both sides of a case. */
export async function countHistory(db: Db, { businessId, environment }: Dispute, sender: string): Promise<Counts> {
  const counted = sql`count(*) as payments, count(d.id) as disputes`;
  const disputeOfP = sql`left join disputes d on d.business_id = p.business_id and d.payment_address = p.address`;
  const row = await db.row<{ merchant: Counts["merchant"]; buyer: Counts["buyer"] }>(sql`
    select
      (select row_to_json(x) from (
        select
          (select coalesce(sum(t.received_payments), 0) from payment_days t
            where t.business_id = ${businessId} and t.environment = ${environment} and t.day = 'infinity') as payments,
          (select coalesce(sum(t.refunded_payments), 0) from payment_days t
            where t.business_id = ${businessId} and t.environment = ${environment} and t.day = 'infinity') as refunds,
          count(*) as disputes,
          count(*) filter (where p.outcome = 'resolved' and p.refund_total > 0) as "decidedAgainst"
        from (select * from disputes where business_id = ${businessId} and environment = ${environment}
            order by id desc limit ${COUNTED_MAX}::integer) d
          join payments p on p.business_id = d.business_id and p.address = d.payment_address) x) as merchant,
      (select row_to_json(x) from (
        select ${counted},
          count(*) filter (where d.id is not null and p.outcome = 'resolved' and p.refund_total = 0) as "decidedAgainst"
        from (select * from payments where sender = ${sender} and ${sameHash(sql`sender`, sql`${sender}`)}
            and environment = ${environment} order by created_at desc limit ${COUNTED_MAX}::integer) p ${disputeOfP}) x) as buyer`);
  return row!;
}

/** The holder of a case, its conflict with a user, and its place: what an act on the desk depends on. */
export const findDeskState = (db: Db, userId: string, id: string) =>
  db.row<{
    businessId: string;
    environment: Environment;
    holder: string | null;
    conflict: ConflictOfInterest | null;
    sides: readonly string[];
    status: Dispute["status"];
  }>(sql`
    select d.business_id as "businessId", d.environment, d.status, ${conflictOf(sql`${userId}`)} as conflict, ${SIDES} as sides,
      (select h.user_id from dispute_holders h
        where h.business_id = d.business_id and h.dispute_id = d.id and h.ended_at is null) as holder
    from disputes d join payments p on p.business_id = d.business_id and p.address = d.payment_address
    where d.id = ${id}`);

/** Gives a case that nobody holds to a user. The unique index decides between two. */
export const insertHolder = (db: Db, { businessId, environment }: DeskPlace, id: string, userId: string) =>
  db.has(sql`
    insert into dispute_holders (business_id, dispute_id, number, user_id, held_at)
    select ${businessId}, ${id}, coalesce(max(h.number), 0) + 1, ${userId}, ${environmentNow(environment)}
    from dispute_holders h where h.business_id = ${businessId} and h.dispute_id = ${id}
    on conflict do nothing returning number`);

interface DeskPlace {
  readonly businessId: string;
  readonly environment: Environment;
}

/** Returns false if the user does not hold the case. */
export const endHolder = (db: Db, { businessId, environment }: DeskPlace, id: string, userId: string) =>
  db.has(sql`
    update dispute_holders set ended_at = ${environmentNow(environment)}
    where business_id = ${businessId} and dispute_id = ${id} and user_id = ${userId} and ended_at is null returning number`);

/** Locks the row of the holder for a decision or a question. Returns false if the user does not hold the case. */
export const lockHolder = (db: Db, { businessId }: DeskPlace, id: string, userId: string) =>
  db.has(sql`
    select number from dispute_holders
    where business_id = ${businessId} and dispute_id = ${id} and user_id = ${userId} and ended_at is null for update`);

/** The ids of users who hold cases. */
export const listHolders = (db: Db, limit: number) =>
  db.rows<{ userId: string }>(sql`
    select distinct user_id as "userId" from dispute_holders where ended_at is null limit ${limit}::integer`);

/** The open cases that each of these users holds. */
export const countHeld = (db: Db, userIds: readonly string[]) =>
  db.rows<{ userId: string; holds: number }>(sql`
    select h.user_id as "userId", count(*)::integer as holds
    from dispute_holders h join disputes d on d.business_id = h.business_id and d.id = h.dispute_id
    where h.user_id = any(${userIds}::text[]) and h.ended_at is null and d.status in ('talking', 'deciding', 'agreed')
    group by h.user_id`);

/** Puts the cases that users hold back into the queue. */
export const endHolds = (db: Db, userIds: readonly string[]) =>
  db.rows(sql`
    update dispute_holders h set ended_at = date_trunc('milliseconds', clock_timestamp()) + c.ahead
    from disputes d join clocks c on c.environment = d.environment
    where h.user_id = any(${userIds}::text[]) and h.ended_at is null and d.business_id = h.business_id and d.id = h.dispute_id`);

/** True if the cell has the case, whosever it is. */
export const hasDispute = (db: Db, id: string): Promise<boolean> =>
  db.has(sql`select id from disputes where id = ${id}`);

export const LOOSE_MAX = 100;

/** Disputed payments under the operator without an order, those that lapse first in front. */
export const listLoose = (db: Db) =>
  db.rows<FieldsOf<typeof LOOSE>>(sql`
    select u.environment, u.address as payment, i.business_id as business, u.sender, u.recipient, u.amount::text as total,
      u.asset, u.disputed_at as "openedAt", u.disputed_at + interval '2160 hours' as "resolveBy"
    from unmatched_payments u left join payment_ids i on i.payment_id = u.payment_id::numeric
    where u.status = 'disputed' and u.outcome is null
    order by u.disputed_at, u.address limit ${LOOSE_MAX}::integer`);

export const listOutcomes = (db: Db) =>
  db.rows<{ reason: DisputeReason; text: string }>(sql`select reason, text from usual_outcomes order by reason`);

export const saveOutcome = (db: Db, reason: DisputeReason, text: string) =>
  db.rows(sql`
    insert into usual_outcomes (reason, text, set_at) values (${reason}, ${text}, now())
    on conflict (reason) do update set text = excluded.text, set_at = excluded.set_at`);

export const dropOutcome = (db: Db, reason: DisputeReason) =>
  db.rows(sql`delete from usual_outcomes where reason = ${reason}`);

/** Says from now on, by the clock of each environment, whether a business decides its disputes itself. False: there is no such business. */
export async function saveOwnArbiter(db: Db, businessId: string, isOwn: boolean): Promise<boolean> {
  const rows = await db.rows(sql`
    insert into own_arbiters (business_id, environment, since, is_own)
    select b.id, c.environment, date_trunc('milliseconds', clock_timestamp()) + c.ahead, ${isOwn}
    from businesses b cross join clocks c where b.id = ${businessId}
    on conflict (business_id, environment, since) do update set is_own = excluded.is_own returning business_id`);
  return rows.length > 0;
}
