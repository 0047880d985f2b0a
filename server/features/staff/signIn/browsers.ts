import { hashStaffSecret, newStaffSecret } from "../../../domain/staffSecrets.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** Browsers in which a user signed in before (§13.1.10): OWASP's device cookies, stored like sessions. */

/** A browser without a sign-in for this time is no longer known. */
export const BROWSER_SECONDS_MAX = 180 * 86_400;
/** Browsers per user. A further one replaces the one used longest ago. */
const BROWSERS_MAX = 20;

/**
 * The subject by which tries from a browser are counted, from its row of `known_browsers`: the user and their last
 * sign-in there. It is not the secret, which changes when any user signs in in that browser: another user's sign-in
 * must not reset the counts.
 */
const BROWSER_ID = sql`user_id || ' ' || extract(epoch from last_used_at)`;

/** The known browser of the user with this address, by its secret. Null if it sent none, or the user does not know it. */
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
 * Records the browser of a sign-in, under a new secret, so that a copy of the old one is useless. Other users of the
 * same browser stay known to it.
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

/** Forgets all browsers of a user except the one with this secret; all if it is null. */
export const forgetBrowsers = (db: Db, userId: string, butSecret: string | null): Promise<unknown> =>
  db.rows(sql`
    delete from known_browsers where user_id = ${userId}
      and (${butSecret === null}::boolean or hash <> decode(${hashStaffSecret(butSecret ?? "")}, 'hex'))`);

/** Forgets one browser, by an id of {@link findBrowser}. Any other id matches none. */
export const forgetBrowser = (db: Db, userId: string, id: string): Promise<unknown> =>
  db.rows(sql`delete from known_browsers where user_id = ${userId} and ${BROWSER_ID} = ${id}`);
