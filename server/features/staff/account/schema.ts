import { Type } from "typebox";
import { ROLES } from "../../../domain/roles.ts";
import type { Components, Declaration } from "../../../edge/http/declaration.ts";
import { optional, requestBody } from "../../../edge/http/fields.ts";
import { choice, component, listOf, nullable, timestamp } from "../../../edge/http/schemas.ts";
import { codeField, nameField, passwordField } from "../fields.ts";
import { assertionField, registrationField } from "../signIn/credentialFields.ts";
import { CHALLENGE_EXAMPLE, CREDENTIAL_EXAMPLE } from "../signIn/schema.ts";

const SESSION_ID = "ses_01a1fc06b1cd6aa165e96a8ab2d2e7fc";
const PASSKEY_ID = "pk_01a1fc06b1cd6aa165e96a8ab2d2e7fc";
const BACKUP_CODE_EXAMPLES = ["K7QX-2MZD-5RVA-NC3T"];
const AT = "2026-11-20T08:30:00.000Z";

export const accountComponents: Components = {
  Account: Type.Object(
    {
      object: Type.Literal("account"),
      user: component("User"),
      session: Type.Object({
        id: Type.String({ pattern: "^ses_[0-9a-f]{32}$" }),
        isFresh: Type.Boolean({
          description: "Whether operations on keys, secrets and members need no further proof now.",
        }),
      }),
      signIn: Type.Object(
        {
          hasPassword: Type.Boolean(),
          hasTotp: Type.Boolean({ description: "Whether there is an authenticator app." }),
          backupCodesLeft: Type.Integer({ minimum: 0 }),
          passkeys: Type.Integer({ minimum: 0 }),
        },
        { description: "The ways in which the user signs in." },
      ),
      businesses: Type.Array(
        Type.Object({
          id: Type.String({ pattern: "^biz_[0-9a-f]{32}$" }),
          name: Type.String(),
          role: choice(ROLES, { description: "The user's role there." }),
        }),
        { description: "The businesses of the user." },
      ),
    },
    { description: "The user who is signed in." },
  ),
  StaffSession: Type.Object(
    {
      object: Type.Literal("session"),
      id: Type.String({ pattern: "^ses_[0-9a-f]{32}$" }),
      isCurrent: Type.Boolean({ description: "Whether it is the one that asks." }),
      method: Type.String({ description: "How it began." }),
      address: Type.String({ description: "The network address of its last request." }),
      userAgent: Type.String({ description: "The browser, in its own words." }),
      createdAt: timestamp("When it began."),
      lastUsedAt: timestamp("When it was last used, to the minute."),
      expiresAt: timestamp("When it ends, unless it is used before."),
    },
    { description: "A session of the user." },
  ),
  StaffSessionList: listOf("StaffSession", "Sessions"),
  Passkey: Type.Object(
    {
      object: Type.Literal("passkey"),
      id: Type.String({ pattern: "^pk_[0-9a-f]{32}$" }),
      name: Type.String(),
      createdAt: timestamp("When it was added."),
      lastUsedAt: nullable(timestamp("When it last signed in."), { description: "Null until then." }),
    },
    { description: "A passkey of the user." },
  ),
  PasskeyList: listOf("Passkey", "Passkeys"),
  AuthenticatorApp: Type.Object(
    {
      object: Type.Literal("authenticator_app"),
      secret: Type.String({ pattern: "^[A-Z2-7]{32}$", description: "To be typed into the app; shown this once." }),
      uri: Type.String({ description: "The same for a QR code." }),
    },
    { description: "An authenticator app that waits to be confirmed by a code." },
  ),
  BackupCodes: Type.Object(
    { object: Type.Literal("backup_codes"), codes: Type.Array(Type.String()) },
    { description: "Codes for the day on which the app is lost. Shown this once; each works once." },
  ),
  Done: Type.Object({ object: Type.Literal("done") }, { description: "It is done." }),
};

const DONE = { status: 200, description: "Done.", schema: component("Done"), example: { object: "done" } } as const;
const idPath = (description: string, example: string) => ({
  id: { schema: Type.String(), description, example },
});
const errors = ["proof_required", "action_refused", "not_found"] as const;

