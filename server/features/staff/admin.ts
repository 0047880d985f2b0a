import { ROLES } from "../../domain/roles.ts";
import { type AdminAnswer, type AdminCall, AdminError, type AdminVerb, parseChoice } from "../../edge/admin.ts";
import { invitationLink, ownerLink, passwordLink } from "./links.ts";
import { addMember, renewInvitationLink } from "./members/actions.ts";
import { listMembers } from "./members/queries.ts";
import {
  addUser,
  type DeploymentRoles,
  listUsers,
  makeOwnerLink,
  makeResetLink,
  setDeploymentRoles,
  signOutUser,
} from "./users.ts";

const ROLE_OPTIONS = { operator: { type: "boolean" }, arbiter: { type: "boolean" } } as const;

/** `dashboardUrl`: where the dashboard of the running instance is, for links. */
export const staffVerbs = (dashboardUrl: () => Promise<string>): readonly AdminVerb[] => [
  {
    words: ["user", "add"],
    usage: "user add <e-mail> [--name <name>] [--operator] [--arbiter]",
    does: "Adds a user of the dashboard and shows the link by which they set a password, good for a day.",
    options: { name: { type: "string" }, ...ROLE_OPTIONS },
    run: async ({ database, actor, positionals, options }) => {
      const email = needEmail(positionals[0]);
      const name = options.name === undefined ? email.split("@")[0]! : String(options.name);
      const { user, link } = await addUser(database, actor, { email, name, ...readRoles(options) });
      return showLink({ object: "user", id: user.id, email: user.email }, passwordLink(await dashboardUrl(), link));
    },
  },
  {
    words: ["user", "first-link"],
    usage: "user first-link",
    does: "Shows the link by which the first user of the dashboard is made, good for a day, as long as there is none.",
    options: {},
    run: async ({ database }) => {
      const secret = await makeOwnerLink(database);
      if (secret === null) throw new AdminError("There is a user. Add more with: user add <e-mail>.");
      const link = ownerLink(await dashboardUrl(), secret);
      return { result: { object: "first_link", link }, text: `${link}\nWho opens it is the operator: it works once.` };
    },
  },
  {
    words: ["user", "list"],
    usage: "user list",
    does: "Lists the users of the dashboard.",
    options: {},
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
    words: ["user", "reset-link"],
    usage: "user reset-link <e-mail> [--without-app]",
    does: "Shows a link by which a user sets a new password; with --without-app their authenticator app is removed.",
    options: { "without-app": { type: "boolean" } },
    run: async ({ database, actor, positionals, options }) => {
      const withoutApp = options["without-app"] === true;
      const { user, link } = await makeResetLink(database, actor, needEmail(positionals[0]), { withoutApp });
      return showLink({ object: "user", id: user.id, email: user.email }, passwordLink(await dashboardUrl(), link));
    },
  },
  {
    words: ["user", "roles"],
    usage: "user roles <e-mail> [--operator] [--arbiter]",
    does: "Sets what a user may do in the deployment; a role that is not named is taken away.",
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
    words: ["user", "sign-out"],
    usage: "user sign-out <e-mail>",
    does: "Ends all sessions of a user, with their next request.",
    options: {},
    run: async ({ database, actor, positionals }) => {
      const { id, email } = await signOutUser(database, actor, needEmail(positionals[0]));
      return { result: { object: "user", id, email }, text: `Signed ${email} out.` };
    },
  },
  {
    words: ["member", "add"],
    usage: `member add <business id> <e-mail> [--role ${ROLES.join("|")}]`,
    does: "Makes a user a member of a business (default owner).",
    options: { role: { type: "string" } },
    run: async ({ database, actor, positionals, options }) => {
      const [businessId, email] = needBusinessAndEmail(positionals);
      const role = parseChoice("role", options.role ?? "owner", ROLES);
      const member = await addMember(database, actor, { businessId, email, role });
      return { result: { object: "member", ...member }, text: `${member.email} is ${role} of ${businessId}.` };
    },
  },
  {
    words: ["member", "list"],
    usage: "member list <business id>",
    does: "Lists the members of a business.",
    options: {},
    run: async ({ database, positionals: [businessId] }) => {
      if (businessId === undefined) throw new AdminError("Name the business: member list <business id>.");
      const members = await listMembers(database, businessId);
      const lines = members.map(({ userId, email, role }) => `${userId}  ${email}  ${role}`);
      return { result: { object: "list", data: members }, text: lines.length === 0 ? "No members." : lines.join("\n") };
    },
  },
  {
    words: ["member", "invitation-link"],
    usage: "member invitation-link <business id> <e-mail>",
    does: "Shows the link of an open invitation, to hand to whom the address belongs; links before it stop working.",
    options: {},
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
  if (email === undefined) throw new AdminError("Name the user by their e-mail address.");
  return email;
}

function needBusinessAndEmail([businessId, email]: readonly string[]): [businessId: string, email: string] {
  if (businessId === undefined || email === undefined)
    throw new AdminError("Name the business and the e-mail address: <business id> <e-mail>.");
  return [businessId, email];
}

interface LinkOwner {
  readonly object: string;
  readonly id: string;
  readonly email: string;
}

const showLink = (result: LinkOwner, link: string): AdminAnswer => ({
  result: { ...result, link },
  text: `${result.email}\n${link}\nGive the link to them alone: it works once.`,
});
