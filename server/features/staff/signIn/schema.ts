import { type TSchema, Type } from "typebox";
import { invalid } from "../../../domain/errors.ts";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { type Field, requestBody } from "../../../edge/http/fields.ts";
import { choice, component, nullable } from "../../../edge/http/schemas.ts";
import { codeField, emailField, nameField, passwordField, secretField } from "../fields.ts";
import { assertionField } from "./credentialFields.ts";

const USER_EXAMPLE = {
  object: "user",
  id: "usr_01a1fc06b1cd6aa165e96a8ab2d2e7fc",
  email: "kim@example.com",
  name: "Kim",
  isOperator: true,
  isArbiter: false,
};

const done = (name: string, description: string): TSchema =>
  Type.Object({ object: Type.Literal(name) }, { description });

export const signInComponents: Components = {
  User: Type.Object(
    {
      object: Type.Literal("user"),
      id: Type.String({ pattern: "^usr_[0-9a-f]{32}$" }),
      email: Type.String(),
      name: Type.String(),
      isOperator: Type.Boolean({
        description: "Whether the user may see all businesses of the deployment, and add one.",
      }),
      isArbiter: Type.Boolean({ description: "Whether the user decides disputes of the deployment." }),
    },
    { description: "Someone who signs in to the dashboard." },
  ),
  SignIn: Type.Object(
    {
      object: Type.Literal("sign_in"),
      status: choice(["signed_in", "second_factor"], {
        description: "With `signed_in` the answer set the session's cookie; with `second_factor` a code is needed.",
      }),
      ticket: nullable(Type.String({ description: "To be sent with the code." })),
      user: nullable(component("User")),
    },
    { description: "How far a sign-in has come." },
  ),
  PasskeyChallenge: Type.Object(
    {
      object: Type.Literal("passkey_challenge"),
      publicKey: Type.Object(
        {},
        {
          additionalProperties: true,
          description: "For `parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON` of PublicKeyCredential.",
        },
      ),
    },
    { description: "What a browser asks a passkey." },
  ),
  PasswordReset: Type.Object(
    {
      object: Type.Literal("password_reset"),
      byMail: Type.Boolean({
        description: "Whether this deployment sends letters. Where it does not, its operator gives out links.",
      }),
    },
    { description: "Says the same for every address." },
  ),
  PasswordResetDetails: Type.Object(
    {
      object: Type.Literal("password_reset_details"),
      hasApp: Type.Boolean({ description: "True if there is an authenticator app, which stays." }),
      passkeys: Type.Array(component("Passkey"), { description: "Removed unless they are kept." }),
      sessions: Type.Array(component("StaffSession"), { description: "They all end." }),
    },
    { description: "The ways to sign in to an account whose password is about to be set." },
  ),
  PasswordSet: done("password_set", "The password was set, and all sessions of the user have ended."),
};

const PASSKEY_ID = /^pk_[0-9a-f]{32}$/;
const isPasskeyId = (value: unknown): value is string => typeof value === "string" && PASSKEY_ID.test(value);
const keepField: Field<readonly string[]> = {
  schema: Type.Array(Type.String({ pattern: PASSKEY_ID.source }), {
    maxItems: 100,
    description: "Ids of the passkeys that stay; none unless given.",
  }),
  expected: "a list of at most 100 ids of passkeys",
  parse: ({ value }, name) => {
    if (!Array.isArray(value) || value.length > 100 || !value.every(isPasskeyId))
      throw invalid(name, "Expected a list of at most 100 ids of passkeys.");
    return value;
  },
  fallback: [],
};
const linkField = secretField("The secret of the link.");

const SIGNED_IN = {
  status: 200,
  description: "The session's cookie is set.",
  schema: component("SignIn"),
  example: { object: "sign_in", status: "signed_in", ticket: null, user: USER_EXAMPLE },
} as const;
const errors = ["rate_limited", "action_refused"] as const;
const SECRET_EXAMPLE = "b0qW2oYl1nq8s2Y4cXW3m7pQ0uZ5v1hK9tR6aJ8dEfE";

export const SIGN_IN = {
  operationId: "signIn",
  tag: "Sign-in",
  summary: "Sign in by password",
  description:
    "A wrong password and an unknown address get the same answer. A user with an authenticator app gets a `ticket` for `signInWithCode`.",
  body: requestBody({
    component: "SignInInput",
    operation: "Sign-in",
    fields: { email: emailField, password: passwordField },
    example: { email: "kim@example.com", password: "correct horse battery" },
  }),
  success: { ...SIGNED_IN, description: "Signed in, or a code is needed." },
  errors,
} as const satisfies Declaration;