export const GET_ACCOUNT = {
  operationId: "getAccount",
  tag: "Account",
  summary: "Get the account",
  description: "Who is signed in, how, and to which businesses.",
  success: {
    status: 200,
    description: "The account.",
    schema: component("Account"),
    example: {
      object: "account",
      user: {
        object: "user",
        id: "usr_01a1fc06b1cd6aa165e96a8ab2d2e7fc",
        email: "kim@example.com",
        name: "Kim",
        isOperator: true,
        isArbiter: false,
      },
      session: { id: SESSION_ID, isFresh: true },
      signIn: { hasPassword: true, hasTotp: false, backupCodesLeft: 0, passkeys: 1 },
      businesses: [{ id: "biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc", name: "Demo shop", role: "owner" }],
    },
  },
  errors: [],
} as const satisfies Declaration;

export const SIGN_OUT = {
  operationId: "signOut",
  changes: [],
  tag: "Account",
  summary: "Sign out",
  description: "Ends this session.",
  success: DONE,
  errors: [],
} as const satisfies Declaration;

export const SIGN_OUT_EVERYWHERE = {
  operationId: "signOutEverywhere",
  changes: [],
  tag: "Account",
  summary: "Sign out everywhere",
  description: "Ends all sessions of the user, this one too.",
  success: DONE,
  errors: [],
} as const satisfies Declaration;

export const PROVE = {
  operationId: "proveByPassword",
  changes: [],
  tag: "Account",
  summary: "Prove by password",
  description: "For operations that need a recent proof. A user with an authenticator app gives a code too.",
  body: requestBody({
    component: "ProofInput",
    operation: "The proof",
    fields: { password: passwordField, code: optional(codeField) },
    example: { password: "correct horse battery" },
  }),
  success: DONE,
  errors: ["rate_limited", "action_refused"],
} as const satisfies Declaration;

export const CHALLENGE_PROOF = {
  operationId: "challengeProof",
  changes: [],
  tag: "Account",
  summary: "Begin a proof by passkey",
  description: "The challenge is good once, for five minutes, and for this user alone.",
  success: {
    status: 200,
    description: "A challenge.",
    schema: component("PasskeyChallenge"),
    example: CHALLENGE_EXAMPLE,
  },
  errors: [],
} as const satisfies Declaration;

export const PROVE_BY_PASSKEY = {
  operationId: "proveByPasskey",
  changes: [],
  tag: "Account",
  summary: "Prove by passkey",
  description: "For operations that need a recent proof.",
  body: requestBody({
    component: "PasskeyProofInput",
    operation: "The proof",
    fields: { credential: assertionField },
    example: { credential: CREDENTIAL_EXAMPLE },
  }),
  success: DONE,
  errors: [],
} as const satisfies Declaration;

export const LIST_SESSIONS = {
  operationId: "listSessions",
  tag: "Account",
  summary: "List sessions",
  description: "Where the user is signed in.",
  success: {
    status: 200,
    description: "The sessions, the one used last first.",
    schema: component("StaffSessionList"),
    example: {
      object: "list",
      data: [
        {
          object: "session",
          id: SESSION_ID,
          isCurrent: true,
          method: "passkey",
          address: "203.0.113.7",
          userAgent: "Mozilla/5.0",
          createdAt: AT,
          lastUsedAt: AT,
          expiresAt: "2026-11-20T20:30:00.000Z",
        },
      ],
      hasMore: false,
    },
  },
  errors: [],
} as const satisfies Declaration;

export const END_SESSION = {
  operationId: "endSession",
  tag: "Account",
  summary: "End a session",
  description: "It ends with its next request.",
  path: idPath("The session's id.", SESSION_ID),
  success: DONE,
  errors: ["not_found"],
} as const satisfies Declaration;

export const CHANGE_PASSWORD = {
  operationId: "changePassword",
  changes: ["getAccount", "listSessions", "listAccountHistory"],
  tag: "Account",
  summary: "Change the password",
  description: "Ends all other sessions. This one goes on under a new secret.",
  body: requestBody({
    component: "NewPasswordInput",
    operation: "The change",
    fields: { password: passwordField, current: optional(passwordField) },
    example: { password: "another horse battery", current: "correct horse battery" },
  }),
  success: DONE,
  errors: [...errors, "rate_limited"],
} as const satisfies Declaration;

