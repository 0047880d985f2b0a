import type { Staff } from "../../../domain/callers.ts";
import { newInvitationId } from "../../../domain/ids.ts";
import type { DisputeNotice } from "../../../domain/notices.ts";
import type { Role } from "../../../domain/roles.ts";
import { hashStaffSecret } from "../../../domain/staffSecrets.ts";
import { omit } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { columnNames, columnValues, selected } from "../../../store/table.ts";
import type { InvitationSecret } from "../links.ts";
import { ownCredentialOf } from "../signIn/queries.ts";
import { type BusinessMember, type Email, INVITATIONS, type Invitation, MEMBER } from "../user.ts";
import { DISPUTE_NOTICES_OF_MEMBER } from "./fragments.ts";

/** Further members are not shown. */
const MEMBERS_SHOWN_MAX = 500;

const SHOWN = selected(MEMBER, "m");
const WITH_USERS = sql`(select m.*, u.email, u.name from members m join users u on u.id = m.user_id) m`;

export const listMembers = (db: Db, businessId: string): Promise<BusinessMember[]> =>
  db.rows<BusinessMember>(sql`
    select ${SHOWN} from ${WITH_USERS}
    where m.business_id = ${businessId} order by m.created_at, m.user_id limit ${MEMBERS_SHOWN_MAX}::integer`);

export const findMember = (db: Db, businessId: string, userId: string): Promise<BusinessMember | null> =>
  db.row<BusinessMember>(sql`
    select ${SHOWN} from ${WITH_USERS}
    where m.business_id = ${businessId} and m.user_id = ${userId}`);

/** The user's role in a session; null if the user is no member. A role by a group counts in sessions by the company alone. */
export async function findRole(
  db: Db,
  businessId: string,
  { userId, isCompany }: Pick<Staff, "userId" | "isCompany">,
): Promise<Role | null> {
  const row = await db.row<{ role: Role }>(sql`
    select role from members
    where business_id = ${businessId} and user_id = ${userId} and (not by_group or ${isCompany}::boolean)`);
  return row?.role ?? null;
}

/** Returns false if a person made the user a member already; a role by a group gives way. */
export const insertMember = (db: Db, businessId: string, userId: string, role: Role): Promise<boolean> =>
  db.has(sql`
    insert into members (business_id, user_id, role, created_at) values (${businessId}, ${userId}, ${role}, now())
    on conflict (business_id, user_id) do update set role = excluded.role, by_group = false where members.by_group
    returning user_id`);

export const updateRole = (db: Db, businessId: string, userId: string, role: Role): Promise<unknown> =>
  db.rows(
    sql`update members set role = ${role}, by_group = false where business_id = ${businessId} and user_id = ${userId}`,
  );

export const deleteMember = (db: Db, businessId: string, userId: string): Promise<unknown> =>
  db.rows(sql`delete from members where business_id = ${businessId} and user_id = ${userId}`);

/** True if the business has a further owner who can sign in without a company. */
export const hasOtherOwner = (db: Db, businessId: string, userId: string): Promise<boolean> =>
  db.has(sql`
    select true from members m where m.business_id = ${businessId} and m.role = 'owner' and m.user_id <> ${userId}
      and ${ownCredentialOf(sql`m.user_id`)} limit 1`);

export async function findNameOfBusiness(db: Db, businessId: string): Promise<string> {
  const row = await db.row<{ name: string }>(sql`select name from businesses where id = ${businessId}`);
  return row!.name;
}

