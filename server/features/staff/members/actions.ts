import { ActionError } from "../../../domain/actionError.ts";
import type { Actor, Member, Staff, Visitor } from "../../../domain/callers.ts";
import { canAssign, type Role } from "../../../domain/roles.ts";
import { newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Database, Db } from "../../../store/database.ts";
import type { AuditAction } from "../../audit/audit.ts";
import { recordAudit } from "../../audit/fragments.ts";
import type { Context } from "../../context.ts";
import type { Finders } from "../../emails/email.ts";
import { queueEmails } from "../../emails/fragments.ts";
import { isConfirmed, lockBusiness } from "../company/queries.ts";
import type { StaffContext } from "../context.ts";
import { notifyOwners, notifyUser } from "../fragments.ts";
import { type InvitationSecret, invitationLink, parseInvitation } from "../links.ts";
import {
  actorOf,
  beginSession,
  checkAccount,
  type NewAccount,
  requireEmail,
  type SignedIn,
} from "../signIn/actions.ts";
import { hashPassword } from "../signIn/password.ts";
import { findUser, findUserByEmail, insertUser, logUser } from "../signIn/queries.ts";
import { BUSINESS_INVITATION_LIMIT, countTry, countVisit, INVITATION_LIMIT } from "../tries.ts";
import type { BusinessMember, Invitation } from "../user.ts";
import {
  deleteMember,
  findInvitation,
  findMember,
  findNameOfBusiness,
  hasOtherOwner,
  insertInvitation,
  insertMember,
  markAccepted,
  markRevoked,
  renewInvitation,
  updateRole,
} from "./queries.ts";

const record = (
  db: Db,
  actor: Actor,
  businessId: string,
  action: AuditAction,
  target: string,
  details: Readonly<Record<string, string>>,
) => db.rows(recordAudit(actor, { businessId, environment: null, action, target, details }));

const missingMember = (id: string) => new ActionError("member_not_found", `There is no member ${id}.`);

/** Reads both members again under the business's lock: roles may have changed since the request was admitted. */
async function lockMembers(db: Db, { businessId, userId }: Member, otherId: string) {
  await lockBusiness(db, businessId);
  const own = await findMember(db, businessId, userId);
  const other = await findMember(db, businessId, otherId);
  if (own === null || other === null) throw missingMember(otherId);
  return { own, other };
}

const notAssignable = (role: Role) =>
  new ActionError(
    "role_not_assignable",
    `Your role in this business is ${role}. Only owners can add, change or remove owners.`,
  );

const roleByGroup = (remedy: string) =>
  new ActionError("role_by_group", `A group of the company's provider gives this role. ${remedy}`);

async function requireOtherOwner(db: Db, businessId: string, { role, userId }: BusinessMember): Promise<void> {
  if (role === "owner" && !(await hasOtherOwner(db, businessId, userId)))
    throw new ActionError(
      "last_owner",
      "A business keeps at least one owner with a password or passkey. Make another member an owner first.",
    );
}

/**
 * Changes a member's role (§13.5), which then stays whatever the member's groups. Throws {@link ActionError}:
 * `member_not_found`, `role_not_assignable`, `role_by_group`, `last_owner`.
 */
export async function changeRole(
  ctx: StaffContext,
  caller: Member,
  userId: string,
  role: Role,
): Promise<BusinessMember> {
  const { businessId, actor } = caller;
  return ctx.database.transaction(async (db) => {
    const { own, other } = await lockMembers(db, caller, userId);
    if (!canAssign(own.role, other.role) || !canAssign(own.role, role)) throw notAssignable(own.role);
    // Else members of one group would keep each other's roles beyond it.
    if (other.byGroup && own.role !== "owner") throw roleByGroup("Only an owner can change it here.");
    if (role !== "owner") await requireOtherOwner(db, businessId, other);
    await updateRole(db, businessId, userId, role);
    await record(db, actor, businessId, "member.role_changed", userId, {
      email: other.email,
      from: other.role,
      to: role,
    });
    await notifyUser(db, { id: userId, email: other.email }, { notice: "role_changed", role }, actor);
    await notifyOwners(db, actor, businessId, { notice: "role_changed", about: other.email });
    return { ...other, role, byGroup: false };
  });
}

/**
 * Removes a member, or the caller (§13.5). The member's next request is refused. Throws {@link ActionError}:
 * `member_not_found`, `role_not_assignable`, `role_by_group`, `last_owner`.
 */
