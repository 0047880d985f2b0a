import { ApiError } from "../../../domain/errors.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** How many tries a subject has in a window of time that begins with its first. */
interface Limit {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
}

/** Guesses of one account's password, from wherever they come. Other ways to sign in stay open meanwhile. */
export const ACCOUNT_LIMIT: Limit = { name: "account", max: 10, seconds: 900 };
/** Everything that a visitor can try from one address: many accounts with one password, links, challenges. */
export const ADDRESS_LIMIT: Limit = { name: "address", max: 300, seconds: 900 };
/** Guesses of one user's codes, by someone who has the password: three codes in a million are right at any moment. */
export const CODE_LIMIT: Limit = { name: "code", max: 10, seconds: 3_600 };
/** Letters to one address. */
export const LETTER_LIMIT: Limit = { name: "letter", max: 3, seconds: 3_600 };

/**
 * Counts a try before anything is tried, in a statement that commits by itself: of any number of tries at once, in any
 * number of processes, no more than the limit get past it. Throws `rate_limited`.
 */
export async function countTry(db: Db, { name, max, seconds }: Limit, subject: string): Promise<void> {
  const row = await db.row<{ used: number; wait: number }>(sql`
    insert into sign_in_tries as t (subject, window_ends_at, used)
    values (${`${name} ${subject}`}, now() + make_interval(secs => ${seconds}::integer), 1)
    on conflict (subject) do update set
      used = case when t.window_ends_at <= excluded.window_ends_at - make_interval(secs => ${seconds}::integer)
        then 1 else least(t.used, ${max}::integer) + 1 end,
      window_ends_at = case when t.window_ends_at <= excluded.window_ends_at - make_interval(secs => ${seconds}::integer)
        then excluded.window_ends_at else t.window_ends_at end
    returning used, ceil(extract(epoch from window_ends_at - now()))::integer as wait`);
  const { used, wait } = row!;
  if (used <= max) return;
  const minutes = Math.max(1, Math.ceil(wait / 60));
  throw new ApiError(
    "rate_limited",
    `Too many tries. Wait ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`,
    {},
    { retryAfterSeconds: Math.max(1, wait) },
  );
}

/** Forgets the tries of a subject that proved to be right. */
export const forgetTries = (db: Db, { name }: Limit, subject: string): Promise<unknown> =>
  db.rows(sql`delete from sign_in_tries where subject = ${`${name} ${subject}`}`);
