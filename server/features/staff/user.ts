import { domainToASCII } from "node:url";
import { EXAMPLE_SUFFIX, idColumn } from "../../domain/ids.ts";
import { ROLES, type Role } from "../../domain/roles.ts";
import { digits, type FieldsOf, flag, nullable, omit, other, table, text, time, word } from "../../lib/columns.ts";
import { entryColumns } from "../audit/audit.ts";

/** The tables of users and members, and the rules for a user's own data. Pure. */

const EMAIL_CHARACTERS_MAX = 254;
/** ASCII only before the @, so that no two different addresses look alike. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** An address as it is shown and written to, and the key by which it is found. */
export interface Email {
  readonly shown: string;
  readonly key: string;
}

/** Parses an e-mail address. Null if no email could be sent to it. */
export function parseEmail(text: string): Email | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf("@");
  const domain = domainToASCII(trimmed.slice(at + 1));
  const shown = `${trimmed.slice(0, Math.max(0, at))}@${domain}`;
  if (shown.length > EMAIL_CHARACTERS_MAX || !EMAIL.test(shown)) return null;
  return { shown, key: shown.toLowerCase() };
}

/** 1 to 100 characters without control characters or white space at either end. */
export const isUserName = (text: string): boolean => /^\P{Cc}{1,100}$/u.test(text) && text.trim() === text;

export const PASSWORD_CHARACTERS_MIN = 12;
export const PASSWORD_CHARACTERS_MAX = 200;

/** A password stays the same whether a keyboard types a character as one code point or as two. */
export const normalPassword = (text: string): string => text.normalize("NFKC");

/** True if it is long enough, and neither the address nor one repeated character. */
export function isPassword(text: string, email: string): boolean {
  const characters = [...normalPassword(text)];
  return (
    characters.length >= PASSWORD_CHARACTERS_MIN &&
    characters.length <= PASSWORD_CHARACTERS_MAX &&
    new Set(characters).size >= 5 &&
    !normalPassword(text).toLowerCase().includes(email.toLowerCase())
  );
}

export const PASSWORD_RULE = `${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX} characters, at least five of them different, without your email address`;

/** Actions in the history of an account. They are never renamed, since old entries keep their names. */
const USER_ACTIONS = [
  "added",
  "demo_login_made",
  "signed_up",
  "signed_in",
  "signed_out",
  "session_ended",
  "sessions_ended",
  "tries_used_up",
  "reset_asked",
  "reset_link_made",
  "password_changed",
  "password_exposed",
  "passkey_added",
  "passkey_removed",
  "second_factor_added",
  "second_factor_removed",
  "backup_codes_renewed",
  "company_linked",
  "company_unlinked",
  "roles_changed",
] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

/** The history of an account (§13.15). */
export const USER_LOG = table("user_log", {
  userId: word(),
  id: idColumn("aud"),
  action: word<UserAction>({ of: USER_ACTIONS, says: "The action, as a word.", example: "passkey_added" }),
  ...entryColumns({ id: `pk_${EXAMPLE_SUFFIX}`, name: "Laptop" }),
});
/** The columns of a listed entry. */
export const HISTORY_ENTRY = omit(USER_LOG.columns, "userId");

const AT = "2026-11-20T08:30:00.000Z";

export const USERS = table("users", {
  id: idColumn("usr"),
  email: text({ says: "The user's e-mail address.", example: "kim@example.com" }),
  name: text({ says: "The user's name.", example: "Kim" }),
  /** Hashed; null until the user sets one by a link. */
  password: nullable(text()),
  /** The time since which another person may have the password; null until a new one is set. */
  passwordExposedAt: nullable(time()),
  /** Encrypted; null until an app was shown it. */
  totpSecret: nullable(text()),
  totpConfirmedAt: nullable(time()),
  isOperator: flag({ says: "True if the user may see all businesses of the deployment, and add one.", example: true }),
  isArbiter: flag({ says: "True if the user decides disputes of the deployment.", example: false }),
  createdAt: time(),
});
export type User = FieldsOf<typeof USERS.columns>;
/** The columns of a user for operators. */
export const LISTED_USER = omit(USERS.columns, "password", "passwordExposedAt", "totpSecret", "totpConfirmedAt");
/** The columns of a user for everyone who may see the user. */
export const SHOWN_USER = omit(LISTED_USER, "createdAt");

export const PASSKEYS = table("passkeys", {
  userId: word(),
  id: idColumn("pk"),
  credentialId: word(),
  publicKey: other<Buffer>("bytea"),
  counter: digits("bigint"),
  name: text({ says: "The user's name for it.", example: "Laptop" }),
  createdAt: time({ says: "The time at which it was added.", example: AT }),
  lastUsedAt: nullable(time({ says: "The time of its last use; null if there was none." })),
});
/** The columns of a passkey for its user. */
export const SHOWN_PASSKEY = omit(PASSKEYS.columns, "userId", "credentialId", "publicKey", "counter");
export type Passkey = FieldsOf<typeof SHOWN_PASSKEY>;

/** The methods by which a session begins. */
export type SignInMethod =
  | "password"
  | "password_and_code"
  | "password_and_backup_code"
  | "passkey"
  | "link"
  | "company"
  | "company_and_code"
  | "company_and_backup_code";

/** Sessions, as their user sees them. */
export const SESSIONS = table("sessions", {
  id: idColumn("ses"),
  method: word<SignInMethod>({ says: "The way in which it began.", example: "passkey" }),
  address: word({ says: "The network address of its last request.", example: "203.0.113.7" }),
  userAgent: text({ says: "The browser, in its own words.", example: "Mozilla/5.0" }),
  createdAt: time({ says: "The time of its beginning.", example: AT }),
  lastUsedAt: time({ says: "The time of its last use, to the minute.", example: AT }),
  expiresAt: time({ says: "The time of its end, unless it is used before.", example: "2026-11-20T20:30:00.000Z" }),
});
export type Session = FieldsOf<typeof SESSIONS.columns>;

const roleColumn = (example: Role) =>
  word<Role>({
    of: ROLES,
    says: "`owner` does everything; `admin` all but decide about owners; `developer` manages API keys; `disputes` answers disputes and reads; `read_only` reads.",
    example,
  });

export const MEMBERS = table("members", {
  userId: idColumn("usr"),
  role: roleColumn("owner"),
  byGroup: flag({
    says: "True if a group of the company's provider gives the role, which counts in sessions by the company alone.",
    example: false,
  }),
  createdAt: time({ says: "The time since which the user is a member.", example: AT }),
});
const { userId, role, byGroup, createdAt } = MEMBERS.columns;
/** A member as other members see it, with the user's address and name. */
export const MEMBER = { userId, email: USERS.columns.email, name: USERS.columns.name, role, byGroup, createdAt };
export type BusinessMember = FieldsOf<typeof MEMBER>;

export const INVITATIONS = table("invitations", {
  id: idColumn("inv"),
  businessId: word(),
  email: text({ says: "The address that is invited.", example: "sam@example.com" }),
  emailKey: word(),
  role: roleColumn("developer"),
  /** The user's id. */
  invitedBy: word(),
  createdAt: time({ says: "The time of its creation.", example: AT }),
  expiresAt: time({ says: "The time until which it can be accepted.", example: "2026-11-27T08:30:00.000Z" }),
});
export type Invitation = FieldsOf<typeof INVITATIONS.columns>;
