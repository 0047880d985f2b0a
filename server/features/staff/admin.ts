import { ROLES } from "../../domain/roles.ts";
import { oneOf, TEXT } from "../../domain/values.ts";
import {
  type AdminAnswer,
  AdminError,
  adminVerb,
  BUSINESS,
  flag,
  maybe,
  option,
  positional,
  withDefault,
} from "../../edge/admin.ts";
import { addUser, listUsers, makeOwnerLink, makeResetLink, setDeploymentRoles, signOutUser } from "./actions.ts";
import { invitationLink, ownerLink, passwordLink } from "./links.ts";
import { addMember, renewInvitationLink } from "./members/actions.ts";
import { listMembers } from "./members/queries.ts";

const EMAIL = positional(TEXT, "email");
const ROLE_FLAGS = { operator: flag, arbiter: flag };

/** `dashboardUrl` returns the dashboard's address of the running instance, for links. */
export const staffVerbs = (dashboardUrl: () => Promise<string>) => [
  adminVerb({
    words: "user add",
    takes: { email: EMAIL, name: maybe(option(TEXT, "name")), ...ROLE_FLAGS },
    does: "Adds a dashboard user and shows a link to set the password, valid for one day.",
    run: async ({ database, actor, email, name, operator: isOperator, arbiter: isArbiter }) => {
      const wanted = { email, name: name ?? email.split("@")[0]!, isOperator, isArbiter };
      const { user, link } = await addUser(database, actor, wanted);
      return showLink({ object: "user", id: user.id, email: user.email }, passwordLink(await dashboardUrl(), link));
    },
  }),
  adminVerb({
    words: "user first-link",
    does: "Shows a link to create the first dashboard user, valid for one day. It fails once there is a user.",
    run: async ({ database }) => {
      const secret = await makeOwnerLink(database);
      if (secret === null) throw new AdminError("The dashboard already has a user. To add another: user add <email>");
      const link = ownerLink(await dashboardUrl(), secret);
      return {
        result: { object: "first_link", link },
        text: `${link}\nThe person who opens it becomes the operator. It works once.`,
      };
    },
  }),
  adminVerb({
    words: "user list",
    does: "Lists the users of the dashboard.",
    run: async ({ database }) => {
      const users = await listUsers(database);
      const lines = users.map(
        ({ id, email, isOperator, isArbiter }) =>
          `${id}  ${email}${isOperator ? "  operator" : ""}${isArbiter ? "  arbiter" : ""}`,
      );
      return { result: { object: "list", data: users }, text: lines.length === 0 ? "No users." : lines.join("\n") };
    },
  }),
  adminVerb({
    words: "user reset-link",
    takes: { email: EMAIL, withoutApp: flag },
    does: "Shows a link to set a new password. --without-app also removes the user's authenticator app.",
    run: async ({ database, actor, email, withoutApp }) => {
      const { user, link } = await makeResetLink(database, actor, email, { withoutApp });
      return showLink({ object: "user", id: user.id, email: user.email }, passwordLink(await dashboardUrl(), link));
    },
  }),
  adminVerb({
    words: "user roles",
    takes: { email: EMAIL, ...ROLE_FLAGS },
    does: "Sets the deployment roles of a user. Roles that are not given are removed.",
    run: async ({ database, actor, email: given, operator, arbiter }) => {
      const wanted = { isOperator: operator, isArbiter: arbiter };
      const { id, email, isOperator, isArbiter } = await setDeploymentRoles(database, actor, given, wanted);
      return {
        result: { object: "user", id, email, isOperator, isArbiter },
        text: `${email}: operator ${isOperator ? "yes" : "no"}, arbiter ${isArbiter ? "yes" : "no"}`,
      };
    },
  }),
  adminVerb({
    words: "user sign-out",
    takes: { email: EMAIL },
    does: "Ends all sessions of a user.",
    run: async ({ database, actor, email: given }) => {
      const { id, email } = await signOutUser(database, actor, given);
      return { result: { object: "user", id, email }, text: `Signed ${email} out.` };
    },
  }),
  adminVerb({
    words: "member add",
    takes: { business: BUSINESS, email: EMAIL, role: withDefault(option(oneOf(ROLES)), "owner") },
    does: "Adds a user to a business.",
    run: async ({ database, actor, business: businessId, email, role }) => {
      const member = await addMember(database, actor, { businessId, email, role });
      return { result: { object: "member", ...member }, text: `${member.email} is ${role} of ${businessId}.` };
    },
  }),
  adminVerb({
    words: "member list",
    takes: { business: BUSINESS },
    does: "Lists the members of a business.",
    run: async ({ database, business }) => {
      const members = await listMembers(database, business);
      const lines = members.map(({ userId, email, role }) => `${userId}  ${email}  ${role}`);
      return { result: { object: "list", data: members }, text: lines.length === 0 ? "No members." : lines.join("\n") };
    },
  }),
  adminVerb({
    words: "member invitation-link",
    takes: { business: BUSINESS, email: EMAIL },
    does: "Shows a new link for a pending invitation, to send to the invited person. Earlier links stop working.",
    run: async ({ database, actor, business, email: given }) => {
      const { invitation, secret } = await renewInvitationLink(database, actor, business, given);
      const { id, email } = invitation;
      return showLink({ object: "invitation", id, email }, invitationLink(await dashboardUrl(), secret));
    },
  }),
];

interface LinkOwner {
  readonly object: string;
  readonly id: string;
  readonly email: string;
}

const showLink = (result: LinkOwner, link: string): AdminAnswer => ({
  result: { ...result, link },
  text: `${result.email}\n${link}\nSend the link only to this person. It works once.`,
});
