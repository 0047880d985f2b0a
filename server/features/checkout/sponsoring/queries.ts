import type { SponsorLimits } from "../../../chain/sponsor.ts";
import type { Environment } from "../../../domain/terms.ts";
import { type FieldsOf, omit, pick, text, word } from "../../../lib/columns.ts";
import type { Database, Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { columnNames, columnValues, fieldRows, selected } from "../../../store/table.ts";
import type { Intent } from "../../intents/intent.ts";
import {
  OFFER_MS,
  type Outlay,
  SPONSORED_OF_INTENT_MAX,
  SPONSORED_OF_SENDER_MAX,
  SPONSORSHIP_KEY,
  SPONSORSHIPS,
  type Sponsorship,
  totalOf,
} from "./sponsorship.ts";

/** An intent that a sponsor pays for: its payment, or an action on the payment `actedOn`. */
export interface SponsoredIntent extends Pick<Intent, "businessId" | "id" | "environment"> {
  readonly actedOn?: string;
}

export interface NewSponsorship
  extends Pick<Sponsorship, "id" | "sponsor" | "sender" | "payment" | "action" | "built"> {
  /** The sponsor's signature and the bytes with it; null if the buyer signs first. */
  readonly signed: { readonly transaction: string; readonly signature: string } | null;
  readonly outlay: Outlay;
}

type SponsorLimit = "intent" | "sender" | "hour" | "day" | "bound" | "business" | "unsigned";

const total = sql`(s.fee_lamports + s.record_lamports + s.vault_lamports)`;
const OFFER_SECONDS = OFFER_MS / 1_000;

/**
 * Ends sponsorships and subtracts their lamports from the sums. `ended`: rows of sponsorships (business_id, intent_id,
 * id, status) with their new status.
 */
const settle = (environment: Environment, ended: Sql): Sql => sql`
  with given as materialized (${ended}),
  changed as (
    update sponsorships s set
      status = g.status,
      ended_at = case when g.status <> 'landed' then now() end,
      due_at = case when g.status = 'landed' then now() end
    from given g
    where s.business_id = g.business_id and s.intent_id = g.intent_id and s.id = g.id and s.status <> g.status and s.ended_at is null
    returning s.*),
  sums as (
    select b.hour as of_hour, b.day as of_day,
      -- Lamports that were never spent are free again, in the hour and day in which they were counted.
      coalesce(sum(s.unspent) filter (where date_trunc('hour', s.created_at, 'UTC') = b.hour), 0) as hour,
      coalesce(sum(s.unspent) filter (where date_trunc('day', s.created_at, 'UTC') = b.day), 0) as day,
      coalesce(sum(s.unbound), 0) as unbound, coalesce(sum(s.lost), 0) as lost
    from sponsor_budgets b, (
      select s.created_at,
        case s.status when 'expired' then ${total} when 'failed' then s.record_lamports + s.vault_lamports else 0 end as unspent,
        case s.status
          when 'landed' then s.fee_lamports + s.tombstone_lamports
          when 'returned' then s.record_lamports - s.tombstone_lamports
          else ${total} end as unbound,
        case s.status
          when 'landed' then s.fee_lamports + s.tombstone_lamports
          when 'failed' then s.fee_lamports
          else 0 end as lost
      from changed s) s
    where b.environment = ${environment}
    group by b.hour, b.day),
  counted as (
    update sponsor_budgets b set
      hour_lamports = greatest(b.hour_lamports - case when b.hour = u.of_hour then u.hour else 0 end, 0),
      day_lamports = greatest(b.day_lamports - case when b.day = u.of_day then u.day else 0 end, 0),
      bound_lamports = b.bound_lamports - u.unbound, lost_lamports = b.lost_lamports + u.lost
    from sums u where b.environment = ${environment})
  select id from changed`;

/** The shares into which limits are divided, at most: with more businesses, each may still use one share. */
const SHARES_MAX = 4;
/** The fraction of the hour's limit that may wait for buyers to sign: anyone can have a sponsor sign first. */
const UNSIGNED_SHARE = 10;

/** The lamports that the sponsorship `s` uses of the limits of an hour and a day. Lamports that were never spent are free again. */
const spent = sql`(case s.status when 'expired' then 0 when 'failed' then s.fee_lamports else ${total} end)`;
/** The lamports of the sponsorship `s` that may come back or may still be spent. */
const bound = sql`(case s.status when 'landed'
  then s.record_lamports - s.tombstone_lamports + case when s.vault_returned then 0 else s.vault_lamports end else ${total} end)`;

/** True if a sponsorship is of an action on the payment, or, for none, of the making of one. */
const isAbout = (actedOn: string | undefined): Sql =>
  actedOn === undefined ? sql`action is null` : sql`(action is not null and payment = ${actedOn})`;

/**
 * CTEs of a statement: `judged` names the limit that one more sponsorship would reach, with the sums. Payments that
 * wait for a buyer's signature count for no intent and no sender, since strangers can request them in their names.
 */
const judge = (
  { businessId, id, environment, actedOn }: SponsoredIntent,
  { sender, lamports, presigned }: { readonly sender: string; readonly lamports: bigint; readonly presigned: boolean },
  limits: SponsorLimits,
): Sql => sql`
  clock as materialized (select clock_timestamp() as at),
  budget as (
    select c.at, greatest(b.hour, date_trunc('hour', c.at, 'UTC')) as hour, greatest(b.day, date_trunc('day', c.at, 'UTC')) as day,
      ${lamports}::bigint + case when b.hour >= date_trunc('hour', c.at, 'UTC') then b.hour_lamports else 0 end as of_hour,
      ${lamports}::bigint + case when b.day >= date_trunc('day', c.at, 'UTC') then b.day_lamports else 0 end as of_day,
      ${lamports}::bigint + b.bound_lamports as bound
    from sponsor_budgets b, clock c where b.environment = ${environment}),
  own as (
    select coalesce(sum(${spent}) filter (where s.created_at >= b.hour), 0) + ${lamports}::bigint as of_hour,
      coalesce(sum(${spent}), 0) + ${lamports}::bigint as of_day,
      (select count(*) from (select 1 from businesses limit ${SHARES_MAX}::integer) n) as shares,
      (select coalesce(sum(${bound}), 0) + ${lamports}::bigint from sponsorships s
        where s.business_id = ${businessId} and s.environment = ${environment} and s.ended_at is null and s.counted) as bound
    from budget b left join sponsorships s on s.business_id = ${businessId} and s.environment = ${environment} and s.counted
      and s.created_at >= least(b.day, b.hour)),
  judged as (
    select b.*, case
      when (select count(*) from sponsorships
        where business_id = ${businessId} and intent_id = ${id} and ${isAbout(actedOn)} and status <> 'expired' and counted
          and not (presigned and status = 'signed')) >= ${SPONSORED_OF_INTENT_MAX}::integer then 'intent'
      when (select count(*) from sponsorships
        where environment = ${environment} and sender = ${sender} and (action is null) = ${actedOn === undefined}::boolean
          and status <> 'expired' and counted
          and not (presigned and status = 'signed')
          and (created_at > b.at - interval '1 day' or (ended_at is null and not vault_returned)))
        >= ${SPONSORED_OF_SENDER_MAX}::integer then 'sender'
      when b.of_hour > ${limits.hourMax}::bigint then 'hour'
      when b.of_day > ${limits.dayMax}::bigint then 'day'
      -- The first may always wait, however low the hour's limit is: the sum of no rows is null.
      when ${presigned}::boolean and (select (sum(${total}) + ${lamports}::bigint) * ${UNSIGNED_SHARE}::integer from sponsorships s
        where s.environment = ${environment} and s.presigned and s.status = 'signed') > ${limits.hourMax}::bigint then 'unsigned'
      -- An action binds nothing once it has landed. A shop that uses up its share keeps no buyer from a dispute.
      when ${actedOn !== undefined}::boolean then null
      when b.bound > ${limits.boundMax}::bigint then 'bound'
      when o.of_hour * o.shares > ${limits.hourMax}::bigint or o.of_day * o.shares > ${limits.dayMax}::bigint
        or o.bound * o.shares > ${limits.boundMax}::bigint then 'business'
      end as reached
    from budget b, own o)`;

/** Counts a sponsorship that `judged` allows. */
const countJudged = (environment: Environment): Sql => sql`
  counted as (
    update sponsor_budgets b set
      hour = j.hour, hour_lamports = j.of_hour, day = j.day, day_lamports = j.of_day, bound_lamports = j.bound
    from judged j where b.environment = ${environment} and j.reached is null)`;

/** Locks the environment's row, so that statements that count run one after the other and never exceed a limit together. */
const lockBudget = (db: Db, environment: Environment) =>
  db.rows(sql`select environment from sponsor_budgets where environment = ${environment} for update`);

const NEW_COLUMNS = omit(SPONSORSHIPS.columns, "createdAt", "until", "dueAt");
const newNames = columnNames(NEW_COLUMNS);
const newValues = columnValues(NEW_COLUMNS);

const insertJudged = (intent: SponsoredIntent, { signed, outlay, ...wanted }: NewSponsorship): Sql => {
  const values = newValues({
    ...wanted,
    businessId: intent.businessId,
    intentId: intent.id,
    environment: intent.environment,
    status: signed === null ? "offered" : "signed",
    signed: signed?.transaction ?? null,
    signature: signed?.signature ?? null,
    counted: signed !== null,
    presigned: signed !== null,
    feeLamports: outlay.fee,
    recordLamports: outlay.record,
    vaultLamports: outlay.vault,
    tombstoneLamports: outlay.tombstone,
  });
  return sql`
    insert into sponsorships (${newNames}, created_at, until, due_at)
    select ${values}, j.at, j.at + make_interval(secs => ${OFFER_SECONDS}::integer),
      j.at + make_interval(secs => ${signed === null ? OFFER_SECONDS : CHECK_SECONDS}::integer)
    from judged j where j.reached is null`;
};

/**
 * Stores an offer that its buyer signs first, or returns the limit that is reached. Nothing is reserved: anyone may
 * ask for an offer in anyone's name.
 */
export async function saveOffer(
  db: Db,
  intent: SponsoredIntent,
  wanted: NewSponsorship,
  limits: SponsorLimits,
): Promise<SponsorLimit | null> {
  const asked = { sender: wanted.sender, lamports: totalOf(wanted.outlay), presigned: false };
  const row = await db.row<{ reached: SponsorLimit | null }>(sql`
    with ${judge(intent, asked, limits)},
      made as (${insertJudged(intent, wanted)})
    select reached from judged`);
  return row!.reached;
}

/**
 * Reserves the lamports that a sponsor may spend on a payment it signs first, before the signature leaves the service,
 * or returns the limit that is reached.
 */
export const reserve = (
  database: Database,
  intent: SponsoredIntent,
  wanted: NewSponsorship,
  limits: SponsorLimits,
): Promise<SponsorLimit | null> =>
  database.transaction(async (db) => {
    await lockBudget(db, intent.environment);
    const asked = { sender: wanted.sender, lamports: totalOf(wanted.outlay), presigned: true };
    const row = await db.row<{ reached: SponsorLimit | null }>(sql`
      with ${judge(intent, asked, limits)},
        ${countJudged(intent.environment)},
        made as (${insertJudged(intent, wanted)})
      select reached from judged`);
    return row!.reached;
  });

const OPEN_COLUMNS = pick(SPONSORSHIPS.columns, "id", "sponsor", "built", "signed");
interface OpenSponsorship extends FieldsOf<typeof OPEN_COLUMNS> {
  readonly outlayMax: bigint;
}

/** The message of a transaction in base64 begins after the count of signatures and two of them, 129 bytes. */
const MESSAGE_AT = 173;

/**
 * The transaction that a sponsor offered to a buyer for an intent, or signed, while it may still land: the one that
 * the buyer signed, else the last. Strangers can request more offers in the buyer's name.
 */
export async function findOpenSponsorship(
  db: Db,
  { businessId, id, environment, actedOn }: SponsoredIntent,
  sender: string,
  transaction: string,
): Promise<OpenSponsorship | null> {
  const row = await db.row<Omit<OpenSponsorship, "outlayMax"> & { lamports: string }>(sql`
    select ${selected(OPEN_COLUMNS, "s")}, ${total} as lamports from sponsorships s
    where s.business_id = ${businessId} and s.intent_id = ${id} and s.environment = ${environment} and s.sender = ${sender}
      and ${isAbout(actedOn)} and s.status in ('offered', 'signed') and s.until > now()
    order by substr(s.built, ${MESSAGE_AT}::integer) = substr(${transaction}::text, ${MESSAGE_AT}::integer) desc, s.created_at desc, s.id desc
    limit 1`);
  if (row === null) return null;
  const { lamports, ...open } = row;
  return { ...open, outlayMax: BigInt(lamports) };
}

/**
 * Stores the one signature of an offer and reserves its cost before it leaves the service, or returns the limit that
 * is reached. "over": it was signed meanwhile, or its time is over.
 */
export const saveSigned = (
  database: Database,
  intent: SponsoredIntent,
  { id, sender, lamports }: { readonly id: string; readonly sender: string; readonly lamports: bigint },
  signed: { readonly transaction: string; readonly signature: string },
  limits: SponsorLimits,
): Promise<SponsorLimit | "over" | null> =>
  database.transaction(async (db) => {
    const { businessId, environment } = intent;
    await lockBudget(db, environment);
    const offer = sql`business_id = ${businessId} and intent_id = ${intent.id} and id = ${id} and status = 'offered' and until > now()`;
    const open = await db.row<{ counted: boolean }>(sql`select counted from sponsorships where ${offer} for update`);
    if (open === null) return "over";
    // A process of an older version counted it when it was offered.
    const judging = open.counted
      ? sql`judged as (select clock_timestamp() as at, null::text as reached)`
      : sql`${judge(intent, { sender, lamports, presigned: false }, limits)}, ${countJudged(environment)}`;
    const row = await db.row<{ reached: SponsorLimit | null }>(sql`
      with ${judging},
        signed as (
          update sponsorships s set status = 'signed', counted = true, signed = ${signed.transaction}, signature = ${signed.signature},
            created_at = case when s.counted then s.created_at else j.at end,
            until = now() + make_interval(secs => ${OFFER_SECONDS}::integer), due_at = now() + make_interval(secs => ${CHECK_SECONDS}::integer)
          from judged j where s.business_id = ${businessId} and s.intent_id = ${intent.id} and s.id = ${id} and j.reached is null)
      select reached from judged`);
    return row!.reached;
  });

/** The time between checks of a signature that may land. */
const CHECK_SECONDS = 5;

const SIGNED_COLUMNS = { ...SPONSORSHIP_KEY, signature: word(), signed: text() };
export type SignedSponsorship = FieldsOf<typeof SIGNED_COLUMNS>;

/** Claims due signatures of sponsors. The row's `due_at` is the lease. */
export const claimSigned = (db: Db, environment: Environment, limit: number): Promise<SignedSponsorship[]> =>
  db.rows<SignedSponsorship>(sql`
    with due as (
      select business_id, intent_id, id from sponsorships
      where environment = ${environment} and status = 'signed' and due_at <= now()
      order by due_at limit ${limit}::integer for update skip locked)
    update sponsorships s set due_at = now() + make_interval(secs => ${CHECK_SECONDS}::integer)
    from due d where s.business_id = d.business_id and s.intent_id = d.intent_id and s.id = d.id
    returning ${selected(SIGNED_COLUMNS, "s")}`);

const END_COLUMNS = { ...SPONSORSHIP_KEY, status: SPONSORSHIPS.columns.status };
const endRows = fieldRows("e", END_COLUMNS);
export type SponsorshipEnd = FieldsOf<typeof END_COLUMNS> & { readonly status: "landed" | "failed" | "expired" };

/** Records the results of signatures. Returns the number that changed. */
export async function saveOutcomes(db: Db, environment: Environment, ends: readonly SponsorshipEnd[]): Promise<number> {
  const rows = await db.rows(settle(environment, sql`select * from ${endRows(ends)}`));
  return rows.length;
}

/** Ends offers that were not signed in time, and subtracts the counted ones from the sums. Returns the number. */
export async function expireOffers(db: Db, environment: Environment, limit: number): Promise<number> {
  const forgotten = await db.rows(sql`
    delete from sponsorships where (business_id, intent_id, id) in (
      select business_id, intent_id, id from sponsorships
      where environment = ${environment} and status = 'offered' and not counted and due_at <= now() and until <= now()
      order by due_at limit ${limit}::integer for update skip locked)
    returning id`);
  const rows = await db.rows(
    settle(
      environment,
      sql`select business_id, intent_id, id, 'expired'::sponsorship_status as status from sponsorships
        where environment = ${environment} and status = 'offered' and counted and due_at <= now() and until <= now()
        order by due_at limit ${limit}::integer for update skip locked`,
    ),
  );
  return Math.max(forgotten.length, rows.length);
}

/** The times between checks of a payment with an open vault, and of one whose record has yet to be closed. */
const OPEN_CHECK_SECONDS = 60;
const RECORD_CHECK_SECONDS = 3_600;

/** Counts rents that came back, by the books of payments. Returns the number of checked payments. */
export async function returnRents(db: Db, environment: Environment, limit: number): Promise<number> {
  const rows = await db.rows<FieldsOf<typeof SPONSORSHIP_KEY> & { is_closed: boolean | null }>(sql`
    with due as (
      select s.business_id, s.intent_id, s.id, s.vault_returned as was_returned,
        -- An action has no rents: it is over as soon as its fee is booked.
        s.action is not null or coalesce(p.status in ('released', 'refunded'), false) as is_paid_out,
        -- A record that the keeper gave up keeps its refusal, and its rent.
        s.action is not null or (p.status in ('released', 'refunded') and p.keeper_done and p.keeper_refusal is null) as is_closed
      from sponsorships s
      left join payments p on p.business_id = s.business_id and p.address = s.payment
      where s.environment = ${environment} and s.status = 'landed' and s.due_at <= now()
      order by s.due_at limit ${limit}::integer for update of s skip locked),
    changed as (
      update sponsorships s set vault_returned = d.was_returned or d.is_paid_out,
        due_at = now() + make_interval(secs =>
          case when d.was_returned or d.is_paid_out then ${RECORD_CHECK_SECONDS}::integer else ${OPEN_CHECK_SECONDS}::integer end)
      from due d where s.business_id = d.business_id and s.intent_id = d.intent_id and s.id = d.id
      returning s.business_id, s.intent_id, s.id, d.is_closed, s.vault_lamports, s.vault_returned and not d.was_returned as is_back),
    counted as (
      update sponsor_budgets b set bound_lamports = b.bound_lamports - v.lamports
      from (select coalesce(sum(vault_lamports), 0) as lamports from changed where is_back) v
      where b.environment = ${environment} and v.lamports > 0)
    select ${selected(SPONSORSHIP_KEY, "c")}, c.is_closed from changed c`);
  const closed = rows.filter((row) => row.is_closed).map((row) => ({ ...row, status: "returned" as const }));
  if (closed.length > 0) await db.rows(settle(environment, sql`select * from ${endRows(closed)}`));
  return rows.length;
}

/** Deletes offers a day after they expired: no signature of theirs can land. Returns the number. */
export async function pruneExpired(db: Db, environment: Environment, limit: number): Promise<number> {
  const rows = await db.rows(sql`
    delete from sponsorships where (business_id, intent_id, id) in (
      select business_id, intent_id, id from sponsorships
      where environment = ${environment} and status = 'expired' and ended_at < now() - interval '1 day'
      order by ended_at limit ${limit}::integer)
    returning id`);
  return rows.length;
}
