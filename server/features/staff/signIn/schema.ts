import { Type } from "typebox";
import { invalid } from "../../../domain/errors.ts";
import { idKind } from "../../../domain/ids.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { type Field, requestBody } from "../../../edge/http/fields.ts";
import { shownObject } from "../../../edge/http/objects.ts";
import { answer, component } from "../../../edge/http/schemas.ts";
import { type FieldsOf, flag, nullable, other, word } from "../../../lib/columns.ts";
import { codeField, emailField, nameField, passwordField, secretField } from "../fields.ts";
import { type Passkey, SESSIONS, SHOWN_PASSKEY, SHOWN_USER } from "../user.ts";
import { assertionField } from "./credentialFields.ts";

const SECRET_EXAMPLE = "b0qW2oYl1nq8s2Y4cXW3m7pQ0uZ5v1hK9tR6aJ8dEfE";

export const USER = shownObject("user", SHOWN_USER, "Someone who signs in to the dashboard.");
/** A user within another object. */
export const userMember = other<FieldsOf<typeof SHOWN_USER>>("json", {
  example: USER.example as never,
  schema: component("User"),
  show: USER.show,
});

export const PASSKEY = shownObject("passkey", SHOWN_PASSKEY, "A passkey of the user.");
const session = {
  ...SESSIONS.columns,
  isCurrent: flag({ says: "True if it is the session of this request.", example: true }),
};
export const SESSION = shownObject("session", session, "A session of the user.");

export const STEP = shownObject(
  "sign_in",
  {
    status: word({
      of: ["signed_in", "second_factor", "linked", "proven"],
      says: "With `signed_in` the answer set the session's cookie; with `second_factor` a code is needed. By a company's provider a user may also be `linked` or `proven`.",
      example: "signed_in",
    }),
    ticket: nullable(word({ says: "The ticket to send with the code; null if none is needed." })),
    user: nullable(userMember),
  },
  "The step that a sign-in has reached.",
);
export const CHALLENGE = shownObject(
  "passkey_challenge",
  {
    publicKey: other<object>("json", {
      says: "For `parseRequestOptionsFromJSON` or `parseCreationOptionsFromJSON` of PublicKeyCredential.",
      example: { challenge: SECRET_EXAMPLE, rpId: "localhost", userVerification: "required" },
      schema: Type.Object({}, { additionalProperties: true }),
    }),
  },
  "The question of a browser to a passkey.",
);
export const RESET = shownObject(
  "password_reset",
  {
    byEmail: flag({
      says: "True if this deployment sends emails. If it does not, its operator gives out links.",
      example: true,
    }),
  },
  "The same for every address.",
);
export const RESET_DETAILS = shownObject(
  "password_reset_details",
  {
    hasApp: flag({ says: "True if there is an authenticator app, which stays.", example: false }),
    passkeys: other<readonly Passkey[]>("json", {
      says: "Removed unless they are kept.",
      example: [],
      schema: Type.Array(component("Passkey")),
      show: (all) => all.map(PASSKEY.show),
    }),
    sessions: other<readonly FieldsOf<typeof session>[]>("json", {
      says: "They all end.",
      example: [],
      schema: Type.Array(component("StaffSession")),
      show: (all) => all.map(SESSION.show),
    }),
  },
  "The ways to sign in to an account whose password is about to be set.",
);
const PASSWORD_SET = shownObject("password_set", {}, "The password was set, and all sessions of the user have ended.");

export const signInComponents: Components = {
  User: USER.schema,
  SignIn: STEP.schema,
  PasskeyChallenge: CHALLENGE.schema,
  PasswordReset: RESET.schema,
  PasswordResetDetails: RESET_DETAILS.schema,
  PasswordSet: PASSWORD_SET.schema,
};

