import { ROLES } from "../../domain/roles.ts";
import {
  type AdminAnswer,
  type AdminCall,
  AdminError,
  type AdminVerb,
  FLAG,
  parseChoice,
  TEXT,
} from "../../edge/admin.ts";
import {
  addUser,
  type DeploymentRoles,
  listUsers,
  makeOwnerLink,
  makeResetLink,
  setDeploymentRoles,
  signOutUser,
} from "./actions.ts";
import { invitationLink, ownerLink, passwordLink } from "./links.ts";
import { addMember, renewInvitationLink } from "./members/actions.ts";
import { listMembers } from "./members/queries.ts";

const ROLE_OPTIONS = { operator: FLAG, arbiter: FLAG } as const;

/** `dashboardUrl` returns the dashboard's address of the running instance, for links. */
export const staffVerbs = (dashboardUrl: () => Promise<string>): readonly AdminVerb[] => [
  {
    usage: "user add <email> [--name <name>] [--operator] [--arbiter]",
    does: "Adds a dashboard user and shows a link to set the password, valid for one day.",
    options: { name: TEXT, ...ROLE_OPTIONS },
    run: async ({ database, actor, positionals, options }) => {
      const email = needEmail(positionals[0]);
      const name = options.name === undefined ? email.split("@")[0]! : String(options.name);
      const { user, link } = await addUser(database, actor, { email, name, ...readRoles(options) });
      return showLink({ object: "user", id: user.id, email: user.email }, passwordLink(await dashboardUrl(), link));
    },
  },
  {
    usage: "user first-link",
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
  },
  {
    usage: "user list",
    does: "Lists the users of the dashboard.",
    run: async ({ database }) => {
      const users = await listUsers(database);
      const lines = users.map(
        ({ id, email, isOperator, isArbiter }) =>
          `${id}  ${email}${isOperator ? "  operator" : ""}${isArbiter ? "  arbiter" : ""}`,
      );
      return { result: { object: "list", data: users }, text: lines.length === 0 ? "No users." : lines.join("\n") };
    },
  },
  {
    usage: "user reset-link <email> [--without-app]",
    does: "Shows a link to set a new password. --without-app also removes the user's authenticator app.",
    options: { "without-app": FLAG },
    run: async ({ database, actor, positionals, options }) => {
      const withoutApp = options["without-app"] === true;
      const { user, link } = await makeResetLink(database, actor, needEmail(positionals[0]), { withoutApp });
      return showLink({ object: "user", id: user.id, email: user.email }, passwordLink(await dashboardUrl(), link));
    },
  },
  {
    usage: "user roles <email> [--operator] [--arbiter]",
    does: "Sets the deployment roles of a user. Roles that are not given are removed.",
    options: ROLE_OPTIONS,
    run: async ({ database, actor, positionals, options }) => {
      const { id, email, ...roles } = await setDeploymentRoles(
        database,
        actor,
        needEmail(positionals[0]),
        readRoles(options),
      );
      const { isOperator, isArbiter } = roles;
      return {
        result: { object: "user", id, email, isOperator, isArbiter },
        text: `${email}: operator ${isOperator ? "yes" : "no"}, arbiter ${isArbiter ? "yes" : "no"}`,
      };
    },
  },
  {
    usage: "user sign-out <email>",
    does: "Ends all sessions of a user.",
    run: async ({ database, actor, positionals }) => {
      const { id, email } = await signOutUser(database, actor, needEmail(positionals[0]));
      return { result: { object: "user", id, email }, text: `Signed ${email} out.` };
    },
  },
  {
    usage: `member add <business id> <email> [--role ${ROLES.join("|")}]`,
    does: "Adds a user to a business (default role: owner).",
    options: { role: TEXT },
    run: async ({ database, actor, positionals, options }) => {
      const [businessId, email] = needBusinessAndEmail(positionals);
      const role = parseChoice("role", options.role ?? "owner", ROLES);
      const member = await addMember(database, actor, { businessId, email, role });
      return { result: { object: "member", ...member }, text: `${member.email} is ${role} of ${businessId}.` };
    },
  },
  {
    usage: "member list <business id>",
    does: "Lists the members of a business.",
    run: async ({ database, positionals: [businessId] }) => {
      if (businessId === undefined) throw new AdminError("Name the business: member list <business id>.");
      const members = await listMembers(database, businessId);
      const lines = members.map(({ userId, email, role }) => `${userId}  ${email}  ${role}`);
      return { result: { object: "list", data: members }, text: lines.length === 0 ? "No members." : lines.join("\n") };
    },
  },
  {
    usage: "member invitation-link <business id> <email>",
    does: "Shows a new link for a pending invitation, to send to the invited person. Earlier links stop working.",
    run: async ({ database, actor, positionals }) => {
      const { invitation, secret } = await renewInvitationLink(database, actor, ...needBusinessAndEmail(positionals));
      const { id, email } = invitation;
      return showLink({ object: "invitation", id, email }, invitationLink(await dashboardUrl(), secret));
    },
  },
];

const readRoles = ({ operator, arbiter }: AdminCall["options"]): DeploymentRoles => ({
  isOperator: operator === true,
  isArbiter: arbiter === true,
});

function needEmail(email: string | undefined): string {
  if (email === undefined) throw new AdminError("Specify the email address of the user.");
  return email;
}

function needBusinessAndEmail([businessId, email]: readonly string[]): [businessId: string, email: string] {
  if (businessId === undefined || email === undefined)
    throw new AdminError("Specify the business and the email address: <business id> <email>.");
  return [businessId, email];
}

interface LinkOwner {
  readonly object: string;
  readonly id: string;
  readonly email: string;
}

const showLink = (result: LinkOwner, link: string): AdminAnswer => ({
  result: { ...result, link },
  text: `${result.email}\n${link}\nSend the link only to this person. It works once.`,
});