export async function removeMember(ctx: StaffContext, caller: Member, userId: string): Promise<void> {
  const { businessId, actor } = caller;
  await ctx.database.transaction(async (db) => {
    const { own, other } = await lockMembers(db, caller, userId);
    if (userId !== caller.userId && !canAssign(own.role, other.role)) throw notAssignable(own.role);
    if (other.byGroup && ctx.company !== null) throw roleByGroup("Take the person out of the group there.");
    await requireOtherOwner(db, businessId, other);
    await deleteMember(db, businessId, userId);
    await record(db, actor, businessId, "member.removed", userId, { email: other.email, role: other.role });
    await notifyUser(db, { id: userId, email: other.email }, { notice: "role_changed", role: null }, actor);
    await notifyOwners(db, actor, businessId, { notice: "member_removed", about: other.email });
  });
}

/** An invitation, with its link if the inviter must hand it out. */
export interface MadeInvitation {
  readonly invitation: Invitation;
  /** Shown only once; null if it is sent by email. */
  readonly link: string | null;
}

/**
 * Invites an address (§13.5). If emails are sent, the link goes only by email, so that accepting proves ownership
 * of the mailbox. Emails count against the invitation limits. Throws `rate_limited`, {@link ActionError}:
 * `email_invalid`, `role_not_assignable`, `member_already`, `invitation_open`.
 */
export async function invite(
  { database, sendsEmails, dashboardUrl }: StaffContext,
  { businessId, userId, name, actor }: Member,
  { email, role }: { readonly email: string; readonly role: Role },
): Promise<MadeInvitation> {
  const address = requireEmail(email);
  const secret = newStaffSecret();
  const invitation = await database.transaction(async (db) => {
    await lockBusiness(db, businessId);
    const own = await findMember(db, businessId, userId);
    if (own === null || !canAssign(own.role, role)) throw notAssignable(own?.role ?? "read_only");
    const known = await findUserByEmail(db, address.key);
    if (known !== null && (await findMember(db, businessId, known.id)) !== null)
      throw new ActionError("member_already", `${address.shown} is already a member.`);
    const made = await insertInvitation(db, { businessId, email: address, role, invitedBy: userId }, secret);
    if (made === null)
      throw new ActionError("invitation_open", `${address.shown} is already invited. Revoke that invitation first.`);
    if (sendsEmails) {
      await countTry(db, { limit: INVITATION_LIMIT, subject: address.key });
      await countTry(db, { limit: BUSINESS_INVITATION_LIMIT, subject: businessId });
      const business = await findNameOfBusiness(db, businessId);
      const facts = { businessId, invitationId: made.id, business, by: name };
      await queueEmails(db, [{ kind: "invitation", recipient: address.shown, source: businessId, facts }]);
    }
    await record(db, actor, businessId, "invitation.made", made.id, { email: address.shown, role });
    if (!sendsEmails) await record(db, actor, businessId, "invitation.link_made", made.id, { email: address.shown });
    return made;
  });
  const link = sendsEmails ? null : invitationLink(dashboardUrl, { businessId, id: invitation.id, secret });
  return { invitation, link };
}

/** Makes the link of an email, in place of an earlier one; null if the invitation is no longer open. */
export const invitationLinkFinder =
  ({ database, dashboardUrl }: Context): Finders["invitation"] =>
  async ({ recipient }, { businessId, invitationId: id }) => {
    const secret = newStaffSecret();
    const invitation = await renewInvitation(database, businessId, { emailKey: recipient.toLowerCase(), id }, secret);
    return invitation && { link: invitationLink(dashboardUrl, { businessId, id, secret }) };
  };

/** Throws {@link ActionError}: `invitation_not_found`. */
export async function revokeInvitation({ database }: StaffContext, caller: Member, id: string): Promise<void> {
  const { businessId, actor } = caller;
  await database.transaction(async (db) => {
    const own = await findMember(db, businessId, caller.userId);
    const revoked = await markRevoked(db, businessId, id);
    if (revoked === null) throw new ActionError("invitation_not_found", `There is no pending invitation ${id}.`);
    if (own === null || !canAssign(own.role, revoked.role)) throw notAssignable(own?.role ?? "read_only");
    await record(db, actor, businessId, "invitation.revoked", id, { email: revoked.email, role: revoked.role });
  });
}

const unusable = () =>
  new ActionError("invitation_unusable", "The invitation is unknown, expired, used or revoked. Ask for a new one.");

async function requireInvitation(db: Db, text: string): Promise<Invitation> {
  const secret = parseInvitation(text);
  const invitation = secret === null ? null : await findInvitation(db, secret.businessId, secret);
  if (invitation === null) throw unusable();
  return invitation;
}

/** Finds a link's invitation, for the page on which it is accepted. Throws {@link ActionError}: `invitation_unusable`. */
export async function readInvitation(
  { database }: StaffContext,
  visitor: Visitor,
  text: string,
): Promise<{ readonly invitation: Invitation; readonly hasUser: boolean }> {
  await countVisit(database, visitor);
  const invitation = await requireInvitation(database, text);
  return { invitation, hasUser: (await findUserByEmail(database, invitation.emailKey)) !== null };
}

