import { Type } from "typebox";
import { idKind } from "../../../domain/ids.ts";
import { ROLES } from "../../../domain/roles.ts";
import { type Components, declarations } from "../../../edge/http/declaration.ts";
import { optional, requestBody } from "../../../edge/http/fields.ts";
import { part, shownObject } from "../../../edge/http/objects.ts";
import { answer, choice, listAnswer, listOf } from "../../../edge/http/schemas.ts";
import { DONE } from "../../../edge/staff/answers.ts";
import { BUSINESS_ID } from "../../../edge/staff/paths.ts";
import { flag, integer, other, word } from "../../../lib/columns.ts";
import { codeField, nameField, passwordField } from "../fields.ts";
import type { Membership } from "../members/queries.ts";
import { assertionField, registrationField } from "../signIn/credentialFields.ts";
import { CREDENTIAL_EXAMPLE, challengeAnswer, PASSKEY, SESSION, userMember } from "../signIn/schema.ts";
import { SESSIONS } from "../user.ts";

export const ACCOUNT = shownObject(
  "account",
  {
    user: userMember,
    session: part({
      id: SESSIONS.columns.id,
      isFresh: flag({
        says: "True if operations on keys, secrets and members need no further proof now.",
        example: true,
      }),
    }),
    signIn: part(
      {
        hasPassword: flag({ says: "True if a password is set.", example: true }),
        hasTotp: flag({ says: "True if there is an authenticator app.", example: false }),
        backupCodesLeft: integer({ says: "Backup codes that are unused.", example: 0, schema: { minimum: 0 } }),
        passkeys: integer({ says: "Passkeys of the user.", example: 1, schema: { minimum: 0 } }),
        isLinked: flag({ says: "True if the user is linked to the company's provider.", example: false }),
      },
      "The ways in which the user signs in.",
    ),
    businesses: other<readonly Membership[]>("json", {
      says: "The businesses of the user.",
      example: [{ id: BUSINESS_ID, name: "Demo shop", role: "owner" }],
      schema: Type.Array(
        Type.Object({
          id: idKind("biz").schema,
          name: Type.String(),
          role: choice(ROLES, { description: "The user's role there." }),
        }),
      ),
    }),
  },
  "The user who is signed in.",
);
export const APP = shownObject(
  "authenticator_app",
  {
    secret: word({
      says: "The secret to type into the app; shown this once.",
      example: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      schema: { pattern: "^[A-Z2-7]{32}$" },
    }),
    uri: word({
      says: "The same for a QR code.",
      example: "otpauth://totp/Holdfast:kim%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Holdfast",
    }),
  },
  "An authenticator app that waits to be confirmed by a code.",
);
export const CODES = shownObject(
  "backup_codes",
  {
    codes: other<readonly string[]>("text[]", {
      example: ["K7QX-2MZD-5RVA-NC3T"],
      schema: Type.Array(Type.String()),
    }),
  },
  "Codes for the day on which the app is lost. Shown this once; each works once.",
);

export const accountComponents: Components = {
  Account: ACCOUNT.schema,
  StaffSession: SESSION.schema,
  StaffSessionList: listOf("StaffSession", "Sessions"),
  Passkey: PASSKEY.schema,
  PasskeyList: listOf("Passkey", "Passkeys"),
  AuthenticatorApp: APP.schema,
  BackupCodes: CODES.schema,
  Done: Type.Object({ object: Type.Literal("done") }, { description: "The operation is done." }),
};

const idPath = (description: string, example: string) => ({
  id: { schema: Type.String(), description, example },
});
const errors = ["proof_required", "action_refused", "not_found"] as const;

const declare = declarations({ tag: "Account", errors: [] });

export const GET_ACCOUNT = declare({
  operationId: "getAccount",
  summary: "Get the account",
  description: "The signed-in user, with the ways to sign in and the businesses.",
  success: answer(200, "The account.", "Account", ACCOUNT.example),
});

export const SIGN_OUT = declare({
  operationId: "signOut",
  changes: [],
  summary: "Sign out",
  description: "Ends this session.",
  success: DONE,
});

export const SIGN_OUT_EVERYWHERE = declare({
  operationId: "signOutEverywhere",
  changes: [],
  summary: "Sign out everywhere",
  description: "Ends all sessions of the user, including this one.",
  success: DONE,
});

export const PROVE = declare({
  operationId: "proveByPassword",
  changes: [],
  summary: "Prove by password",
  description:
    "Proves the user for operations that need a recent proof. A user with an authenticator app also sends a code.",
  body: requestBody({
    component: "ProofInput",
    operation: "The proof",
    fields: { password: passwordField, code: optional(codeField) },
    example: { password: "correct horse battery" },
  }),
  success: DONE,
  errors: ["rate_limited", "action_refused"],
});

