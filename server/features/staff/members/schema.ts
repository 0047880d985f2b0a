import { Type } from "typebox";
import { idColumn } from "../../../domain/ids.ts";
import { DISPUTE_NOTICES, type DisputeNotice } from "../../../domain/notices.ts";
import { ROLES } from "../../../domain/roles.ts";
import { FLAG, oneOf } from "../../../domain/values.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { field, requestBody } from "../../../edge/http/fields.ts";
import { shownObject } from "../../../edge/http/objects.ts";
import { answer, choice, listAnswer, listOf } from "../../../edge/http/schemas.ts";
import { CHANGE_ERRORS, DONE } from "../../../edge/staff/answers.ts";
import { BUSINESS_ID, businessPath } from "../../../edge/staff/paths.ts";
import { flag, nullable, other, text } from "../../../lib/columns.ts";
import { emailField, nameField, passwordField, secretField } from "../fields.ts";
import { SIGNED_IN, USER } from "../signIn/schema.ts";
import { INVITATIONS, MEMBER as MEMBER_COLUMNS } from "../user.ts";

export const MEMBER = shownObject("member", MEMBER_COLUMNS, "A user in a business.");

const invitation = {
  ...INVITATIONS.columns,
  byEmail: flag({
    says: "True if this deployment sends emails. If it does not, the member who invites hands out the link.",
    example: true,
  }),
};
export const INVITATION = shownObject("invitation", invitation, "An invitation to a business.");
export const MADE_INVITATION = shownObject(
  "invitation",
  {
    ...invitation,
    link: nullable(
      text({
        says: "Its link, where this deployment sends no emails: this is the only time it is shown. Null: it goes by email.",
      }),
    ),
  },
  "An invitation that was just made.",
);

const { email, role } = INVITATIONS.columns;
export const DETAILS = shownObject(
  "invitation_details",
  {
    business: text({ says: "The business's name.", example: "Demo shop" }),
    email,
    role,
    hasUser: flag({ says: "True if the address has a user, who signs in and accepts.", example: false }),
  },
  "An invitation, for the holder of its link.",
);
export const JOINED = shownObject("joined", { businessId: idColumn("biz"), role }, "The user is a member from now on.");

export const DISPUTE_EMAILS = shownObject(
  "dispute_emails",
  {
    businessId: idColumn("biz"),
    business: text({ says: "The business's name.", example: "Demo shop" }),
    kinds: other<readonly DisputeNotice[]>("text[]", {
      says: "The occasions of an email: a dispute was opened, it is the turn of the business, that turn ends within 48 hours, the buyer made an offer, the dispute was decided or closed.",
      example: [...DISPUTE_NOTICES],
      schema: Type.Array(choice(DISPUTE_NOTICES)),
    }),
    byEmail: flag({ says: "True if this deployment sends emails.", example: true }),
  },
  "The emails about disputes of a business that the user gets.",
);

export const memberComponents: Components = {
  Member: MEMBER.schema,
  MemberList: listOf("Member", "Members"),
  Invitation: INVITATION.schema,
  MadeInvitation: MADE_INVITATION.schema,
  InvitationList: listOf("Invitation", "Invitations"),
  InvitationDetails: DETAILS.schema,
  Joined: JOINED.schema,
  DisputeEmails: DISPUTE_EMAILS.schema,
  DisputeEmailsList: listOf("DisputeEmails", "Businesses with their emails"),
};

const errors = CHANGE_ERRORS;
const roleField = field(oneOf(ROLES));
const invitationField = secretField("The secret that the invitation's link carries.");
const INVITATION_ID = String(INVITATION.example.id);
const INVITATION_SECRET = `${BUSINESS_ID}.${INVITATION_ID}.b0qW2oYl1nq8s2Y4cXW3m7pQ0uZ5v1hK9tR6aJ8dEfE`;

const declare = declarations({ tag: "Businesses", path: businessPath, errors });

export const LIST_MEMBERS = declare({
  operationId: "listMembers",
  summary: "List members",
  description: "Lists the members of the business.",
  success: listAnswer("The members.", "Member", MEMBER.example),
  errors: ["not_found"],
});

const member = {
  ...businessPath,
  user: { schema: Type.String(), description: "The member's user id.", example: String(MEMBER.example.userId) },
} as const;

export const CHANGE_ROLE = declare({
  operationId: "changeRole",
  changes: ["listMembers", "getAccount", "getBusiness"],
  summary: "Change a member's role",
  description:
    "Changes the role of a member. Only owners can add, change or remove owners, and a business keeps at least one.",
  path: member,
  body: requestBody({
    component: "RoleInput",
    operation: "The change",
    fields: { role: roleField },
    example: { role: "admin" },
  }),
  success: answer(200, "The member.", "Member", MEMBER.example),
});

