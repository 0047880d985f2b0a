import type { Actor, Visitor } from "../../../domain/callers.ts";
import { newAuditId, newSessionId, newUserId } from "../../../domain/ids.ts";
import { hashStaffSecret, newStaffSecret } from "../../../domain/staffSecrets.ts";
import { type FieldsOf, omit } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { columnNames, columnValues, selected } from "../../../store/table.ts";
import { actorColumns } from "../../audit/audit.ts";
import type { CompanySession } from "../company/enter.ts";
import { CONFIRM_SECONDS } from "../provider/company.ts";
import { type Email, type SignInMethod, USER_LOG, USERS, type User, type UserAction } from "../user.ts";
import { SESSION_SECONDS_MAX } from "./admission.ts";

const USER = selected(USERS.columns, "u");

export const findUserByEmail = (db: Db, emailKey: string): Promise<User | null> =>
  db.row<User>(sql`select ${USER} from users u where email_key = ${emailKey}`);

/** Locks a user's row to the end of the transaction, so that the ways to sign in change one after the other. */
export const lockUser = async (db: Db, userId: string): Promise<User> =>
  (await db.row<User>(sql`select ${USER} from users u where id = ${userId} for update`))!;

/** True if a user, of the id `userId`, can sign in without the company: by password or passkey. */
export const ownCredentialOf = (userId: Sql): Sql => sql`
  (exists (select from users where id = ${userId} and password is not null)
    or exists (select from passkeys where user_id = ${userId}))`;

export const hasOwnCredential = (db: Db, userId: string): Promise<boolean> =>
  db.has(sql`select true where ${ownCredentialOf(sql`${userId}`)}`);

/** True if a user is an owner of any business. */
export const isOwner = (db: Db, userId: string): Promise<boolean> =>
  db.has(sql`select true from members where user_id = ${userId} and role = 'owner' limit 1`);

export const findUser = (db: Db, userId: string): Promise<User | null> =>
  db.row<User>(sql`select ${USER} from users u where id = ${userId}`);

const ADDED = omit(USERS.columns, "passwordExposedAt", "totpSecret", "totpConfirmedAt", "createdAt");
const addedNames = columnNames(ADDED);
const addedValues = columnValues(ADDED);

/** Inserts a user; `password` is hashed. Null if the address already has a user. */
export const insertUser = (
  db: Db,
  { email, ...fields }: Omit<FieldsOf<typeof ADDED>, "id" | "email"> & { readonly email: Email },
): Promise<User | null> =>
  db.row<User>(sql`
    insert into users as u (${addedNames}, email_key, created_at)
    values (${addedValues({ ...fields, id: newUserId(new Date()), email: email.shown })}, ${email.key}, now())
    on conflict (email_key) do nothing
    returning ${USER}`);

/** True if there is an operator, or a user who can sign in without the company. Those whom it alone signs in are no start. */
export const hasFirstUser = (db: Db): Promise<boolean> =>
  db.has(sql`select true from users u where u.is_operator or ${ownCredentialOf(sql`u.id`)} limit 1`);

export const hasSignedIn = (db: Db, userId: string): Promise<boolean> =>
  db.has(sql`select true from user_log where user_id = ${userId} and action = 'signed_in' limit 1`);

/** Replaces the hash if it is still the checked one: a parallel sign-in may have raised its cost. */
export const raisePassword = (db: Db, userId: string, old: string, password: string): Promise<unknown> =>
  db.rows(sql`update users set password = ${password} where id = ${userId} and password = ${old}`);

export const setPassword = (db: Db, userId: string, password: string): Promise<unknown> =>
  db.rows(sql`update users set password = ${password}, password_exposed_at = null where id = ${userId}`);

/** Returns false if it was marked before. */
export const markExposed = (db: Db, userId: string): Promise<boolean> =>
  db.has(
    sql`update users set password_exposed_at = now() where id = ${userId} and password_exposed_at is null returning id`,
  );

