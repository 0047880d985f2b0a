import { ERASED } from "../../domain/buyerAddress.ts";
import type { Tenant } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";
import { statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { needed } from "../../store/parts.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { BUSINESS } from "../businesses/fragments.ts";
import { TOKEN } from "../chains/fragments.ts";
import type { BuyerNotice } from "../emails/email.ts";
import { countWaiting, hasRoom } from "../emails/fragments.ts";
import { eraseBuyerEmails, intentReader, replaceSealedEmail, sealedEmailOf } from "../intents/fragments.ts";
import { PRIMARY } from "../payments/fragments.ts";
import { ADDRESS } from "./fragments.ts";

/** The intent of a notice or an address, with all that an email tells. The id establishes the business. */
export const readAddressed = intentReader({
  business: needed(BUSINESS),
  token: TOKEN,
  payment: PRIMARY,
  address: needed(ADDRESS),
});
/** An intent with its payment. */
export const readPaid = intentReader({ payment: PRIMARY });
/** An intent with its business, whose languages it speaks. */
export const readSpoken = intentReader({ business: needed(BUSINESS) });
export type Spoken = Pick<Awaited<ReturnType<typeof readSpoken>>[number], "intent" | "business">;
/** The languages that an intent asks for. */
export const languagesOf = ({ intent, business }: Spoken) => ({ locale: intent.locale, business: business.locale });
export type Addressed = Awaited<ReturnType<typeof readAddressed>>[number];

export const findSealedSecret = async (db: Db): Promise<string | null> =>
  (await db.row<{ sealed: string }>(sql`select sealed from mailbox_secret`))?.sealed ?? null;
export const insertSecret = (db: Db, sealed: string) =>
  db.rows(sql`insert into mailbox_secret (sealed) values (${sealed}) on conflict do nothing`);
export const resealSecret = (db: Db, before: string, sealed: string) =>
  db.rows(sql`update mailbox_secret set sealed = ${sealed} where sealed = ${before}`);

/** A sealed address of an intent: the merchant's, or the one that was entered. */
interface SealedAddress {
  readonly businessId: string;
  readonly intentId: string;
  readonly by: "entered" | "merchant";
  readonly sealed: string;
}

const RESEALED_MAX = 1_000;
/** The addresses whose sealed text does not begin with `prefix`. */
export async function* eachSealedAddress(db: Db, prefix: string): AsyncGenerator<SealedAddress> {
  let after: Omit<SealedAddress, "sealed"> | undefined = { businessId: "", intentId: "", by: "entered" };
  while (after) {
    const rows: SealedAddress[] = await db.rows(sql`
      select a.business_id as "businessId", a.intent_id as "intentId", s.by, s.sealed from buyer_addresses a
        cross join lateral (values ('entered', a.entered), ('merchant', ${sealedEmailOf(sql`a.business_id`, sql`a.intent_id`)})) s (by, sealed)
      where (a.business_id, a.intent_id) >= (${after.businessId}, ${after.intentId})
        and (a.business_id, a.intent_id, s.by) > (${after.businessId}, ${after.intentId}, ${after.by}::text)
        and s.sealed <> ${ERASED} and not starts_with(s.sealed, ${prefix})
      order by a.business_id, a.intent_id, s.by limit ${RESEALED_MAX}::integer`);
    yield* rows;
    after = rows.length === RESEALED_MAX ? rows.at(-1) : undefined;
  }
}

/** Replaces a sealed address, unless it was changed meanwhile. */
export const replaceSealed = (db: Db, { businessId, intentId, by, sealed: before }: SealedAddress, sealed: string) =>
  db.rows(
    by === "merchant"
      ? replaceSealedEmail(businessId, intentId, before, sealed)
      : sql`
        update buyer_addresses set entered = ${sealed}
        where business_id = ${businessId} and intent_id = ${intentId} and entered = ${before}`,
  );

export interface ClaimedNotice {
  readonly businessId: string;
  readonly id: string;
  readonly intentId: string;
  readonly kind: BuyerNotice;
}

/** What causes emails to buyers: a business in an environment. */
export const sourceOf = (environment: Environment, businessId: string): string => `${environment} ${businessId}`;

/**
 * Locks the notice that has been due longest, of a source of which the fewest emails wait. A source without room waits
 * alone: none of its emails is dropped.
 */
export const claimNotice = (db: Db, environment: Environment): Promise<ClaimedNotice | null> => {
  const source = sql`${sourceOf(environment, "")}::text || s.business_id`;
  return db.row<ClaimedNotice>(sql`
    with recursive sources as (
      (select business_id from buyer_notices where environment = ${environment} and due_at is not null
        order by business_id limit 1)
      union all
      select (
        select n.business_id from buyer_notices n
        where n.environment = ${environment} and n.due_at is not null and n.business_id > s.business_id
        order by n.business_id limit 1)
      from sources s where s.business_id is not null)
    select n.business_id as "businessId", n.id, n.intent_id as "intentId", n.kind from sources s
      cross join lateral (
        select id from buyer_notices d
        where d.environment = ${environment} and d.business_id = s.business_id and d.due_at <= ${statementNow(environment)}
        order by d.due_at limit 1) due
      cross join lateral (
        select ${countWaiting("buyer_update", source)} as updates, ${countWaiting("buyer_confirmation", source)} as requests) w
      join buyer_notices n on n.business_id = s.business_id and n.id = due.id
    where n.due_at is not null
      and ${hasRoom("buyer_update", sql`w.updates`)} and ${hasRoom("buyer_confirmation", sql`w.requests`)}
    order by w.updates + w.requests, random() limit 1 for update of n skip locked`);
};

/** Deletes the notices of an intent, of one kind or all, but for one that is being followed elsewhere: that finds its address gone. */
const deleteNotices = (businessId: string, intentId: string, kind: BuyerNotice | null = null): Sql => sql`
  delete from buyer_notices where (business_id, id) in (
    select business_id, id from buyer_notices
    where business_id = ${businessId} and intent_id = ${intentId} and kind = coalesce(${kind}, kind)
    for update skip locked)`;

type NoticeKey = Pick<ClaimedNotice, "businessId" | "id">;
/** Deletes a notice, and those that would tell the same: an email tells what holds when it is sent. */
export const deleteNotice = (db: Db, { businessId, intentId, kind }: ClaimedNotice) =>
  db.rows(deleteNotices(businessId, intentId, kind));
/** Lets a notice wait for the confirmation of its mailbox. */
export const parkNotice = (db: Db, { businessId, id }: NoticeKey) =>
  db.rows(sql`update buyer_notices set due_at = null where business_id = ${businessId} and id = ${id}::bigint`);
/** Lets a notice wait for the next day's request for a confirmation. */
export const postponeRequest = (db: Db, environment: Environment, { businessId, id }: NoticeKey) =>
  db.rows(sql`
    update buyer_notices set due_at = ${statementNow(environment)} + interval '1 day'
    where business_id = ${businessId} and id = ${id}::bigint`);
/** Puts a notice behind the others, whose address cannot be opened now. */
export const postponeNotice = (db: Db, { businessId, id }: NoticeKey) =>
  db.rows(sql`
    update buyer_notices set due_at = greatest(due_at, now()) + interval '10 minutes'
    where business_id = ${businessId} and id = ${id}::bigint`);

export interface Mailbox {
  readonly isConfirmed: boolean;
  readonly isStopped: boolean;
}
const STATE = sql`confirmed_at is not null as "isConfirmed", stopped_at is not null as "isStopped"`;

/** Locks the row of a mailbox until the transaction ends. */
const lockMailbox = (db: Db, hash: Buffer) =>
  db.row<Mailbox>(sql`
    insert into buyer_mailboxes (hash) values (${hash}) on conflict (hash) do update set used_at = now() returning ${STATE}`);

/** Links an address to its mailbox, whose row stays locked until the transaction ends. Null: it was replaced or erased. */
export async function useMailbox(db: Db, { intent, address }: Addressed, hash: Buffer): Promise<Mailbox | null> {
  const row = await lockMailbox(db, hash);
  const isLinked = await db.has(sql`
    update buyer_addresses set mailbox = ${hash}
    where business_id = ${intent.businessId} and intent_id = ${intent.id} and entered is not distinct from ${address.entered}
    returning intent_id`);
  return isLinked ? row : null;
}

/** Mailboxes that a business may have asked in a day without an answer. */
export const UNANSWERED_MAX = 500;
/**
 * The same of addresses that were entered, which may be anybody's: they use up none of the others. So few never fill what may
 * wait of a business, wherever they go.
 */
export const ENTERED_MAX = 50;

/** The one that asks a mailbox, with its requests of a day. */
const askerOf = ({ intent, address }: Addressed) =>
  address.entered === null
    ? { name: intent.businessId, max: UNANSWERED_MAX }
    : { name: `${intent.businessId} entered`, max: ENTERED_MAX };
/** The mailbox itself was not asked, but one with a plus. */
const BY_PLUS = "";

/** True if a mailbox was asked since a notice was written. */
export const wasAsked = (db: Db, { businessId, id }: NoticeKey, hash: Buffer): Promise<boolean> =>
  db.has(sql`
    select true from buyer_notices n join buyer_mailboxes m on m.asked_at >= n.created_at and m.asked_by <> ${BY_PLUS}
    where n.business_id = ${businessId} and n.id = ${id}::bigint and m.hash = ${hash}`);

/**
 * Counts a request for a confirmation to an unconfirmed mailbox, whose row is locked. Returns false if its person, or the one
 * that asks, had the requests of a day.
 */
export async function countRequest(db: Db, addressed: Addressed, hash: Buffer, person: Buffer): Promise<boolean> {
  const { name, max } = askerOf(addressed);
  await lockMailbox(db, person);
  const hashes = sql`(${hash}, ${person})`;
  const asked = await db.rows(sql`
    update buyer_mailboxes m set asked_at = now(), asked_by = case m.hash when ${hash} then ${name} else ${BY_PLUS} end
    where m.hash in ${hashes}
      and not exists (select from buyer_mailboxes b where b.hash in ${hashes} and b.asked_at > now() - interval '1 day')
      and (select count(*) from (
        select from buyer_mailboxes b
        where b.asked_by = ${name} and b.asked_at > now() - interval '1 day' and b.confirmed_at is null
        limit ${max}::integer) b) < ${max}::integer
    returning m.hash`);
  return asked.length > 0;
}

/** Emails about payments that a business sends to a mailbox in a day. */
export const DAILY_MAX = 20;

/** Counts an email about a payment. Returns false if the business had those of a day. */
export const countUpdate = (db: Db, businessId: string, hash: Buffer): Promise<boolean> =>
  db.has(sql`
    insert into buyer_email_days as d (business_id, mailbox) values (${businessId}, ${hash})
    on conflict (business_id, mailbox) do update set
      emails = case when d.since > now() - interval '1 day' then d.emails + 1 else 1 end,
      since = case when d.since > now() - interval '1 day' then d.since else now() end
    where d.emails < ${DAILY_MAX}::integer or d.since <= now() - interval '1 day'
    returning mailbox`);

/** The state of a mailbox; null if nothing was ever sent to it, or not for long. */
export const findMailbox = (db: Db, hash: Buffer): Promise<Mailbox | null> =>
  db.row<Mailbox>(sql`select ${STATE} from buyer_mailboxes where hash = ${hash}`);

const withMailbox = (hash: Buffer): Sql => sql`
  (select a.business_id, a.intent_id from buyer_addresses a where a.mailbox = ${hash})`;

/** Confirms a mailbox, also one that had ended emails, and locks it: what waited is woken by a later statement. */
export const confirmMailbox = (db: Db, hash: Buffer) =>
  db.rows(sql`
    insert into buyer_mailboxes as m (hash, confirmed_at) values (${hash}, now())
    on conflict (hash) do update set confirmed_at = coalesce(m.confirmed_at, now()), stopped_at = null`);
export const wakeNotices = (db: Db, hash: Buffer) =>
  db.rows(sql`
    update buyer_notices set due_at = now() where (business_id, id) in (
      -- The one that is being followed waits for this mailbox, and finds it confirmed.
      select business_id, id from buyer_notices
      where (due_at is null or kind = 'paid') and (business_id, intent_id) in ${withMailbox(hash)} for update skip locked)`);

/** Ends all emails to a mailbox, and locks it: its addresses are erased by a later statement, wherever they are. */
export const stopMailbox = (db: Db, hash: Buffer) =>
  db.rows(sql`
    insert into buyer_mailboxes as m (hash, stopped_at) values (${hash}, now())
    on conflict (hash) do update set stopped_at = coalesce(m.stopped_at, now()), confirmed_at = null`);
export const eraseMailbox = (db: Db, hash: Buffer) =>
  db.rows(sql`
    with unsealed as (${eraseBuyerEmails(withMailbox(hash))}),
    unnoticed as (
      delete from buyer_notices where (business_id, id) in (
        -- The one that is being followed waits for this mailbox, and finds it stopped.
        select business_id, id from buyer_notices
        where (business_id, intent_id) in ${withMailbox(hash)} for update skip locked))
    delete from buyer_addresses where mailbox = ${hash}`);

/** An address that a buyer entered, encrypted, with the hash of its mailbox. */
interface Entered {
  readonly sealed: string;
  readonly hash: Buffer;
  readonly eraseAt: Date;
}

/** Enters the address of a paid intent. Returns false if it has one whose mailbox is confirmed. */
export const enterAddress = (db: Db, tenant: Tenant, intentId: string, { sealed, hash, eraseAt }: Entered) =>
  db.has(sql`
    insert into buyer_addresses as a (business_id, intent_id, environment, entered, mailbox, erase_at)
    values (${tenant.businessId}, ${intentId}, ${tenant.environment}, ${sealed}, ${hash}, ${eraseAt})
    on conflict (business_id, intent_id) do update set entered = excluded.entered, mailbox = excluded.mailbox
    where not exists (select from buyer_mailboxes m where m.hash = a.mailbox and m.confirmed_at is not null)
    returning intent_id`);
/** Deletes the notices that waited for an address that was replaced. */
export const forgetNotices = (db: Db, { businessId }: Tenant, intentId: string) =>
  db.rows(deleteNotices(businessId, intentId));
export const addPaidNotices = (db: Db, { businessId }: Tenant, intentId: string) =>
  db.rows(sql`select add_buyer_notices(${businessId}, ${intentId}, null, array['paid', 'deadline'])`);

const ERASED_MAX = 200;
/** Locks addresses whose day of erasure has come, or is to be found anew. */
export const listErasable = (db: Db, environment: Environment): Promise<{ readonly intentId: string }[]> =>
  db.rows(sql`
    select intent_id as "intentId" from buyer_addresses
    where environment = ${environment} and erase_at <= ${statementNow(environment)}
    order by erase_at limit ${ERASED_MAX}::integer for update skip locked`);
export const hasMoreErasable = (rows: readonly unknown[]): boolean => rows.length === ERASED_MAX;

export const moveErasure = (db: Db, { businessId }: Tenant, intentId: string, eraseAt: Date) =>
  db.rows(sql`
    update buyer_addresses set erase_at = ${eraseAt} where business_id = ${businessId} and intent_id = ${intentId}`);
export const eraseAddress = (db: Db, { businessId }: Tenant, intentId: string) =>
  db.rows(sql`
    with unsealed as (${eraseBuyerEmails(sql`(select ${businessId}::text, ${intentId}::text)`)}),
    unnoticed as (${deleteNotices(businessId, intentId)})
    delete from buyer_addresses where business_id = ${businessId} and intent_id = ${intentId}`);

const PURGED_MAX = 1_000;
/** Deletes notices that waited for too long, counts of a day that is over, and mailboxes without a use in 13 months but for those that ended emails. */
export const purgeUnused = (db: Db) =>
  db.rows(sql`
    with untold as (
      delete from buyer_notices where (business_id, id) in (
        select business_id, id from buyer_notices where kept_until < now() limit ${PURGED_MAX}::integer)),
    uncounted as (
      delete from buyer_email_days where (business_id, mailbox) in (
        select business_id, mailbox from buyer_email_days
        where since <= now() - interval '1 day' limit ${PURGED_MAX}::integer for update skip locked))
    delete from buyer_mailboxes where hash in (
      select hash from buyer_mailboxes
      where stopped_at is null and used_at < now() - interval '400 days' limit ${PURGED_MAX}::integer)`);
