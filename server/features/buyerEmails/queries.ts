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
import { hasRoom } from "../emails/fragments.ts";
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

/** Locks the notice that has been due longest, while few emails to buyers wait: none is dropped for want of room. */
export const claimNotice = (db: Db, environment: Environment): Promise<ClaimedNotice | null> =>
  db.row<ClaimedNotice>(sql`
    select business_id as "businessId", id, intent_id as "intentId", kind from buyer_notices
    where environment = ${environment} and due_at <= ${statementNow(environment)}
      and ${hasRoom("buyer_update")} and ${hasRoom("buyer_confirmation")}
    order by due_at limit 1 for update skip locked`);

type NoticeKey = Pick<ClaimedNotice, "businessId" | "id">;
export const deleteNotice = (db: Db, { businessId, id }: NoticeKey) =>
  db.rows(sql`delete from buyer_notices where business_id = ${businessId} and id = ${id}::bigint`);
/** Lets a notice wait for the confirmation of its mailbox. */
export const parkNotice = (db: Db, { businessId, id }: NoticeKey) =>
  db.rows(sql`update buyer_notices set due_at = null where business_id = ${businessId} and id = ${id}::bigint`);
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

/** Links an address to its mailbox, whose row stays locked until the transaction ends. */
export async function useMailbox(db: Db, businessId: string, intentId: string, hash: Buffer): Promise<Mailbox> {
  const row = await db.row<Mailbox>(sql`
    insert into buyer_mailboxes (hash) values (${hash}) on conflict (hash) do update set used_at = now() returning ${STATE}`);
  await db.rows(sql`
    update buyer_addresses set mailbox = ${hash}
    where business_id = ${businessId} and intent_id = ${intentId} and mailbox is distinct from ${hash}::bytea`);
  return row!;
}

/** Mailboxes that a business may have asked in a day without an answer. */
export const UNANSWERED_MAX = 500;

/** Counts a request for a confirmation. Returns false if the mailbox or the business had its requests of a day. */
export const countRequest = (db: Db, businessId: string, hash: Buffer): Promise<boolean> =>
  db.has(sql`
    update buyer_mailboxes set asked_at = now(), asked_by = ${businessId}
    where hash = ${hash} and confirmed_at is null and (asked_at is null or asked_at <= now() - interval '1 day')
      and (select count(*) from (
        select from buyer_mailboxes m
        where m.asked_by = ${businessId} and m.asked_at > now() - interval '1 day' and m.confirmed_at is null
        limit ${UNANSWERED_MAX}::integer) m) < ${UNANSWERED_MAX}::integer
    returning hash`);

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
    update buyer_notices set due_at = now() where due_at is null and (business_id, intent_id) in ${withMailbox(hash)}`);

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

/** Enters the address of a paid intent in place of another. What it missed is due, and what waited for another goes. */
export const enterAddress = (db: Db, tenant: Tenant, intentId: string, entered: string, eraseAt: Date) =>
  db.rows(sql`
    with unnoticed as (delete from buyer_notices where business_id = ${tenant.businessId} and intent_id = ${intentId})
    insert into buyer_addresses as a (business_id, intent_id, environment, entered, erase_at)
    values (${tenant.businessId}, ${intentId}, ${tenant.environment}, ${entered}, ${eraseAt})
    on conflict (business_id, intent_id) do update set entered = excluded.entered, mailbox = null`);
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
    unnoticed as (delete from buyer_notices where business_id = ${businessId} and intent_id = ${intentId})
    delete from buyer_addresses where business_id = ${businessId} and intent_id = ${intentId}`);

const PURGED_MAX = 1_000;
/** Deletes notices that were due, or not confirmed, for a week, and mailboxes without a use in 13 months but for those that ended emails. */
export const purgeUnused = (db: Db) =>
  db.rows(sql`
    with untold as (
      delete from buyer_notices where (business_id, id) in (
        select business_id, id from buyer_notices
        where coalesce(due_at, created_at) < now() - interval '7 days' limit ${PURGED_MAX}::integer))
    delete from buyer_mailboxes where hash in (
      select hash from buyer_mailboxes
      where stopped_at is null and used_at < now() - interval '400 days' limit ${PURGED_MAX}::integer)`);