/** A business of a user, with their role in it. */
export interface Membership {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

const MEMBERSHIPS_MAX = 1_000;

export const listMemberships = (
  db: Db,
  { userId, isCompany }: Pick<Staff, "userId" | "isCompany">,
): Promise<Membership[]> =>
  db.rows<Membership>(sql`
    select b.id, b.name, m.role from members m join businesses b on b.id = m.business_id
    where m.user_id = ${userId} and (not m.by_group or ${isCompany}::boolean)
    order by b.name, b.id limit ${MEMBERSHIPS_MAX}::integer`);

/** The emails about disputes of a business that a user gets. */
export interface DisputeEmails {
  readonly businessId: string;
  readonly business: string;
  readonly kinds: readonly DisputeNotice[];
}

export const listDisputeEmails = (db: Db, userId: string): Promise<DisputeEmails[]> =>
  db.rows<DisputeEmails>(sql`
    select b.id as "businessId", b.name as business, ${DISPUTE_NOTICES_OF_MEMBER} as kinds
    from members m join businesses b on b.id = m.business_id
    where m.user_id = ${userId} order by b.name, b.id limit ${MEMBERSHIPS_MAX}::integer`);

export const chooseDisputeEmails = (
  db: Db,
  businessId: string,
  userId: string,
  kinds: readonly DisputeNotice[],
): Promise<unknown> =>
  db.rows(sql`
    update members set dispute_notices = ${kinds}::text[] where business_id = ${businessId} and user_id = ${userId}`);

const INVITATION = selected(INVITATIONS.columns, "i");
const MADE = omit(INVITATIONS.columns, "createdAt", "expiresAt");
const madeNames = columnNames(MADE);
const madeValues = columnValues(MADE);

export const INVITATION_SECONDS = 7 * 86_400;
const INVITATIONS_SHOWN_MAX = 500;

/** The open invitations, newest first. */
export const listInvitations = (db: Db, businessId: string): Promise<Invitation[]> =>
  db.rows<Invitation>(sql`
    select ${INVITATION} from invitations i
    where business_id = ${businessId} and accepted_at is null and revoked_at is null and expires_at > now()
    order by id desc limit ${INVITATIONS_SHOWN_MAX}::integer`);

/** Inserts an invitation, in place of an expired one. Null if there is an open one for the address. */
export async function insertInvitation(
  db: Db,
  invitation: { readonly businessId: string; readonly email: Email; readonly role: Role; readonly invitedBy: string },
  secret: string,
): Promise<Invitation | null> {
  const { businessId, email } = invitation;
  await db.rows(sql`
    update invitations set revoked_at = now()
    where business_id = ${businessId} and email_key = ${email.key} and accepted_at is null and revoked_at is null and expires_at <= now()`);
  return db.row<Invitation>(sql`
    insert into invitations as i (${madeNames}, hash, created_at, expires_at)
    values (${madeValues({ ...invitation, id: newInvitationId(new Date()), email: email.shown, emailKey: email.key })},
      decode(${hashStaffSecret(secret)}, 'hex'), now(), now() + make_interval(secs => ${INVITATION_SECONDS}::integer))
    on conflict (business_id, email_key) where accepted_at is null and revoked_at is null do nothing
    returning ${INVITATION}`);
}

/** The open invitation with this secret. */
export const findInvitation = (
  db: Db,
  businessId: string,
  { id, secret }: InvitationSecret,
): Promise<Invitation | null> =>
  db.row<Invitation>(sql`
    select ${INVITATION} from invitations i
    where business_id = ${businessId} and id = ${id} and hash = decode(${hashStaffSecret(secret)}, 'hex')
      and accepted_at is null and revoked_at is null and expires_at > now()`);

/** Returns false if it was accepted or revoked meanwhile. */
export const markAccepted = (db: Db, { businessId, id }: Invitation): Promise<boolean> =>
  db.has(sql`
    update invitations set accepted_at = now()
    where business_id = ${businessId} and id = ${id} and accepted_at is null and revoked_at is null returning id`);

/** Revokes an invitation. Null if there is no open one with this id. */
export const markRevoked = (db: Db, businessId: string, id: string): Promise<Invitation | null> =>
  db.row<Invitation>(sql`
    update invitations i set revoked_at = now()
    where business_id = ${businessId} and id = ${id} and accepted_at is null and revoked_at is null
    returning ${INVITATION}`);

/** Replaces the secret of an open invitation. Null if there is none for the address, or none with this id. */
export const renewInvitation = (
  db: Db,
  businessId: string,
  { emailKey, id = null }: { readonly emailKey: string; readonly id?: string | null },
  secret: string,
): Promise<Invitation | null> =>
  db.row<Invitation>(sql`
    update invitations i set hash = decode(${hashStaffSecret(secret)}, 'hex')
    where business_id = ${businessId} and email_key = ${emailKey} and (${id}::text is null or id = ${id})
      and accepted_at is null and revoked_at is null and expires_at > now()
    returning ${INVITATION}`);
