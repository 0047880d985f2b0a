import { hashStaffSecret, newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Environment } from "../../../domain/terms.ts";
import { statementNow } from "../../../store/clock.ts";
import type { Database, Db } from "../../../store/database.ts";
import { tryTransactionLock } from "../../../store/locks.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { queueEmails } from "../../emails/fragments.ts";
import { NEWS_SECONDS } from "../notices/queries.ts";
import type { ProvablePayment } from "../proof/queries.ts";

/** The address of a buyer's emails about a dispute (§16.8). */
export interface StoredAddress {
  /** Encrypted; null: it was entered before addresses were, and stands in `plain`. */
  readonly sealed: string | null;
  readonly plain: string | null;
}

export type DisputeKey = Pick<ProvablePayment, "businessId" | "disputeId">;

export const findAddress = (db: Db, { businessId, disputeId }: DisputeKey) =>
  db.row<StoredAddress & { readonly isConfirmed: boolean }>(sql`
    select sealed, email as plain, confirmed_at is not null as "isConfirmed" from dispute_addresses
    where business_id = ${businessId} and dispute_id = ${disputeId} and coalesce(email, sealed) is not null`);

/** A session that changes an address. `isFresh`: it proved the wallet just now. */
export interface ChangingSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly isFresh: boolean;
}

/** An address that is confirmed, or that a newer session entered, is changed by the wallet alone, not by a cookie's thief. */
const mayChange = ({ createdAt, isFresh }: ChangingSession): Sql => sql`
  (${isFresh}::boolean or (a.confirmed_at is null and a.session_created_at <= ${createdAt}::timestamptz))`;

/** True if the session needs a new proof to change the address. */
export const needsProof = (db: Db, { businessId, disputeId }: DisputeKey, session: ChangingSession): Promise<boolean> =>
  db.has(sql`
    select true from dispute_addresses a
    where business_id = ${businessId} and dispute_id = ${disputeId} and not ${mayChange(session)}`);

/** Links that one session has sent in a day, those to one address, and the disputes that one address is entered in. */
const LINKS_OF_SESSION_MAX = 3;
const LINKS_OF_ADDRESS_MAX = 15;
const DISPUTES_OF_ADDRESS_MAX = 5;

/** An address, encrypted, and the hash of its mailbox. */
export interface SealedAddress {
  readonly sealed: string;
  readonly mailbox: Buffer;
}

/**
 * Enters an address in place of another, and queues the email with its link. Returns false beyond the limits of the session
 * or of the address, so that nobody can flood an address with links. Each of its disputes has a first link a day.
 */
export const setAddress = (
  database: Database,
  { businessId, disputeId }: DisputeKey,
  session: ChangingSession,
  { sealed, mailbox }: SealedAddress,
): Promise<boolean> =>
  database.transaction(async (db) => {
    // Links to one address at the same moment would not count each other.
    if (!(await tryTransactionLock(db, `dispute address ${mailbox.toString("hex")}`, false))) return false;
    const entered = await db.row<{ disputeId: string }>(sql`
      with sent as (
        insert into dispute_links (business_id, dispute_id, session_id, mailbox)
        select ${businessId}, ${disputeId}::text, ${session.id}, ${mailbox}
        from (select count(*) as links, count(*) filter (where (business_id, dispute_id) = (${businessId}, ${disputeId}::text)) as own,
            count(distinct dispute_id) filter (where (business_id, dispute_id) <> (${businessId}, ${disputeId}::text)) as others
          from dispute_links where mailbox = ${mailbox} and sent_at > now() - interval '1 day') a
        where (a.links < ${LINKS_OF_ADDRESS_MAX}::integer or a.own = 0) and a.others < ${DISPUTES_OF_ADDRESS_MAX}::integer and (
          select count(*) from dispute_links
          where business_id = ${businessId} and dispute_id = ${disputeId}::text and session_id = ${session.id}
            and sent_at > now() - interval '1 day') < ${LINKS_OF_SESSION_MAX}::integer
        returning business_id, dispute_id)
      insert into dispute_addresses as a (business_id, dispute_id, sealed, mailbox, changed_at, session_created_at)
      select business_id, dispute_id, ${sealed}, ${mailbox}, now(), ${session.createdAt}::timestamptz from sent
      on conflict (business_id, dispute_id) do update set
        email = null, sealed = excluded.sealed, mailbox = excluded.mailbox,
        changed_at = now(), confirmed_at = null, link_hash = null,
        session_created_at = greatest(a.session_created_at, excluded.session_created_at)
      where ${mayChange(session)}
      returning a.dispute_id as "disputeId"`);
    if (entered === null) return false;
    const facts = { ...entered, businessId, mailbox: mailbox.toString("hex") };
    // The address is found again when the email is sent, and stands in no row of its own.
    await queueEmails(db, [{ kind: "address_link", recipient: entered.disputeId, source: entered.disputeId, facts }]);
    return true;
  });

