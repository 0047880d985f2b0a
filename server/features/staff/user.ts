import { domainToASCII } from "node:url";
import { EXAMPLE_SUFFIX, idColumn } from "../../domain/ids.ts";
import { omit, table, word } from "../../lib/columns.ts";
import { entryColumns } from "../audit/audit.ts";

/** The rules of what a user gives about themselves: pure. */

const EMAIL_CHARACTERS_MAX = 254;
/** ASCII alone before the @: two addresses that look alike are the same one. */
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;

/** An address as it is shown and written to, and the form by which it is found. */
export interface Email {
  readonly shown: string;
  readonly key: string;
}

/** Null: no address that we could write to. */
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

/** What is typed on one keyboard as one character and on another as two is the same password. */
export const normalPassword = (text: string): string => text.normalize("NFKC");

/** Long enough, and neither the address nor one character again and again. */
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

/** Actions in the history of an account. The words are never renamed: old entries keep theirs. */
export const USER_ACTIONS = [
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

/** How a session began. */
export type SignInMethod = "password" | "password_and_code" | "password_and_backup_code" | "passkey" | "link";
