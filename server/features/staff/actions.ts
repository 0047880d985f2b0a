import { ActionError } from "../../domain/actionError.ts";
import type { Actor } from "../../domain/callers.ts";
import type { FieldsOf } from "../../lib/columns.ts";
import type { Database, Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { removeTotpSecret } from "./account/queries.ts";
import { requireEmail } from "./signIn/actions.ts";
import { BROWSER_SECONDS_MAX, forgetBrowsers } from "./signIn/browsers.ts";
import { dropPasswordLinks, issueOneTime } from "./signIn/oneTime.ts";
import { endSessions, findUserByEmail, hasFirstUser, insertUser, logUser } from "./signIn/queries.ts";
import { isUserName, LISTED_USER, type User } from "./user.ts";

/** Actions of operators on users, called from the command line. */

/** The lifetime of a link that an operator hands out, in seconds. */
const HANDED_OUT_SECONDS = 86_400;

export interface DeploymentRoles {
  readonly isOperator: boolean;
  readonly isArbiter: boolean;
}

/**
 * Adds a user, for whose address the operator vouches. Returns the secret of the link by which the user sets a
 * password. Throws {@link ActionError}: `email_invalid`, `name_invalid`, `user_already`.
 */
export async function addUser(
  database: Database,
  actor: Actor,
  { email, name, ...roles }: { readonly email: string; readonly name: string } & DeploymentRoles,
): Promise<{ readonly user: User; readonly link: string }> {
  const address = requireEmail(email);
  if (!isUserName(name)) throw new ActionError("name_invalid", "Enter a name of 1 to 100 characters.");
  return database.transaction(async (db) => {
    const user = await insertUser(db, { email: address, name, password: null, ...roles });
    if (user === null) throw new ActionError("user_already", `${address.shown} already has a user.`);
    await logUser(db, actor, user.id, "added", showRoles(roles));
    return { user, link: await issueOneTime(db, "set_password", user.id, HANDED_OUT_SECONDS) };
  });
}

const showRoles = ({ isOperator, isArbiter }: DeploymentRoles) => ({
  isOperator: String(isOperator),
  isArbiter: String(isArbiter),
});

/** Throws {@link ActionError}: `email_invalid`, `user_not_found`. */
async function requireUser(db: Db, email: string): Promise<User> {
  const address = requireEmail(email);
  const user = await findUserByEmail(db, address.key);
  if (user === null) throw new ActionError("user_not_found", `There is no user ${address.shown}.`);
  return user;
}

/**
 * Creates a link by which a user sets a new password; earlier links stop working. If the user lost the device, also
 * removes the authenticator app. Throws {@link ActionError}: `email_invalid`, `user_not_found`.
 */
export async function makeResetLink(
  database: Database,
  actor: Actor,
  email: string,
  { withoutApp }: { readonly withoutApp: boolean },
): Promise<{ readonly user: User; readonly link: string }> {
  return database.transaction(async (db) => {
    const user = await requireUser(db, email);
    await dropPasswordLinks(db, user);
    if (withoutApp && (await removeTotpSecret(db, user.id))) await logUser(db, actor, user.id, "second_factor_removed");
    await logUser(db, actor, user.id, "reset_link_made");
    return { user, link: await issueOneTime(db, "set_password", user.id, HANDED_OUT_SECONDS) };
  });
}

/** Sets the user's roles in the deployment. Throws {@link ActionError}: `email_invalid`, `user_not_found`. */
export async function setDeploymentRoles(
  database: Database,
  actor: Actor,
  email: string,
  roles: DeploymentRoles,
): Promise<User> {
  return database.transaction(async (db) => {
    const user = await requireUser(db, email);
    await db.rows(
      sql`update users set is_operator = ${roles.isOperator}, is_arbiter = ${roles.isArbiter} where id = ${user.id}`,
    );
    await logUser(db, actor, user.id, "roles_changed", showRoles(roles));
    return { ...user, ...roles };
  });
}

/** Ends all sessions of a user. Throws {@link ActionError}: `email_invalid`, `user_not_found`. */
export async function signOutUser(database: Database, actor: Actor, email: string): Promise<User> {
  return database.transaction(async (db) => {
    const user = await requireUser(db, email);
    await endSessions(db, user.id, null);
    await forgetBrowsers(db, user.id, null);
    await logUser(db, actor, user.id, "signed_out", { by: "operator" });
    return user;
  });
}

/**
 * Ends every session and voids every link: a restored database contains some that were ended or used after its copy
 * was made. Returns the number of sessions.
 */
export async function endAllSessions(db: Db): Promise<number> {
  const row = await db.row<{ ended: string }>(sql`
    with ended as (delete from sessions returning 1),
    voided as (delete from one_time_secrets)
    select count(*) as ended from ended`);
  return Number(row!.ended);
}

const USERS_SHOWN_MAX = 1_000;

export const listUsers = (db: Db) =>
  db.rows<FieldsOf<typeof LISTED_USER>>(sql`
    select ${selected(LISTED_USER, "u")} from users u order by id limit ${USERS_SHOWN_MAX}::integer`);

/** The secret of a link for the first user; null if it was made already. */
export async function makeOwnerLink(database: Database): Promise<string | null> {
  return (await hasFirstUser(database)) ? null : issueOneTime(database, "first_owner", null);
}

/** Deletes expired sessions, secrets, browsers and counts of tries, in one bounded round. */
export async function purgeStaff(db: Db): Promise<boolean> {
  const ended = await db.row<{ removed: number }>(sql`
    with old_sessions as (
      delete from sessions where hash in (
        select hash from sessions where expires_at < now() or last_used_at < now() - interval '1 day' limit 500) returning 1),
    old_secrets as (
      delete from one_time_secrets where hash in (
        select hash from one_time_secrets where expires_at < now() limit 500) returning 1),
    old_tries as (
      delete from sign_in_tries where subject in (
        select subject from sign_in_tries where window_ends_at < now() limit 500) returning 1),
    old_browsers as (
      delete from known_browsers where (user_id, hash) in (
        select user_id, hash from known_browsers
        where last_used_at < now() - make_interval(secs => ${BROWSER_SECONDS_MAX}::integer) limit 500) returning 1)
    select greatest((select count(*) from old_sessions), (select count(*) from old_secrets),
      (select count(*) from old_tries), (select count(*) from old_browsers))::integer as removed`);
  return ended!.removed === 500;
}
