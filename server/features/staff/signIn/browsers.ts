import { hashStaffSecret, newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** Browsers in which a user signed in before (§13.1.10): OWASP's device cookies, stored as sessions are. */

/** After so long without a sign-in a browser is as any other. */
export const BROWSER_SECONDS_MAX = 180 * 86_400;
/** Browsers of one user; the one used longest ago makes room. */
const BROWSERS_MAX = 20;

/**
 * The subject that tries from a browser are counted by, from its row of `known_browsers`: the user and their last sign-in there.
 * The secret changes with everybody's sign-in in that browser, and a sign-in of somebody else must not begin the counts again.
 */
const BROWSER_ID = sql`user_id || ' ' || extract(epoch from last_used_at)`;

/** A browser of the user with this address, by the secret that it brought. Null: it brought none, or is not known to them. */
export async function findBrowser(
  db: Db,
  emailKey: string,
  secret: string | null,
): Promise<{ readonly id: string } | null> {
  if (secret === null) return null;
  return db.row<{ id: string }>(sql`
    select ${BROWSER_ID} as id from known_browsers b join users u on u.id = b.user_id
    where b.hash = decode(${hashStaffSecret(secret)}, 'hex') and u.email_key = ${emailKey}
      and b.last_used_at > now() - make_interval(secs => ${BROWSER_SECONDS_MAX}::integer)`);
}

/**
 * Keeps the browser of a sign-in, under a new secret: a copy of the one before is of no more use. Others who sign in with
 * the same browser stay known to it.
 */
export async function keepBrowser(
  db: Db,
  userId: string,
  secret: string | null,
): Promise<{ readonly secret: string; readonly isNew: boolean }> {
  const next = newStaffSecret();
  const moved =
    secret === null
      ? []
      : await db.rows<{ userId: string }>(sql`
          update known_browsers set hash = decode(${hashStaffSecret(next)}, 'hex')
          where hash = decode(${hashStaffSecret(secret)}, 'hex') returning user_id as "userId"`);
  await db.rows(sql`
    insert into known_browsers (user_id, hash, last_used_at) values (${userId}, decode(${hashStaffSecret(next)}, 'hex'), now())
    on conflict (user_id, hash) do update set last_used_at = now()`);
  await db.rows(sql`
    delete from known_browsers where user_id = ${userId} and hash in (
      select hash from known_browsers where user_id = ${userId} order by last_used_at desc, hash offset ${BROWSERS_MAX}::integer)`);
  return { secret: next, isNew: !moved.some((one) => one.userId === userId) };
}

/** Forgets all browsers of a user but the one with this secret; null: all. */
export const forgetBrowsers = (db: Db, userId: string, butSecret: string | null): Promise<unknown> =>
  db.rows(sql`
    delete from known_browsers where user_id = ${userId}
      and (${butSecret === null}::boolean or hash <> decode(${hashStaffSecret(butSecret ?? "")}, 'hex'))`);

/** Forgets one browser, by the id that {@link findBrowser} gave; any other id is of none. */
export const forgetBrowser = (db: Db, userId: string, id: string): Promise<unknown> =>
  db.rows(sql`delete from known_browsers where user_id = ${userId} and ${BROWSER_ID} = ${id}`);