export const REMOVE_MEMBER = declare({
  operationId: "removeMember",
  summary: "Remove a member",
  description: "Removes a member. Their next request is refused.",
  path: member,
  success: DONE,
});

export const LEAVE = declare({
  operationId: "leaveBusiness",
  changes: ["getAccount"],
  summary: "Leave a business",
  description: "Leaves the business. The last owner cannot leave.",
  success: DONE,
});

export const LIST_INVITATIONS = declare({
  operationId: "listInvitations",
  summary: "List invitations",
  description: "Lists the invitations that can still be accepted.",
  success: listAnswer("The invitations.", "Invitation", INVITATION.example),
  errors: ["forbidden", "not_found"],
});

export const INVITE = declare({
  operationId: "invite",
  summary: "Invite someone",
  description:
    "Sends an invitation link to the address, good once and for seven days. An address has one open invitation to a business. If this deployment sends no email, the response has the link, only once.",
  body: requestBody({
    component: "InvitationInput",
    operation: "The invitation",
    fields: { email: emailField, role: roleField },
    example: { email: "sam@example.com", role: "developer" },
  }),
  success: answer(201, "The invitation.", "MadeInvitation", MADE_INVITATION.example),
  errors: [...errors, "rate_limited"],
});

export const REVOKE_INVITATION = declare({
  operationId: "revokeInvitation",
  summary: "Revoke an invitation",
  description: "Revokes the invitation. Its link stops working.",
  path: {
    ...businessPath,
    invitation: { schema: Type.String(), description: "The invitation's id.", example: INVITATION_ID },
  },
  success: DONE,
});

const declareOpen = declarations({ tag: "Sign-in", errors: ["action_refused", "rate_limited"] });

export const READ_INVITATION = declareOpen({
  operationId: "readInvitation",
  summary: "Get an invitation by its link",
  description: "Reads an invitation for the page of its link.",
  body: requestBody({
    component: "InvitationLinkInput",
    operation: "The operation",
    fields: { invitation: invitationField },
    example: { invitation: INVITATION_SECRET },
  }),
  success: answer(200, "The invitation's details.", "InvitationDetails", DETAILS.example),
});

export const ACCEPT_INVITATION = declareOpen({
  operationId: "acceptInvitation",
  changes: ["getAccount"],
  tag: "Account",
  summary: "Accept an invitation",
  description: "Accepts an invitation for the email address of the signed-in user.",
  body: requestBody({
    component: "AcceptedInvitationInput",
    operation: "The operation",
    fields: { invitation: invitationField },
    example: { invitation: INVITATION_SECRET },
  }),
  success: answer(200, "The business and the role.", "Joined", JOINED.example),
  errors: ["action_refused"],
});

export const SIGN_UP_INVITED = declareOpen({
  operationId: "signUpInvited",
  summary: "Make a user by an invitation",
  description: "Creates a user for an email address without one. The user is then a member and signed in.",
  body: requestBody({
    component: "InvitedInput",
    operation: "Sign-up",
    fields: { invitation: invitationField, name: nameField, password: passwordField },
    example: { invitation: INVITATION_SECRET, name: "Sam", password: "correct horse battery" },
  }),
  success: {
    ...SIGNED_IN,
    example: {
      ...SIGNED_IN.example,
      user: { ...USER.example, email: "sam@example.com", name: "Sam", isOperator: false },
    },
  },
});

export const LIST_DISPUTE_EMAILS = declarations({ tag: "Account", errors: [] })({
  operationId: "listDisputeEmails",
  summary: "List emails about disputes",
  description:
    "The emails about disputes that the user gets, by business. Without a choice, owners and members with the role `disputes` get all.",
  success: listAnswer("The businesses of the user.", "DisputeEmails", DISPUTE_EMAILS.example),
});
export const CHOOSE_DISPUTE_EMAILS = declare({
  operationId: "chooseDisputeEmails",
  changes: ["listDisputeEmails"],
  summary: "Choose emails about disputes",
  description: "Sets the emails about disputes of the business that the user gets.",
  body: requestBody({
    component: "DisputeEmailsInput",
    operation: "The choice",
    fields: { opened: field(FLAG), turn: field(FLAG), due_soon: field(FLAG), offer: field(FLAG), closed: field(FLAG) },
    example: { opened: true, turn: true, due_soon: true, offer: false, closed: false },
  }),
  success: DONE,
});