const PASSKEY_ID = idKind("pk");
const keepField: Field<readonly string[]> = {
  schema: Type.Array(PASSKEY_ID.schema, {
    maxItems: 100,
    description: "Ids of the passkeys that stay; none unless given.",
  }),
  expected: "a list of at most 100 ids of passkeys",
  parse: ({ value }, name) => {
    if (!Array.isArray(value) || value.length > 100 || !value.every((one) => PASSKEY_ID.parse(one) !== null))
      throw invalid(name, "Expected a list of at most 100 ids of passkeys.");
    return value;
  },
  fallback: [],
};
const linkField = secretField("The secret of the link.");

export const SIGNED_IN = answer(200, "The session's cookie is set.", "SignIn", {
  ...STEP.example,
  user: USER.example,
});
const errors = ["rate_limited", "action_refused"] as const;

const declare = declarations({ tag: "Sign-in", errors });

export const SIGN_IN = declare({
  operationId: "signIn",
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
});

export const GIVE_CODE = declare({
  operationId: "signInWithCode",
  summary: "Give the second factor",
  description: "Completes a sign-in with a code of the authenticator app or a backup code. Each code works once.",
  body: requestBody({
    component: "CodeInput",
    operation: "The second step",
    fields: { ticket: secretField("The ticket of the first step."), code: codeField },
    example: { ticket: SECRET_EXAMPLE, code: "287082" },
  }),
  success: SIGNED_IN,
});

export const challengeAnswer = answer(200, "A challenge.", "PasskeyChallenge", CHALLENGE.example);

export const CHALLENGE_SIGN_IN = declare({
  operationId: "challengeSignIn",
  summary: "Begin a sign-in by passkey",
  description: "The challenge works once, for five minutes, and names no user.",
  success: challengeAnswer,
});

export const CREDENTIAL_EXAMPLE = {
  id: "AQIDBA",
  rawId: "AQIDBA",
  type: "public-key",
  response: { clientDataJSON: "e30", authenticatorData: "AAAA", signature: "MEUC" },
  clientExtensionResults: {},
};

export const SIGN_IN_BY_PASSKEY = declare({
  operationId: "signInByPasskey",
  summary: "Sign in by passkey",
  description: "Signs in with a passkey. The passkey verifies its user, so no code is needed.",
  body: requestBody({
    component: "PasskeySignInInput",
    operation: "Sign-in",
    fields: { credential: assertionField },
    example: { credential: CREDENTIAL_EXAMPLE },
  }),
  success: SIGNED_IN,
});

export const SIGN_UP_OWNER = declare({
  operationId: "signUpOwner",
  summary: "Make the first user",
  description:
    "Creates the first user, by the link of `npm run admin -- user first-link`. The first user is an operator.",
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
});

export const REQUEST_RESET = declare({
  operationId: "requestPasswordReset",
  summary: "Ask for a link to set a password",
  description: "Sends a reset link if the address belongs to a user. The response is the same for every address.",
  body: requestBody({
    component: "PasswordResetInput",
    operation: "The request",
    fields: { email: emailField },
    example: { email: "kim@example.com" },
  }),
  success: answer(200, "The request was received.", "PasswordReset", RESET.example),
});

export const READ_RESET = declare({
  operationId: "readPasswordReset",
  summary: "Read a link that sets a password",
  description:
    "Lists the ways to sign in to the account, so that the user sees what someone else may have added. The link stays valid.",
  body: requestBody({
    component: "PasswordLinkInput",
    operation: "The operation",
    fields: { link: linkField },
    example: { link: SECRET_EXAMPLE },
  }),
  success: answer(
    200,
    "The passkeys and sessions, and the presence of an authenticator app.",
    "PasswordResetDetails",
    RESET_DETAILS.example,
  ),
});

export const RESET_PASSWORD = declare({
  operationId: "resetPassword",
  summary: "Set a password by a link",
  description:
    "Ends all sessions of the user, and removes all passkeys but those of `keepPasskeys`. An authenticator app is still asked for at the next sign-in.",
  body: requestBody({
    component: "NewPasswordByLinkInput",
    operation: "The operation",
    fields: { link: linkField, password: passwordField, keepPasskeys: keepField },
    example: { link: SECRET_EXAMPLE, password: "correct horse battery" },
  }),
  success: answer(200, "The password is set.", "PasswordSet", PASSWORD_SET.example),
});
