import type { Visitor } from "../../../domain/callers.ts";
import { DISPUTE_NOTICES } from "../../../domain/notices.ts";
import { type JsonText, showList, showObject } from "../../../domain/show.ts";
import { created, ok, type Route } from "../../../edge/http/route.ts";
import { done } from "../../../edge/staff/answers.ts";
import { IN_BUSINESS } from "../../../edge/staff/paths.ts";
import {
  FRESH,
  memberRead,
  memberWrite,
  STALE,
  staffRead,
  staffWrite,
  visitorWrite,
} from "../../../edge/staff/route.ts";
import type { StaffContext } from "../context.ts";
import { greet } from "../signIn/visitor.ts";
import type { BusinessMember } from "../user.ts";
import {
  acceptInvitation,
  changeRole,
  invite,
  readInvitation,
  removeMember,
  revokeInvitation,
  signUpInvited,
} from "./actions.ts";
import { chooseDisputeEmails, findNameOfBusiness, listDisputeEmails, listInvitations, listMembers } from "./queries.ts";
import * as api from "./schema.ts";

const PATH = `${IN_BUSINESS}/members`;
const INVITATIONS = `${IN_BUSINESS}/invitations`;

/** §13.5. */
export const memberRoutes = (ctx: StaffContext): Route<Visitor>[] => {
  const { database } = ctx;
  return [
    memberRead("read", PATH, api.LIST_MEMBERS, async ({ caller }) =>
      ok(showList((await listMembers(database, caller.businessId)).map(showMember))),
    ),
    memberWrite("manage_members", "PATCH", `${PATH}/:user`, api.CHANGE_ROLE, FRESH, async ({ caller, params, input }) =>
      ok(showMember(await changeRole(ctx, caller, params.user!, input.role))),
    ),
    memberWrite("manage_members", "DELETE", `${PATH}/:user`, api.REMOVE_MEMBER, FRESH, async ({ caller, params }) => {
      await removeMember(ctx, caller, params.user!);
      return done;
    }),
    memberWrite("read", "POST", `${IN_BUSINESS}/leave`, api.LEAVE, FRESH, async ({ caller }) => {
      await removeMember(ctx, caller, caller.userId);
      return done;
    }),
    ...invitationRoutes(ctx),
    ...emailRoutes(ctx),
  ];
};

/** §13.20.8. Each member chooses for themselves. */
const emailRoutes = ({ database, sendsEmails }: StaffContext): Route<Visitor>[] => [
  staffRead("/account/dispute-emails", api.LIST_DISPUTE_EMAILS, async ({ caller }) => {
    const all = await listDisputeEmails(database, caller.userId);
    return ok(showList(all.map((one) => showObject(api.DISPUTE_EMAILS.show({ ...one, byEmail: sendsEmails })))));
  }),
  memberWrite(
    "read",
    "POST",
    `${IN_BUSINESS}/dispute-emails`,
    api.CHOOSE_DISPUTE_EMAILS,
    STALE,
    async ({ caller, input }) => {
      const kinds = DISPUTE_NOTICES.filter((kind) => input[kind]);
      await chooseDisputeEmails(database, caller.businessId, caller.userId, kinds);
      return done;
    },
  ),
];

const invitationRoutes = (ctx: StaffContext): Route<Visitor>[] => [
  memberRead("manage_members", INVITATIONS, api.LIST_INVITATIONS, async ({ caller }) => {
    const invitations = await listInvitations(ctx.database, caller.businessId);
    const items = invitations.map((one) => showObject(api.INVITATION.show({ ...one, byEmail: ctx.sendsEmails })));
    return ok(showList(items));
  }),
  memberWrite("manage_members", "POST", INVITATIONS, api.INVITE, FRESH, async ({ caller, input }) => {
    const { invitation, link } = await invite(ctx, caller, input);
    return created(showObject(api.MADE_INVITATION.show({ ...invitation, byEmail: ctx.sendsEmails, link })));
  }),
  memberWrite(
    "manage_members",
    "DELETE",
    `${INVITATIONS}/:invitation`,
    api.REVOKE_INVITATION,
    FRESH,
    async ({ caller, params }) => {
      await revokeInvitation(ctx, caller, params.invitation!);
      return done;
    },
  ),
  visitorWrite("POST", "/invitations/read", api.READ_INVITATION, async ({ caller, input }) => {
    const { invitation, hasUser } = await readInvitation(ctx, caller, input.invitation);
    const { businessId, email, role } = invitation;
    const business = await findNameOfBusiness(ctx.database, businessId);
    return ok(showObject(api.DETAILS.show({ business, email, role, hasUser })));
  }),
  staffWrite("POST", "/invitations/accept", api.ACCEPT_INVITATION, STALE, async ({ caller, input }) => {
    const { businessId, role } = await acceptInvitation(ctx, caller, input.invitation);
    return ok(showObject(api.JOINED.show({ businessId, role })));
  }),
  visitorWrite("POST", "/sign-up/invitation", api.SIGN_UP_INVITED, async ({ caller, input }) =>
    greet(ctx, await signUpInvited(ctx, caller, input)),
  ),
];

const showMember = (member: BusinessMember): JsonText => showObject(api.MEMBER.show(member));