async function join(db: Db, actor: Actor, userId: string, invitation: Invitation): Promise<void> {
  const { businessId, id, email, role, invitedBy } = invitation;
  await lockBusiness(db, businessId);
  // The author must still be allowed to assign that role: an invitation does not outlive its author's right.
  const author = await findMember(db, businessId, invitedBy);
  if (author === null || !canAssign(author.role, role)) throw unusable();
  // Nobody tells a deployment that a person left the company: a role by a group counts while the provider confirms it.
  if (author.byGroup && !(await isConfirmed(db, invitedBy)))
    throw new ActionError(
      "invitation_unusable",
      "The company of the person who invited you has not confirmed them lately. Ask them to sign in, then open the link again.",
    );
  if (!(await markAccepted(db, invitation))) throw unusable();
  await insertMember(db, businessId, userId, role);
  await record(db, actor, businessId, "invitation.accepted", id, { email, role });
  await notifyOwners(db, actor, businessId, { notice: "member_joined", about: email });
}

/**
 * Accepts an invitation as the signed-in user (§13.5), to whose address it must be sent. Throws {@link ActionError}:
 * `invitation_unusable`, `invitation_for_another`.
 */
export async function acceptInvitation(ctx: StaffContext, { userId, actor }: Staff, text: string): Promise<Invitation> {
  return ctx.database.transaction(async (db) => {
    const invitation = await requireInvitation(db, text);
    const user = await findUser(db, userId);
    if (user!.email.toLowerCase() !== invitation.emailKey)
      throw new ActionError(
        "invitation_for_another",
        "The invitation is for another email address. Sign in with that address.",
      );
    await join(db, actor, userId, invitation);
    return invitation;
  });
}

/**
 * Creates a user from an invitation and signs the user in (§13.5). The link was in their mailbox, which proves the
 * address. Throws {@link ActionError}: `invitation_unusable`, `name_invalid`, `password_invalid`, `user_already`.
 */
export async function signUpInvited(
  ctx: StaffContext,
  visitor: Visitor,
  { invitation: text, ...account }: NewAccount & { readonly invitation: string },
): Promise<SignedIn> {
  const { database, passwordCost } = ctx;
  await countVisit(database, visitor);
  const { email, emailKey } = await requireInvitation(database, text);
  checkAccount(account, email);
  const password = await hashPassword(account.password, passwordCost);
  return beginSession(ctx, visitor, async (db) => {
    const invitation = await requireInvitation(db, text);
    const address = { shown: email, key: emailKey };
    const user = await insertUser(db, {
      email: address,
      name: account.name,
      password,
      isOperator: false,
      isArbiter: false,
    });
    if (user === null)
      throw new ActionError(
        "user_already",
        "This email address already has a user. Sign in, then accept the invitation.",
      );
    await logUser(db, actorOf(user, visitor), user.id, "signed_up", { by: invitation.id });
    await join(db, actorOf(user, visitor), user.id, invitation);
    return { user, method: "link" };
  });
}

/**
 * Makes an existing user a member, from the command line: the operator vouches. Throws {@link ActionError}:
 * `business_not_found`, `user_not_found`, `member_already`.
 */
export async function addMember(
  database: Database,
  actor: Actor,
  { businessId, email, role }: { readonly businessId: string; readonly email: string; readonly role: Role },
): Promise<BusinessMember> {
  const address = requireEmail(email);
  return database.transaction(async (db) => {
    if (!(await lockBusiness(db, businessId)))
      throw new ActionError("business_not_found", `There is no business ${businessId}.`);
    const user = await findUserByEmail(db, address.key);
    if (user === null)
      throw new ActionError("user_not_found", `There is no user ${address.shown}. To add one: user add <email>`);
    if (!(await insertMember(db, businessId, user.id, role)))
      throw new ActionError("member_already", `${address.shown} is already a member.`);
    await record(db, actor, businessId, "member.added", user.id, { email: user.email, role });
    return (await findMember(db, businessId, user.id))!;
  });
}

/**
 * Creates a new link for an open invitation, for deployments that send no emails: the operator hands it to the owner
 * of the address. Earlier links stop working. Throws {@link ActionError}: `invitation_not_found`.
 */
export async function renewInvitationLink(
  database: Database,
  actor: Actor,
  businessId: string,
  email: string,
): Promise<{ readonly invitation: Invitation; readonly secret: InvitationSecret }> {
  const address = requireEmail(email);
  const secret = newStaffSecret();
  return database.transaction(async (db) => {
    const invitation = await renewInvitation(db, businessId, { emailKey: address.key }, secret);
    if (invitation === null)
      throw new ActionError("invitation_not_found", `${businessId} has no pending invitation for ${email}.`);
    await record(db, actor, businessId, "invitation.link_made", invitation.id, { email: invitation.email });
    return { invitation, secret: { businessId, id: invitation.id, secret } };
  });
}