export const CHALLENGE_PROOF = declare({
  operationId: "challengeProof",
  changes: [],
  summary: "Begin a proof by passkey",
  description: "The challenge works once, for five minutes, and for this user only.",
  success: challengeAnswer,
});

export const PROVE_BY_PASSKEY = declare({
  operationId: "proveByPasskey",
  changes: [],
  summary: "Prove by passkey",
  description: "Proves the user for operations that need a recent proof.",
  body: requestBody({
    component: "PasskeyProofInput",
    operation: "The proof",
    fields: { credential: assertionField },
    example: { credential: CREDENTIAL_EXAMPLE },
  }),
  success: DONE,
});

export const LIST_SESSIONS = declare({
  operationId: "listSessions",
  summary: "List sessions",
  description: "Lists the sessions of the user.",
  success: listAnswer("The sessions, the last used first.", "StaffSession", SESSION.example),
});

export const END_SESSION = declare({
  operationId: "endSession",
  summary: "End a session",
  description: "Ends the session. Its next request is refused.",
  path: idPath("The session's id.", String(SESSION.example.id)),
  success: DONE,
  errors: ["not_found"],
});

export const CHANGE_PASSWORD = declare({
  operationId: "changePassword",
  changes: ["getAccount", "listSessions", "listAccountHistory"],
  summary: "Change the password",
  description: "Changes the password and ends all other sessions. This session continues with a new secret.",
  body: requestBody({
    component: "NewPasswordInput",
    operation: "The change",
    fields: { password: passwordField, current: optional(passwordField) },
    example: { password: "another horse battery", current: "correct horse battery" },
  }),
  success: DONE,
  errors: [...errors, "rate_limited"],
});

export const LIST_PASSKEYS = declare({
  operationId: "listPasskeys",
  summary: "List passkeys",
  description: "Lists the passkeys of the user.",
  success: listAnswer("The passkeys.", "Passkey", PASSKEY.example),
});

export const CHALLENGE_PASSKEY = declare({
  operationId: "challengeNewPasskey",
  changes: [],
  summary: "Begin to add a passkey",
  description: "The challenge works once, for five minutes.",
  success: challengeAnswer,
  errors,
});

export const ADD_PASSKEY = declare({
  operationId: "addPasskey",
  changes: ["listPasskeys", "getAccount"],
  summary: "Add a passkey",
  description: "Adds a passkey, which has to verify its user.",
  body: requestBody({
    component: "PasskeyInput",
    operation: "The operation",
    fields: { name: nameField, credential: registrationField },
    example: {
      name: "Laptop",
      credential: { ...CREDENTIAL_EXAMPLE, response: { clientDataJSON: "e30", attestationObject: "o2Nm" } },
    },
  }),
  success: answer(201, "The passkey.", "Passkey", PASSKEY.example),
  errors,
});

export const REMOVE_PASSKEY = declare({
  operationId: "removePasskey",
  changes: ["listPasskeys", "getAccount"],
  summary: "Remove a passkey",
  description: "Removes the passkey. It can no longer sign in.",
  path: idPath("The passkey's id.", String(PASSKEY.example.id)),
  success: DONE,
  errors,
});

export const BEGIN_TOTP = declare({
  operationId: "addAuthenticatorApp",
  changes: [],
  summary: "Begin to add an authenticator app",
  description: "Starts the setup of an app. The app counts once one of its codes is confirmed.",
  success: answer(201, "The secret for the app.", "AuthenticatorApp", APP.example),
  errors,
});

export const CONFIRM_TOTP = declare({
  operationId: "confirmAuthenticatorApp",
  changes: ["getAccount"],
  summary: "Confirm the authenticator app",
  description: "Completes the setup. From now on, a sign-in with password needs a code.",
  body: requestBody({
    component: "AppCodeInput",
    operation: "The operation",
    fields: { code: codeField },
    example: { code: "287082" },
  }),
  success: answer(200, "The backup codes.", "BackupCodes", CODES.example),
  errors: [...errors, "rate_limited"],
});

export const REMOVE_TOTP = declare({
  operationId: "removeAuthenticatorApp",
  changes: ["getAccount"],
  summary: "Remove the authenticator app",
  description: "Removes the app and its backup codes.",
  success: DONE,
  errors,
});

export const RENEW_BACKUP_CODES = declare({
  operationId: "renewBackupCodes",
  changes: ["getAccount"],
  summary: "Make new backup codes",
  description: "Generates new backup codes. Earlier codes stop working.",
  success: answer(201, "The backup codes.", "BackupCodes", CODES.example),
  errors,
});