export const GIVE_CODE = {
  operationId: "signInWithCode",
  tag: "Sign-in",
  summary: "Give the second factor",
  description: "A code of the authenticator app, or one of the backup codes; each works once.",
  body: requestBody({
    component: "CodeInput",
    operation: "The second step",
    fields: { ticket: secretField("The ticket of the first step."), code: codeField },
    example: { ticket: SECRET_EXAMPLE, code: "287082" },
  }),
  success: SIGNED_IN,
  errors,
} as const satisfies Declaration;

export const CHALLENGE_EXAMPLE = {
  object: "passkey_challenge",
  publicKey: { challenge: SECRET_EXAMPLE, rpId: "localhost", userVerification: "required" },
};

export const CHALLENGE_SIGN_IN = {
  operationId: "challengeSignIn",
  tag: "Sign-in",
  summary: "Begin a sign-in by passkey",
  description: "The challenge is good once, for five minutes, and names no user.",
  success: {
    status: 200,
    description: "A challenge.",
    schema: component("PasskeyChallenge"),
    example: CHALLENGE_EXAMPLE,
  },
  errors,
} as const satisfies Declaration;

export const CREDENTIAL_EXAMPLE = {
  id: "AQIDBA",
  rawId: "AQIDBA",
  type: "public-key",
  response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "MEUC" },
  clientExtensionResults: {},
};

export const SIGN_IN_BY_PASSKEY = {
  operationId: "signInByPasskey",
  tag: "Sign-in",
  summary: "Sign in by passkey",
  description: "The passkey checks its user itself, so no code is asked for.",
  body: requestBody({
    component: "PasskeySignInInput",
    operation: "Sign-in",
    fields: { credential: assertionField },
    example: { credential: CREDENTIAL_EXAMPLE },
  }),
  success: SIGNED_IN,
  errors,
} as const satisfies Declaration;

export const SIGN_UP_OWNER = {
  operationId: "signUpOwner",
  tag: "Sign-in",
  summary: "Make the first user",
  description: "By the link that the log shows as long as there is no user. The first user is an operator.",
  body: requestBody({
    component: "OwnerInput",
    operation: "Sign-up",
    fields: {
      link: linkField,
      email: emailField,
      name: nameField,
      password: passwordField,
    },
    example: { link: SECRET_EXAMPLE, email: "kim@example.com", name: "Kim", password: "correct horse battery" },
  }),
  success: SIGNED_IN,
  errors,
} as const satisfies Declaration;

export const REQUEST_RESET = {
  operationId: "requestPasswordReset",
  tag: "Sign-in",
  summary: "Ask for a link to set a password",
  description: "The link goes to the address, if it has a user. The answer is the same for every address.",
  body: requestBody({
    component: "PasswordResetInput",
    operation: "The request",
    fields: { email: emailField },
    example: { email: "kim@example.com" },
  }),
  success: {
    status: 200,
    description: "Heard.",
    schema: component("PasswordReset"),
    example: { object: "password_reset", byMail: true },
  },
  errors,
} as const satisfies Declaration;

export const READ_RESET = {
  operationId: "readPasswordReset",
  tag: "Sign-in",
  summary: "Read a link that sets a password",
  description:
    "Lists the ways to sign in to the account, so that its user sees what somebody else may have left. The link stays good.",
  body: requestBody({
    component: "PasswordLinkInput",
    operation: "The operation",
    fields: { link: linkField },
    example: { link: SECRET_EXAMPLE },
  }),
  success: {
    status: 200,
    description: "The passkeys and sessions, and whether there is an authenticator app.",
    schema: component("PasswordResetDetails"),
    example: { object: "password_reset_details", hasApp: false, passkeys: [], sessions: [] },
  },
  errors,
} as const satisfies Declaration;

export const RESET_PASSWORD = {
  operationId: "resetPassword",
  tag: "Sign-in",
  summary: "Set a password by a link",
  description:
    "Ends all sessions of the user, and removes all passkeys but those of `keepPasskeys`. An authenticator app is still asked for at the next sign-in.",
  body: requestBody({
    component: "NewPasswordByLinkInput",
    operation: "The operation",
    fields: { link: linkField, password: passwordField, keepPasskeys: keepField },
    example: { link: SECRET_EXAMPLE, password: "correct horse battery" },
  }),
  success: {
    status: 200,
    description: "The password is set.",
    schema: component("PasswordSet"),
    example: { object: "password_set" },
  },
  errors,
} as const satisfies Declaration;