/** Confirms the address by the secret of its link, for a day. Returns false if it is another's, or has ended. */
export const confirmAddress = (db: Db, { businessId, disputeId }: DisputeKey, secret: string): Promise<boolean> =>
  db.has(sql`
    update dispute_addresses set confirmed_at = coalesce(confirmed_at, now())
    where business_id = ${businessId} and dispute_id = ${disputeId} and coalesce(email, sealed) is not null
      and link_hash = decode(${hashStaffSecret(secret)}, 'hex') and changed_at > now() - interval '1 day'
    returning dispute_id`);

export const removeAddress = (
  db: Db,
  { businessId, disputeId }: DisputeKey,
  session: ChangingSession,
): Promise<unknown> =>
  db.rows(sql`
    update dispute_addresses a set email = null, sealed = null, mailbox = null, confirmed_at = null, link_hash = null
    where business_id = ${businessId} and dispute_id = ${disputeId} and ${mayChange(session)}`);

interface RenewedLink extends StoredAddress {
  readonly payment: string;
  readonly intentId: string;
}

/**
 * Makes the secret of an address's link, in place of an earlier one. Returns it with the payment and the address; null if
 * the dispute has another address by now, or this one is confirmed. `mailbox` null: the email was queued before addresses
 * were encrypted, and goes to the one that the dispute has.
 */
export async function renewLink(
  db: Db,
  { businessId, disputeId }: DisputeKey,
  mailbox: string | null,
): Promise<(RenewedLink & { readonly secret: string }) | null> {
  const secret = newStaffSecret();
  const row = await db.row<RenewedLink>(sql`
    update dispute_addresses a set link_hash = decode(${hashStaffSecret(secret)}, 'hex')
    from disputes d
    where d.business_id = a.business_id and d.id = a.dispute_id and a.business_id = ${businessId}
      and a.dispute_id = ${disputeId} and coalesce(a.mailbox = decode(${mailbox}, 'hex'), ${mailbox}::text is null)
      and coalesce(a.email, a.sealed) is not null and a.confirmed_at is null
    returning d.payment_address as payment, d.intent_id as "intentId", a.sealed, a.email as plain`);
  return row && { ...row, secret };
}

interface ClaimedDispute {
  readonly businessId: string;
  readonly disputeId: string;
  readonly intentId: string;
  readonly payment: string;
}

/** Finds a dispute whose buyer has news, and counts an email to them: the next is a quarter of an hour later. */
export const claimDispute = (db: Db, environment: Environment): Promise<ClaimedDispute | null> =>
  db.row<ClaimedDispute>(sql`
    update dispute_addresses a set next_at = now() + make_interval(secs => ${NEWS_SECONDS}::integer)
    from disputes d
    where d.business_id = a.business_id and d.id = a.dispute_id
      and (a.business_id, a.dispute_id) = (
        select w.business_id, w.dispute_id from dispute_addresses w
          join dispute_notices n on n.business_id = w.business_id and n.dispute_id = w.dispute_id
        where w.confirmed_at is not null and w.next_at <= now() and n.side = 'buyer' and n.environment = ${environment}
          and coalesce(n.due_at, n.created_at) <= ${statementNow(environment)}
        order by w.next_at limit 1 for update of w skip locked)
    returning a.business_id as "businessId", a.dispute_id as "disputeId", d.intent_id as "intentId",
      d.payment_address as payment`);