const PASSKEY_EXAMPLE = { object: "passkey", id: PASSKEY_ID, name: "Laptop", createdAt: AT, lastUsedAt: null };

export const LIST_PASSKEYS = {
  operationId: "listPasskeys",
  tag: "Account",
  summary: "List passkeys",
  description: "All passkeys of the user.",
  success: {
    status: 200,
    description: "The passkeys.",
    schema: component("PasskeyList"),
    example: { object: "list", data: [PASSKEY_EXAMPLE], hasMore: false },
  },
  errors: [],
} as const satisfies Declaration;

export const CHALLENGE_PASSKEY = {
  operationId: "challengeNewPasskey",
  changes: [],
  tag: "Account",
  summary: "Begin to add a passkey",
  description: "The challenge is good once, for five minutes.",
  success: {
    status: 200,
    description: "A challenge.",
    schema: component("PasskeyChallenge"),
    example: CHALLENGE_EXAMPLE,
  },
  errors,
} as const satisfies Declaration;

export const ADD_PASSKEY = {
  operationId: "addPasskey",
  changes: ["listPasskeys", "getAccount"],
  tag: "Account",
  summary: "Add a passkey",
  description: "The passkey has to check its user by itself.",
  body: requestBody({
    component: "PasskeyInput",
    operation: "The operation",
    fields: { name: nameField, credential: registrationField },
    example: {
      name: "Laptop",
      credential: { ...CREDENTIAL_EXAMPLE, response: { clientDataJSON: "e30", attestationObject: "o2Nm" } },
    },
  }),
  success: { status: 201, description: "The passkey.", schema: component("Passkey"), example: PASSKEY_EXAMPLE },
  errors,
} as const satisfies Declaration;

export const REMOVE_PASSKEY = {
  operationId: "removePasskey",
  changes: ["listPasskeys", "getAccount"],
  tag: "Account",
  summary: "Remove a passkey",
  description: "It signs nobody in any more.",
  path: idPath("The passkey's id.", PASSKEY_ID),
  success: DONE,
  errors,
} as const satisfies Declaration;

export const BEGIN_TOTP = {
  operationId: "addAuthenticatorApp",
  changes: [],
  tag: "Account",
  summary: "Begin to add an authenticator app",
  description: "It counts once a code of it was given.",
  success: {
    status: 201,
    description: "What the app is to be given.",
    schema: component("AuthenticatorApp"),
    example: {
      object: "authenticator_app",
      secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      uri: "otpauth://totp/Holdfast:kim%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Holdfast",
    },
  },
  errors,
} as const satisfies Declaration;

export const CONFIRM_TOTP = {
  operationId: "confirmAuthenticatorApp",
  changes: ["getAccount"],
  tag: "Account",
  summary: "Confirm the authenticator app",
  description: "From now on a sign-in by password needs a code.",
  body: requestBody({
    component: "AppCodeInput",
    operation: "The operation",
    fields: { code: codeField },
    example: { code: "287082" },
  }),
  success: {
    status: 200,
    description: "The backup codes.",
    schema: component("BackupCodes"),
    example: { object: "backup_codes", codes: BACKUP_CODE_EXAMPLES },
  },
  errors: [...errors, "rate_limited"],
} as const satisfies Declaration;

export const REMOVE_TOTP = {
  operationId: "removeAuthenticatorApp",
  changes: ["getAccount"],
  tag: "Account",
  summary: "Remove the authenticator app",
  description: "Its backup codes go with it.",
  success: DONE,
  errors,
} as const satisfies Declaration;

export const RENEW_BACKUP_CODES = {
  operationId: "renewBackupCodes",
  changes: ["getAccount"],
  tag: "Account",
  summary: "Make new backup codes",
  description: "The ones before stop working.",
  success: {
    status: 201,
    description: "The backup codes.",
    schema: component("BackupCodes"),
    example: { object: "backup_codes", codes: BACKUP_CODE_EXAMPLES },
  },
  errors,
} as const satisfies Declaration;