/** Uses up a code's step. Returns false if this or a later one was used before. */
export const useTotpStep = (db: Db, userId: string, step: number): Promise<boolean> =>
  db.has(
    sql`update users set totp_step = ${step}::bigint where id = ${userId} and totp_step < ${step}::bigint returning id`,
  );

/** Uses up a backup code. Returns false if the user has no such code, or used it before. */
export const useBackupCode = (db: Db, userId: string, hash: string): Promise<boolean> =>
  db.has(sql`
    update backup_codes set used_at = now()
    where user_id = ${userId} and hash = decode(${hash}, 'hex') and used_at is null returning user_id`);

/** Sessions per user. A further one replaces the one used longest ago. */
const SESSIONS_MAX = 20;

/**
 * Begins a session and returns its secret. The secret is always new, and the browser's old session ends: nobody can
 * plant a session in a browser to which its user then signs in.
 */
export async function insertSession(
  db: Db,
  userId: string,
  method: SignInMethod,
  { address, userAgent, sessionSecret }: Visitor,
  company: CompanySession | null = null,
): Promise<string> {
  if (sessionSecret !== null)
    await db.rows(sql`delete from sessions where hash = decode(${hashStaffSecret(sessionSecret)}, 'hex')`);
  await db.rows(sql`
    delete from sessions where user_id = ${userId} and id in (
      select id from sessions where user_id = ${userId} order by last_used_at desc, id desc offset ${SESSIONS_MAX - 1}::integer)`);
  const secret = newStaffSecret();
  const dueAt =
    company === null || company.token === null
      ? null
      : new Date(company.confirmedAt.getTime() + CONFIRM_SECONDS * 1_000);
  await db.rows(sql`
    insert into sessions (hash, user_id, id, method, address, user_agent, created_at, last_used_at, proven_at, expires_at,
      company_issuer, company_subject, company_token, company_operator, company_confirmed_at, company_due_at)
    values (decode(${hashStaffSecret(secret)}, 'hex'), ${userId}, ${newSessionId(new Date())}, ${method}, ${address}, ${userAgent},
      now(), now(), ${company === null ? sql`now()` : provenAtOf(company)}, now() + make_interval(secs => ${SESSION_SECONDS_MAX}::integer),
      ${company?.issuer ?? null}, ${company?.subject ?? null}, ${company?.token ?? null}, ${company?.isOperator ?? false},
      ${company?.confirmedAt ?? null}, ${dueAt})`);
  return secret;
}

/** The provider says when it authenticated the person; without a word of it there is no recent proof. */
const provenAtOf = ({ authenticatedAt }: CompanySession): Sql =>
  sql`coalesce(least(${authenticatedAt}::timestamptz, now()), 'epoch')`;

/** Replaces the secret of a session and records the proof of its user's presence, now or at an earlier time. */
export async function proveSession(db: Db, userId: string, sessionId: string, at: Date | null = null): Promise<string> {
  const secret = newStaffSecret();
  await db.rows(sql`
    update sessions set hash = decode(${hashStaffSecret(secret)}, 'hex'), proven_at = least(${at}::timestamptz, now())
    where user_id = ${userId} and id = ${sessionId}`);
  return secret;
}

/** Ends all sessions of a user except one; all if it is null. */
export const endSessions = (db: Db, userId: string, butSessionId: string | null): Promise<unknown> =>
  db.rows(
    sql`delete from sessions where user_id = ${userId} and (${butSessionId}::text is null or id <> ${butSessionId}::text)`,
  );

const LOGGED = omit(USER_LOG.columns, "recordedAt");
const loggedNames = columnNames(LOGGED);
const loggedValues = columnValues(LOGGED);

/** Adds to the history of an account, in the transaction of the change. */
export async function logUser(
  db: Db,
  actor: Actor,
  userId: string,
  action: UserAction,
  details: Readonly<Record<string, string>> = {},
): Promise<void> {
  const id = newAuditId(new Date());
  const fields = { userId, id, action, details: JSON.stringify(details), ...actorColumns(actor) };
  await db.rows(sql`insert into user_log (${loggedNames}, recorded_at) values (${loggedValues(fields)}, now())`);
}