/** Query: disputes with due news for a buyer, for which no address was entered. */
export const dueForBuyers = (environment: Environment): Sql => sql`
  select distinct d.business_id, d.id as dispute_id, d.intent_id, d.payment_address as payment
  from dispute_notices n join disputes d on d.business_id = n.business_id and d.id = n.dispute_id
  where n.side = 'buyer' and n.environment = ${environment}
    and coalesce(n.due_at, n.created_at) <= ${statementNow(environment)}
    and not exists (
      select from dispute_addresses w
      where w.business_id = n.business_id and w.dispute_id = n.dispute_id and coalesce(w.email, w.sealed) is not null)`;

/** Deletes the addresses of disputes that closed a month ago, those that nobody confirmed within two days, and counted links. */
export const purgeAddresses = (db: Db): Promise<unknown> =>
  db.rows(sql`
    with old_links as (
      delete from dispute_links where ctid = any(array(
        select ctid from dispute_links where sent_at < now() - interval '2 days' limit 1000)))
    delete from dispute_addresses where ctid = any(array(
      select a.ctid from dispute_addresses a join disputes d on d.business_id = a.business_id and d.id = a.dispute_id
      where (a.confirmed_at is null and a.changed_at < now() - interval '2 days')
        or (d.status = 'closed' and d.closed_at < now() - interval '30 days' and a.changed_at < now() - interval '30 days')
      limit 1000))`);

interface PlainAddress {
  readonly businessId: string;
  readonly disputeId: string;
  readonly email: string;
}

const SEALED_MAX = 100;
/** Addresses of before they were encrypted. */
export const listPlainAddresses = (db: Db): Promise<PlainAddress[]> =>
  db.rows<PlainAddress>(sql`
    select business_id as "businessId", dispute_id as "disputeId", email from dispute_addresses
    where email is not null limit ${SEALED_MAX}::integer`);

/** Encrypts an address of before, unless it was changed meanwhile. */
export const sealPlainAddress = (
  db: Db,
  { businessId, disputeId, email }: PlainAddress,
  { sealed, mailbox }: SealedAddress,
) =>
  db.rows(sql`
    update dispute_addresses set email = null, sealed = ${sealed}, mailbox = ${mailbox}
    where business_id = ${businessId} and dispute_id = ${disputeId} and email = ${email}`);

interface ResealedAddress {
  readonly businessId: string;
  readonly disputeId: string;
  readonly sealed: string;
}

const RESEALED_MAX = 1_000;
/** The addresses whose sealed text does not begin with `prefix`. */
export async function* eachSealed(db: Db, prefix: string): AsyncGenerator<ResealedAddress> {
  let after: Omit<ResealedAddress, "sealed"> | undefined = { businessId: "", disputeId: "" };
  while (after) {
    const rows: ResealedAddress[] = await db.rows(sql`
      select business_id as "businessId", dispute_id as "disputeId", sealed from dispute_addresses
      where (business_id, dispute_id) > (${after.businessId}, ${after.disputeId})
        and sealed is not null and not starts_with(sealed, ${prefix})
      order by business_id, dispute_id limit ${RESEALED_MAX}::integer`);
    yield* rows;
    after = rows.length === RESEALED_MAX ? rows.at(-1) : undefined;
  }
}

/** Replaces a sealed address, unless it was changed meanwhile. */
export const replaceSealed = (db: Db, { businessId, disputeId, sealed: before }: ResealedAddress, sealed: string) =>
  db.rows(sql`
    update dispute_addresses set sealed = ${sealed}
    where business_id = ${businessId} and dispute_id = ${disputeId} and sealed = ${before}`);
