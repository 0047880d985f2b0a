import type { Visitor } from "../../../domain/callers.ts";
import { type JsonText, showList, showObject } from "../../../domain/show.ts";
import { created, ok, type Route } from "../../../edge/http/route.ts";
import { done } from "../../../edge/staff/answers.ts";
import { FRESH, memberRead, memberWrite, STALE, staffWrite, visitorWrite } from "../../../edge/staff/route.ts";
import type { StaffDeps } from "../deps.ts";
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
import { findNameOfBusiness, listInvitations, listMembers } from "./queries.ts";
import {
  ACCEPT_INVITATION,
  CHANGE_ROLE,
  DETAILS,
  INVITATION,
  INVITE,
  JOINED,
  LEAVE,
  LIST_INVITATIONS,
  LIST_MEMBERS,
  MADE_INVITATION,
  MEMBER,
  READ_INVITATION,
  REMOVE_MEMBER,
  REVOKE_INVITATION,
  SIGN_UP_INVITED,
} from "./schema.ts";

/** §13.5. */
export const memberRoutes = (deps: StaffDeps): Route<Visitor>[] => {
  const { database } = deps;
  return [
    memberRead("read", "/businesses/:business/members", LIST_MEMBERS, async ({ caller }) =>
      ok(showList((await listMembers(database, caller.businessId)).map(showMember))),
    ),
    memberWrite(
      "manage_members",
      "PATCH",
      "/businesses/:business/members/:user",
      CHANGE_ROLE,
      FRESH,
      async ({ caller, params, input, write }) =>
        write.commit({
          reply: ok(showMember(await changeRole(deps, caller, params.user!, input.role))),
        }),
    ),
    memberWrite(
      "manage_members",
      "DELETE",
      "/businesses/:business/members/:user",
      REMOVE_MEMBER,
      FRESH,
      async ({ caller, params, write }) => {
        await removeMember(deps, caller, params.user!);
        return write.commit({ reply: done });
      },
    ),
    memberWrite("read", "POST", "/businesses/:business/leave", LEAVE, FRESH, async ({ caller, write }) => {
      await removeMember(deps, caller, caller.userId);
      return write.commit({ reply: done });
    }),
    ...invitationRoutes(deps),
  ];
};

const invitationRoutes = (deps: StaffDeps): Route<Visitor>[] => [
  memberRead("manage_members", "/businesses/:business/invitations", LIST_INVITATIONS, async ({ caller }) => {
    const invitations = await listInvitations(deps.database, caller.businessId);
    const items = invitations.map((one) => showObject(INVITATION.show({ ...one, byMail: deps.outbox.canSend })));
    return ok(showList(items));
  }),
  memberWrite(
    "manage_members",
    "POST",
    "/businesses/:business/invitations",
    INVITE,
    FRESH,
    async ({ caller, input, write }) => {
      const { invitation, link } = await invite(deps, caller, input);
      return write.commit({
        reply: created(showObject(MADE_INVITATION.show({ ...invitation, byMail: deps.outbox.canSend, link }))),
      });
    },
  ),
  memberWrite(
    "manage_members",
    "DELETE",
    "/businesses/:business/invitations/:invitation",
    REVOKE_INVITATION,
    FRESH,
    async ({ caller, params, write }) => {
      await revokeInvitation(deps, caller, params.invitation!);
      return write.commit({ reply: done });
    },
  ),
  visitorWrite("POST", "/invitations/read", READ_INVITATION, async ({ caller, input, write }) => {
    const { invitation, hasUser } = await readInvitation(deps, caller, input.invitation);
    const { businessId, email, role } = invitation;
    const business = await findNameOfBusiness(deps.database, businessId);
    return write.commit({ reply: ok(showObject(DETAILS.show({ business, email, role, hasUser }))) });
  }),
  staffWrite("POST", "/invitations/accept", ACCEPT_INVITATION, STALE, async ({ caller, input, write }) => {
    const { businessId, role } = await acceptInvitation(deps, caller, input.invitation);
    return write.commit({ reply: ok(showObject(JOINED.show({ businessId, role }))) });
  }),
  visitorWrite("POST", "/sign-up/invitation", SIGN_UP_INVITED, async ({ caller, input, write }) =>
    write.commit({ reply: greet(deps, await signUpInvited(deps, caller, input)) }),
  ),
];

const showMember = (member: BusinessMember): JsonText => showObject(MEMBER.show(member));
