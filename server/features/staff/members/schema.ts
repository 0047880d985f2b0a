import { Type } from "typebox";
import { ROLES } from "../../../domain/roles.ts";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { choiceField, requestBody } from "../../../edge/http/fields.ts";
import { choice, component, listOf, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { BUSINESS_ID, businessPath } from "../../../edge/staff/paths.ts";
import { emailField, nameField, passwordField, secretField } from "../fields.ts";

const USER_ID = "usr_01a1fc06b1cd6aa165e96a8ab2d2e7fc";
const INVITATION_ID = "inv_01a1fc06b1cd6aa165e96a8ab2d2e7fc";
const AT = "2026-11-20T08:30:00.000Z";
const role = () =>
  choice(ROLES, {
    description:
      "`owner` does everything; `admin` all but decide about owners; `developer` manages API keys; `read_only` reads.",
  });

const invitation = {
  object: Type.Literal("invitation"),
  id: Type.String({ pattern: "^inv_[0-9a-f]{32}$" }),
  email: Type.String(),
  role: role(),
  createdAt: timestamp("When it was made."),
  expiresAt: timestamp("Until when it can be accepted."),
  byMail: Type.Boolean({
    description: "True if this deployment sends letters. If it does not, the member who invites hands out the link.",
  }),
};

export const memberComponents: Components = {
  Member: Type.Object(
    {
      object: Type.Literal("member"),
      userId: Type.String({ pattern: "^usr_[0-9a-f]{32}$" }),
      email: Type.String(),
      name: Type.String(),
      role: role(),
      createdAt: timestamp("Since when."),
    },
    { description: "A user in a business." },
  ),
  MemberList: listOf("Member", "Members"),
  Invitation: Type.Object(invitation, { description: "An invitation to a business." }),
  MadeInvitation: Type.Object(
    {
      ...invitation,
      link: nullable(Type.String(), {
        description:
          "Its link, where this deployment sends no letters: this is the only time it is shown. Null: it goes by mail.",
      }),
    },
    { description: "An invitation that was just made." },
  ),
  InvitationList: listOf("Invitation", "Invitations"),
  InvitationDetails: Type.Object(
    {
      object: Type.Literal("invitation_details"),
      business: Type.String({ description: "The business's name." }),
      email: Type.String(),
      role: role(),
      hasUser: Type.Boolean({ description: "Whether the address has a user, who signs in and accepts." }),
    },
    { description: "An invitation, to one who has its link." },
  ),
  Joined: Type.Object(
    { object: Type.Literal("joined"), businessId: Type.String({ pattern: "^biz_[0-9a-f]{32}$" }), role: role() },
    { description: "The user is a member from now on." },
  ),
};

const errors = ["forbidden", "proof_required", "not_found", "action_refused"] as const;
const roleField = choiceField(ROLES);
const invitationField = secretField("What the invitation's link carries.");
const INVITATION_SECRET = `${BUSINESS_ID}.${INVITATION_ID}.b0qW2oYl1nq8s2Y4cXW3m7pQ0uZ5v1hK9tR6aJ8dEfE`;
const MEMBER_EXAMPLE = {
  object: "member",
  userId: USER_ID,
  email: "kim@example.com",
  name: "Kim",
  role: "owner",
  createdAt: AT,
};
const INVITATION_EXAMPLE = {
  object: "invitation",
  id: INVITATION_ID,
  email: "sam@example.com",
  role: "developer",
  createdAt: AT,
  expiresAt: "2026-11-27T08:30:00.000Z",
  byMail: true,
};

export const LIST_MEMBERS = {
  operationId: "listMembers",
  tag: "Businesses",
  summary: "List members",
  description: "All members of the business.",
  path: businessPath,
  success: {
    status: 200,
    description: "The members.",
    schema: component("MemberList"),
    example: { object: "list", data: [MEMBER_EXAMPLE], hasMore: false },
  },
  errors: ["not_found"],
} as const satisfies Declaration;

const member = {
  ...businessPath,
  user: { schema: Type.String(), description: "The member's user id.", example: USER_ID },
} as const;

export const CHANGE_ROLE = {
  operationId: "changeRole",
  changes: ["listMembers", "getAccount", "getBusiness"],
  tag: "Businesses",
  summary: "Change a member's role",
  description: "Only owners decide about owners, and a business keeps one.",
  path: member,
  body: requestBody({
    component: "RoleInput",
    operation: "The change",
    fields: { role: roleField },
    example: { role: "admin" },
  }),
  success: { status: 200, description: "The member.", schema: component("Member"), example: MEMBER_EXAMPLE },
  errors,
} as const satisfies Declaration;

const DONE = { status: 200, description: "Done.", schema: component("Done"), example: { object: "done" } } as const;

export const REMOVE_MEMBER = {
  operationId: "removeMember",
  tag: "Businesses",
  summary: "Remove a member",
  description: "The member is out with their next request.",
  path: member,
  success: DONE,
  errors,
} as const satisfies Declaration;

export const LEAVE = {
  operationId: "leaveBusiness",
  changes: ["getAccount"],
  tag: "Businesses",
  summary: "Leave a business",
  description: "Any member may, but the last owner.",
  path: businessPath,
  success: DONE,
  errors,
} as const satisfies Declaration;

export const LIST_INVITATIONS = {
  operationId: "listInvitations",
  tag: "Businesses",
  summary: "List invitations",
  description: "Those that can still be accepted.",
  path: businessPath,
  success: {
    status: 200,
    description: "The invitations.",
    schema: component("InvitationList"),
    example: { object: "list", data: [INVITATION_EXAMPLE], hasMore: false },
  },
  errors: ["forbidden", "not_found"],
} as const satisfies Declaration;

export const INVITE = {
  operationId: "invite",
  tag: "Businesses",
  summary: "Invite someone",
  description:
    "The link goes to the address alone; where this deployment sends no letters, the answer shows it this once.",
  path: businessPath,
  body: requestBody({
    component: "InvitationInput",
    operation: "The invitation",
    fields: { email: emailField, role: roleField },
    example: { email: "sam@example.com", role: "developer" },
  }),
  success: {
    status: 201,
    description: "The invitation.",
    schema: component("MadeInvitation"),
    example: { ...INVITATION_EXAMPLE, link: null },
  },
  errors: [...errors, "rate_limited"],
} as const satisfies Declaration;

export const REVOKE_INVITATION = {
  operationId: "revokeInvitation",
  tag: "Businesses",
  summary: "Revoke an invitation",
  description: "Its link stops working.",
  path: {
    ...businessPath,
    invitation: { schema: Type.String(), description: "The invitation's id.", example: INVITATION_ID },
  },
  success: DONE,
  errors,
} as const satisfies Declaration;

export const READ_INVITATION = {
  operationId: "readInvitation",
  tag: "Sign-in",
  summary: "Look at an invitation",
  description: "For the page behind its link.",
  body: requestBody({
    component: "InvitationLinkInput",
    operation: "The operation",
    fields: { invitation: invitationField },
    example: { invitation: INVITATION_SECRET },
  }),
  success: {
    status: 200,
    description: "What it is to.",
    schema: component("InvitationDetails"),
    example: {
      object: "invitation_details",
      business: "Demo shop",
      email: "sam@example.com",
      role: "developer",
      hasUser: false,
    },
  },
  errors: ["action_refused", "rate_limited"],
} as const satisfies Declaration;

export const ACCEPT_INVITATION = {
  operationId: "acceptInvitation",
  changes: ["getAccount"],
  tag: "Account",
  summary: "Accept an invitation",
  description: "It must be for the address of the user who is signed in.",
  body: requestBody({
    component: "AcceptedInvitationInput",
    operation: "The operation",
    fields: { invitation: invitationField },
    example: { invitation: INVITATION_SECRET },
  }),
  success: {
    status: 200,
    description: "Joined.",
    schema: component("Joined"),
    example: { object: "joined", businessId: BUSINESS_ID, role: "developer" },
  },
  errors: ["action_refused"],
} as const satisfies Declaration;

export const SIGN_UP_INVITED = {
  operationId: "signUpInvited",
  tag: "Sign-in",
  summary: "Make a user by an invitation",
  description: "For an address that has none yet. The user is a member and signed in.",
  body: requestBody({
    component: "InvitedInput",
    operation: "Sign-up",
    fields: { invitation: invitationField, name: nameField, password: passwordField },
    example: { invitation: INVITATION_SECRET, name: "Sam", password: "correct horse battery" },
  }),
  success: {
    status: 200,
    description: "The session's cookie is set.",
    schema: component("SignIn"),
    example: {
      object: "sign_in",
      status: "signed_in",
      ticket: null,
      user: { object: "user", id: USER_ID, email: "sam@example.com", name: "Sam", isOperator: false, isArbiter: false },
    },
  },
  errors: ["action_refused", "rate_limited"],
} as const satisfies Declaration;
