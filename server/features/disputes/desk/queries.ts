import type { ConflictOfInterest } from "../../../domain/errors.ts";
import { ENVIRONMENTS, type Environment } from "../../../domain/terms.ts";
import { type FieldsOf, type Row, rowReader } from "../../../lib/columns.ts";
import { environmentNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { choose, NOW } from "../../../store/parts.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { jsonReader, jsonRow } from "../../../store/table.ts";
import { sameHash } from "../../../store/textHash.ts";
import { BUSINESS_NAME, policyOf } from "../../businesses/fragments.ts";
import { clusterOf } from "../../chains/chain.ts";
import { CHAIN, TOKEN } from "../../chains/fragments.ts";
import { INTENT_TEXTS } from "../../intents/fragments.ts";
import { KEYS_OF_P } from "../../payments/fragments.ts";
import { DISPUTES, type Dispute, type DisputeReason } from "../dispute.ts";
import { DISPUTE_WITH_PARTS, readDisputeRow } from "../fragments.ts";
import { KEYS_OF_D, OWN_ARBITER } from "../parts/fragments.ts";
import { OPEN_STATUSES } from "./desk.ts";
import { type DeskQuery, FACTS, type LOOSE } from "./schema.ts";

/** The businesses of which a user is a member, or was one within a year. */
const businessesOf = (userId: Sql): Sql => sql`
  select m.business_id from members m where m.user_id = ${userId}
  union
  select f.business_id from former_members f where f.user_id = ${userId} and f.left_at > now() - interval '1 year'`;

const IS_OWN = OWN_ARBITER.of(KEYS_OF_P);

/**
 * Why a user may not decide the dispute `d` of the payment `p`; null if they may. Where the shop itself decides, its
 * members and its recipients are no conflict.
 */
export const conflictOf = (userId: Sql): Sql => sql`(
    case
      when not ${IS_OWN} and exists (
        select from members m where m.business_id = d.business_id and m.user_id = ${userId}) then 'member'
      when not ${IS_OWN} and exists (
        select from former_members f where f.business_id = d.business_id and f.user_id = ${userId}
          and f.left_at > now() - interval '1 year') then 'former_member'
      when exists (
        select from (select business_id, address from saved_recipients
            union all select business_id, address from former_recipients) s
        where s.business_id in (${businessesOf(userId)})
          and (s.address = p.sender or s.address = p.recipient and not ${IS_OWN})) then 'wallet'
    end)`;

const SHOWN = { business: BUSINESS_NAME, token: TOKEN };
const ROW = choose(SHOWN, KEYS_OF_P);
const WHOLE = choose({ ...SHOWN, chain: CHAIN, intent: INTENT_TEXTS, now: NOW }, KEYS_OF_P);

/** What else the desk shows of a dispute `d`: its holder, and the conflict of a user with it. */
const deskColumns = (userId: string): Sql => sql`
  case when h.user_id is not null then json_build_object('id', h.user_id, 'name', u.name) end as "heldBy",
  ${conflictOf(sql`${userId}`)} as conflict`;
interface DeskColumns {
  readonly heldBy: { readonly id: string; readonly name: string } | null;
  readonly conflict: ConflictOfInterest | null;
}

const OF_D: Sql = sql`
  join payments p on p.business_id = d.business_id and p.address = d.payment_address
  left join dispute_holders h on h.business_id = d.business_id and h.dispute_id = d.id and h.ended_at is null
  left join users u on u.id = h.user_id`;

const readRow = rowReader(DISPUTES.columns);
const QUEUE_DATE_OF_ROW: Sql = sql`coalesce(decide_by, resolve_by)`;
const QUEUE_DATE: Sql = sql`coalesce(d.decide_by, d.resolve_by)`;

/**
 * A page of the queue, each status of each environment in the order of its index; one row more than the limit. Null: the
 * cursor is no dispute.
 */
export async function listQueue(
  db: Db,
  userId: string,
  { environment, status, held, dueBefore, limit, startingAfter }: DeskQuery,
) {
  const after = startingAfter === null ? null : await findPlace(db, startingAfter);
  if (startingAfter !== null && after === null) return null;
  const isHeld = sql`(
    ${held}::text is null
    or case ${held}::text
      when 'me' then exists (select from dispute_holders x where x.business_id = d.business_id and x.dispute_id = d.id
        and x.ended_at is null and x.user_id = ${userId})
      when 'nobody' then not exists (select from dispute_holders x where x.business_id = d.business_id and x.dispute_id = d.id
        and x.ended_at is null)
      else exists (select from dispute_holders x where x.business_id = d.business_id and x.dispute_id = d.id
        and x.ended_at is null and x.user_id <> ${userId}) end)`;
  const rows = await db.rows<Row & DeskColumns & { readonly asset: string; readonly now: Date }>(sql`
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
              or (${QUEUE_DATE}, d.id) > (${after?.date ?? "-infinity"}::timestamptz, ${startingAfter ?? ""}::text))
            and (${dueBefore}::timestamptz is null or ${QUEUE_DATE} < ${dueBefore}) and ${isHeld}
          order by ${QUEUE_DATE}, d.id limit ${limit + 1}::integer) d
      order by g.rank, ${QUEUE_DATE}, d.id limit ${limit + 1}::integer)
    select d.*, p.asset, ${deskColumns(userId)}${ROW.columns}
    from page d ${OF_D} ${ROW.keys} order by d.rank, ${QUEUE_DATE}, d.id`);
  return rows.map((row) => {
    const { asset, heldBy, conflict, now } = row;
    const { business, token } = ROW.read(row)!;
    const dispute = readRow(row);
    // No offer is open beside an agreement, so that its end is the next time of the clock.
    const agreedUntil = dispute.status === "agreed" ? dispute.nextAt : null;
    return { ...dispute, agreedUntil, business, asset, decimals: token.decimals, heldBy, conflict, now };
  });
}

const findPlace = (db: Db, id: string) =>
  db.row<{ rank: number; date: string }>(sql`
    select case when d.status in ('deciding', 'agreed') then 0 else 1 end as rank, ${QUEUE_DATE}::text as date
    from disputes d where d.id = ${id}`);

interface Counts {
  readonly merchant: { payments: number; disputes: number; decidedAgainst: number; refunds: number };
  readonly buyer: { payments: number; disputes: number; decidedAgainst: number };
}
/** Counts of decisions on disputes of other businesses with the same reason, by their result. */
interface Comparable {
  readonly decided: number;
  readonly nothing: number;
  readonly part: number;
  readonly all: number;
}

/** Rows of a side that are counted at most. */
const COUNTED_MAX = 1_000;
/** Comparable decisions of a business that are counted at most, and those below which nothing is said. */
const OF_BUSINESS_MAX = 20;
const COMPARABLE_MIN = 5;
const readFacts = jsonReader(FACTS);
const RULING_OF_D = sql`left join dispute_rulings r on r.business_id = d.business_id and r.dispute_id = d.id`;
/** An arbiter chose who gets how much of `p`: a ruling as both sides agreed carries out their choice. */
const IS_DECIDED = sql`(p.outcome = 'resolved' and r.offer_id is null)`;
/** The buyer's part by the ruling, whatever the business gave back later; by the account, while the ruling is not read. */
const DECIDED_TOTAL = sql`coalesce(r.total, p.refund_total)`;

interface DisputeColumns extends DeskColumns {
  readonly facts: Record<string, unknown>;
  readonly refundPolicy: string | null;
  /** The reader's own. */
  readonly note: string | null;
}

/** A dispute by its id alone, for an arbiter. `policyHashOfP`: of the refund policy that the payment `p` names. */
export async function findDeskDispute(
  db: Db,
  { userId, policyHashOfP }: { readonly userId: string; readonly policyHashOfP: Sql },
  id: string,
) {
  const row = await db.row<Row & DisputeColumns>(sql`
    select ${DISPUTE_WITH_PARTS}, ${deskColumns(userId)}, ${jsonRow("p", FACTS)} as facts,
      ${policyOf(sql`p.business_id`, policyHashOfP)} as "refundPolicy",
      (select n.text from dispute_notes n
        where n.business_id = d.business_id and n.dispute_id = d.id and n.user_id = ${userId}) as note${WHOLE.columns}
    from disputes d ${OF_D} ${WHOLE.keys} where d.id = ${id}`);
  const parts = row && WHOLE.read(row);
  if (row === null || parts === null) return null;
  const { heldBy, conflict, refundPolicy, note } = row;
  const { chain, token, intent, ...others } = parts;
  const { programId, operator, genesisHash } = chain;
  const dispute = readDisputeRow(row);
  const facts = readFacts(row.facts);
  return {
    ...others,
    ...{
      dispute,
      heldBy,
      conflict,
      refundPolicy,
      facts,
      genesisHash,
      note,
      asset: facts.asset,
      decimals: token.decimals,
    },
    intentDescription: intent!.description,
    chain: { programId, operator, cluster: clusterOf(genesisHash) },
    /** Both are null where this arbiter has a conflict of interest. */
    history: conflict === null ? await countHistory(db, dispute, facts.sender) : null,
    comparable: conflict === null ? await countComparable(db, dispute) : null,
  };
}
export type DeskDispute = NonNullable<Awaited<ReturnType<typeof findDeskDispute>>>;

/**
 * Counts decisions for the same reason among the last disputes of the environment that ended, of other businesses, a few of each:
 * none of them steers the figures. Null: too few to say.
 */
async function countComparable(db: Db, { businessId, environment, reason }: Dispute): Promise<Comparable | null> {
  const row = await db.row<Comparable>(sql`
    select count(*)::integer as decided, (count(*) filter (where r.total = 0))::integer as nothing,
      (count(*) filter (where r.total > 0 and r.total < r.amount))::integer as part,
      (count(*) filter (where r.total = r.amount))::integer as "all"
    from (
      select ${DECIDED_TOTAL} as total, p.amount,
        row_number() over (partition by d.business_id order by ${QUEUE_DATE} desc, d.id desc) as place
      from (select * from disputes where environment = ${environment} and status = 'closed'
          order by ${QUEUE_DATE_OF_ROW} desc, id desc limit ${COUNTED_MAX}::integer) d
        join payments p on p.business_id = d.business_id and p.address = d.payment_address ${RULING_OF_D}
      where d.reason = ${reason} and d.business_id <> ${businessId} and ${IS_DECIDED}
        and not ${OWN_ARBITER.of(KEYS_OF_D)}) r
    where r.place <= ${OF_BUSINESS_MAX}::integer`);
  return row!.decided < COMPARABLE_MIN ? null : row;
}

/**
 * Counts the payments of both sides. The sums of days count all that went back: a decision or a lapse that moved it is taken away,
 * unless the business gave back more than it.
 */
async function countHistory(db: Db, { businessId, environment }: Dispute, sender: string): Promise<Counts> {
  const counted = sql`count(*) as payments, count(d.id) as disputes`;
  const disputeOfP = sql`left join disputes d on d.business_id = p.business_id and d.payment_address = p.address`;
  const row = await db.row<{ merchant: Counts["merchant"]; buyer: Counts["buyer"] }>(sql`
    select
      (select row_to_json(x) from (
        select
          (select coalesce(sum(t.received_payments), 0) from payment_days t
            where t.business_id = ${businessId} and t.environment = ${environment} and t.day = 'infinity') as payments,
          (select coalesce(sum(t.refunded_payments), 0) from payment_days t
            where t.business_id = ${businessId} and t.environment = ${environment} and t.day = 'infinity')
            - count(*) filter (where p.amount_refunded > 0 and (p.outcome = 'refunded_unresolved'
                or ${IS_DECIDED} and p.refund_total <= ${DECIDED_TOTAL})) as refunds,
          count(*) as disputes,
          count(*) filter (where ${IS_DECIDED} and ${DECIDED_TOTAL} > 0) as "decidedAgainst"
        from (select * from disputes where business_id = ${businessId} and environment = ${environment}
            order by id desc limit ${COUNTED_MAX}::integer) d
          join payments p on p.business_id = d.business_id and p.address = d.payment_address ${RULING_OF_D}) x) as merchant,
      (select row_to_json(x) from (
        select ${counted},
          count(*) filter (where d.id is not null and ${IS_DECIDED} and ${DECIDED_TOTAL} = 0) as "decidedAgainst"
        from (select * from payments where sender = ${sender} and ${sameHash(sql`sender`, sql`${sender}`)}
            and environment = ${environment} order by created_at desc limit ${COUNTED_MAX}::integer) p ${disputeOfP} ${RULING_OF_D}) x) as buyer`);
  return row!;
}

/** The holder of a dispute, its conflict with a user, and its place: what an act on the desk depends on. */
export const findDeskState = (db: Db, userId: string, id: string) =>
  db.row<{
    businessId: string;
    environment: Environment;
    holder: string | null;
    conflict: ConflictOfInterest | null;
    status: Dispute["status"];
  }>(sql`
    select d.business_id as "businessId", d.environment, d.status, ${conflictOf(sql`${userId}`)} as conflict,
      (select h.user_id from dispute_holders h
        where h.business_id = d.business_id and h.dispute_id = d.id and h.ended_at is null) as holder
    from disputes d join payments p on p.business_id = d.business_id and p.address = d.payment_address
    where d.id = ${id}`);

/** Gives a dispute that nobody holds to a user. The unique index decides between two. */
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

/** Returns false if the user does not hold the dispute. */
export const endHolder = (db: Db, { businessId, environment }: DeskPlace, id: string, userId: string) =>
  db.has(sql`
    update dispute_holders set ended_at = ${environmentNow(environment)}
    where business_id = ${businessId} and dispute_id = ${id} and user_id = ${userId} and ended_at is null returning number`);

/** Locks the row of the holder for a decision or a question. Returns false if the user does not hold the dispute. */
export const lockHolder = (db: Db, { businessId }: DeskPlace, id: string, userId: string) =>
  db.has(sql`
    select number from dispute_holders
    where business_id = ${businessId} and dispute_id = ${id} and user_id = ${userId} and ended_at is null for update`);

/**
 * Keeps the note of a user on a dispute in place of the one before, or deletes it (null). Returns false if its texts are erased.
 * The caller holds the lock of the intent.
 */
export const saveNote = (
  db: Db,
  { businessId, environment }: DeskPlace,
  id: string,
  userId: string,
  text: string | null,
) =>
  text === null
    ? db
        .rows(sql`
        delete from dispute_notes where business_id = ${businessId} and dispute_id = ${id} and user_id = ${userId}`)
        .then(() => true)
    : db.has(sql`
        insert into dispute_notes (business_id, dispute_id, user_id, text, noted_at)
        select d.business_id, d.id, ${userId}, ${text}, ${environmentNow(environment)} from disputes d
        where d.business_id = ${businessId} and d.id = ${id} and d.erased_at is null
        on conflict (business_id, dispute_id, user_id) do update set text = excluded.text, noted_at = excluded.noted_at
        returning dispute_id`);

const ARBITERS_MAX = 100;

export const listArbiters = (db: Db) =>
  db.rows<{ id: string; name: string; holds: number }>(sql`
    select u.id, u.name, (
      select count(*)::integer from dispute_holders h
        join disputes d on d.business_id = h.business_id and d.id = h.dispute_id
      where h.user_id = u.id and h.ended_at is null and d.status in ('talking', 'deciding', 'agreed')) as holds
    from users u where u.is_arbiter order by u.name, u.id limit ${ARBITERS_MAX}::integer`);

export const isArbiter = (db: Db, userId: string): Promise<boolean> =>
  db.has(sql`select id from users where id = ${userId} and is_arbiter`);

const LOOSE_MAX = 100;

/** Disputed payments under the operator without an order, those that lapse first in front. */
export const listLoose = (db: Db) =>
  db.rows<FieldsOf<typeof LOOSE>>(sql`
    select u.environment, u.address as payment, i.business_id as business, u.sender, u.recipient, u.amount::text as total,
      u.asset, u.disputed_at as "openedAt", u.disputed_at + interval '2160 hours' as "resolveBy"
    from unmatched_payments u left join intents i
      on i.payment_id = case when u.payment_id < 9223372036854775808 then u.payment_id::bigint end
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
