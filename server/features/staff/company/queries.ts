import type { Role } from "../../../domain/roles.ts";
import { hashStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { CONFIRM_SECONDS, CONFIRMED_SECONDS_MAX, FLOW_SECONDS, type GroupRole } from "../provider/company.ts";

/** The purposes for which a browser goes to the provider. */
export type FlowPurpose = "company_sign_in" | "company_link" | "company_proof";

/** The user and the session that link or prove; a sign-in has none. */
export interface FlowOwner {
  readonly userId: string;
  readonly sessionId: string;
}

/** Records that a browser goes to the provider, by the secret of its cookie. */
export const insertFlow = (db: Db, secret: string, purpose: FlowPurpose, owner: FlowOwner | null): Promise<unknown> =>
  db.rows(sql`
    insert into one_time_secrets (hash, purpose, user_id, session_id, expires_at)
    values (decode(${hashStaffSecret(secret)}, 'hex'), ${purpose}, ${owner?.userId ?? null}, ${owner?.sessionId ?? null},
      now() + make_interval(secs => ${FLOW_SECONDS}::integer))`);

interface TakenFlow {
  readonly purpose: FlowPurpose;
  readonly userId: string | null;
  readonly sessionId: string | null;
  readonly startedAt: Date;
  readonly now: Date;
}

/** Uses up a flow. Null if it is unknown, used or expired. Of parallel calls, one gets it. */
export const takeFlow = (db: Db, secret: string): Promise<TakenFlow | null> =>
  db.row<TakenFlow>(sql`
    delete from one_time_secrets
    where hash = decode(${hashStaffSecret(secret)}, 'hex') and starts_with(purpose, 'company_') and expires_at > now()
    returning purpose, user_id as "userId", session_id as "sessionId",
      expires_at - make_interval(secs => ${FLOW_SECONDS}::integer) as "startedAt", now() as now`);

/** The user whom a person of the provider signs in as; null: there is none. */
export async function findLinkedUser(db: Db, issuer: string, subject: string): Promise<string | null> {
  const row = await db.row<{ userId: string }>(
    sql`select user_id as "userId" from company_identities where issuer = ${issuer} and subject = ${subject}`,
  );
  return row?.userId ?? null;
}

/** Links a person of the provider to a user. Returns false if either is linked already. */
export const insertIdentity = (db: Db, issuer: string, subject: string, userId: string): Promise<boolean> =>
  db.has(sql`
    insert into company_identities (issuer, subject, user_id, confirmed_at) values (${issuer}, ${subject}, ${userId}, now())
    on conflict do nothing returning user_id`);

/** Removes every link of a user, and so ends the sessions that began by one. Returns false if there is none. */
export const deleteIdentities = (db: Db, userId: string): Promise<boolean> =>
  db.has(sql`delete from company_identities where user_id = ${userId} returning user_id`);

export const confirmIdentity = (db: Db, issuer: string, subject: string): Promise<unknown> =>
  db.rows(sql`update company_identities set confirmed_at = now() where issuer = ${issuer} and subject = ${subject}`);

/** Locks the business to the end of the transaction, so that changes of its members run in turn. Returns false if there is none. */
export const lockBusiness = (db: Db, businessId: string): Promise<boolean> =>
  db.has(sql`select id from businesses where id = ${businessId} for no key update`);

/** Those of these ids that are of no business. */
export const listMissingBusinesses = async (db: Db, ids: readonly string[]): Promise<string[]> =>
  (
    await db.rows<{ id: string }>(sql`
      select named.id from unnest(${[...ids]}::text[]) named (id)
      where not exists (select from businesses b where b.id = named.id)`)
  ).map(({ id }) => id);

export interface Membership {
  readonly businessId: string;
  readonly role: Role;
  readonly byGroup: boolean;
}

/** The memberships of a user that groups gave, and those in these businesses. */
export const listGroupMemberships = (db: Db, userId: string, businessIds: readonly string[]): Promise<Membership[]> =>
  db.rows<Membership>(sql`
    select business_id as "businessId", role, by_group as "byGroup" from members
    where user_id = ${userId} and (by_group or business_id = any(${[...businessIds]}::text[]))
    order by business_id`);

/** Gives a role by a group. A role that a person gave stays as it is. */
export const giveGroupRole = (db: Db, businessId: string, userId: string, role: GroupRole): Promise<unknown> =>
  db.rows(sql`
    insert into members as m (business_id, user_id, role, by_group, created_at) values (${businessId}, ${userId}, ${role}, true, now())
    on conflict (business_id, user_id) do update set role = excluded.role where m.by_group`);

export const takeGroupRole = (db: Db, businessId: string, userId: string): Promise<unknown> =>
  db.rows(sql`delete from members where business_id = ${businessId} and user_id = ${userId} and by_group`);

/** Revokes the open invitations that a user made. */
export const revokeInvitationsOf = (db: Db, businessId: string, userId: string) =>
  db.rows<{ id: string; email: string; role: string }>(sql`
    update invitations set revoked_at = now()
    where business_id = ${businessId} and invited_by = ${userId} and accepted_at is null and revoked_at is null
    returning id, email, role`);

/** True if a provider confirmed a user within the time for which it keeps a session open. */
export const isConfirmed = (db: Db, userId: string): Promise<boolean> =>
  db.has(sql`
    select true from company_identities
    where user_id = ${userId} and confirmed_at > now() - make_interval(secs => ${CONFIRMED_SECONDS_MAX}::integer) limit 1`);

/** A session whose person the provider is to confirm. */
export interface DueSession extends FlowOwner {
  readonly issuer: string;
  readonly subject: string;
  readonly token: string;
  readonly isOperator: boolean;
  /** True if an earlier claim did not end with a confirmation, so that its new token may be lost. */
  readonly isRepeat: boolean;
  /** The time of the question, by the database. */
  readonly askedAt: Date;
}

/** Time after which a claimed session that nobody confirmed is due again. */
const RETRY_SECONDS = 60;

/** Claims sessions that are due; those of another worker are left out. */
export const claimDueSessions = (db: Db, limit: number): Promise<DueSession[]> =>
  db.rows<DueSession>(sql`
    update sessions s set company_due_at = now() + make_interval(secs => ${RETRY_SECONDS}::integer)
    from (
      select hash, company_due_at as due_at from sessions where company_due_at <= now()
      order by company_due_at limit ${limit}::integer for update skip locked) claimed
    where s.hash = claimed.hash
    returning s.user_id as "userId", s.id as "sessionId", s.company_issuer as issuer, s.company_subject as subject,
      s.company_token as token, s.company_operator as "isOperator", now() as "askedAt",
      claimed.due_at > s.company_confirmed_at + make_interval(secs => ${CONFIRM_SECONDS}::integer) as "isRepeat"`);

/** Records that the provider confirmed a session. Returns false if it has ended, or was confirmed since. */
export const confirmSession = (
  db: Db,
  { userId, sessionId, askedAt }: DueSession,
  token: string,
  isOperator: boolean,
): Promise<boolean> =>
  db.has(sql`
    update sessions set company_token = ${token}, company_operator = ${isOperator}, company_confirmed_at = ${askedAt},
      company_due_at = ${askedAt}::timestamptz + make_interval(secs => ${CONFIRM_SECONDS}::integer)
    where user_id = ${userId} and id = ${sessionId} and company_issuer is not null and company_confirmed_at <= ${askedAt}
    returning id`);

export const hasCompanySession = (db: Db, userId: string): Promise<boolean> =>
  db.has(sql`select id from sessions where user_id = ${userId} and company_issuer is not null limit 1`);

/** A provider that has confirmed nobody for this time takes its roles back. */
const FORGOTTEN_DAYS = 7;

/** Users with roles of groups whom no provider has confirmed for long. */
export const listForgotten = async (db: Db, limit: number): Promise<string[]> =>
  (
    await db.rows<{ userId: string }>(sql`
      select distinct m.user_id as "userId" from members m
      where m.by_group and not exists (
        select from company_identities i where i.user_id = m.user_id
          and i.confirmed_at > now() - make_interval(days => ${FORGOTTEN_DAYS}::integer))
      order by 1 limit ${limit}::integer`)
  ).map(({ userId }) => userId);
