import type { Visitor } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

/** The limit on a subject's tries in a window of time, which begins with the first try. */
export interface Limit {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
  /** The effect of a right try on the count. */
  readonly whenRight: "forget" | "subtract" | "keep";
  /** The plural after "Too many"; "tries" if not set. */
  readonly of?: string;
}

/** A try and its count: one limit, one subject. */
export interface Try {
  readonly limit: Limit;
  readonly subject: string;
}

/**
 * Guesses of one account's password from one network, from a known browser in any network, or in one session. So one
 * party's guesses use up no tries of another.
 */
export const GUESS_LIMIT: Limit = { name: "guess", max: 10, seconds: 900, whenRight: "forget" };
/** Guesses of one account's password from all networks together, without its known browsers. */
export const ACCOUNT_LIMIT: Limit = { name: "account", max: 100, seconds: 900, whenRight: "subtract" };
/** All tries from one address: many accounts with one password, links, challenges. */
export const ADDRESS_LIMIT: Limit = { name: "address", max: 300, seconds: 900, whenRight: "keep" };
/** Guesses of codes by a person with the password: three codes in a million are right at any moment. */
export const CODE_LIMIT: Limit = { name: "code", max: 10, seconds: 3_600, whenRight: "forget" };
/** After this many wrong codes, another person must have the password. */
export const CODE_DAY_LIMIT: Limit = { name: "codes-of-day", max: 30, seconds: 86_400, whenRight: "subtract" };
/** Backup codes have 80 bits and cannot be guessed, so networks need no common limit. */
export const BACKUP_CODE_LIMIT: Limit = { name: "backup-code", max: 10, seconds: 3_600, whenRight: "forget" };
/** Emails with a link for a new password to one address. */
export const PASSWORD_LINK_LIMIT: Limit = { name: "password-link", max: 3, seconds: 3_600, whenRight: "keep" };

interface Counted {
  readonly used: number;
  readonly waitSeconds: number;
}

/** Invitations to one address from all businesses, counted apart from the emails that its user requests. */
export const INVITATION_LIMIT: Limit = {
  name: "invitation",
  max: 3,
  seconds: 3_600,
  whenRight: "keep",
  of: "invitations to this address",
};
/** Invitations of one business: its texts are sent in the operator's name. */
export const BUSINESS_INVITATION_LIMIT: Limit = {
  name: "business-invitation",
  max: 50,
  seconds: 86_400,
  whenRight: "keep",
  of: "invitations of this business",
};

/**
 * Counts a try before it is made, in a statement that commits by itself: each of any number of parallel tries, in any
 * number of processes, gets its own number. Stops counting two beyond the limit.
 */
async function count(db: Db, { limit: { name, max, seconds }, subject }: Try): Promise<Counted> {
  const row = await db.row<Counted>(sql`
    insert into sign_in_tries as t (subject, window_ends_at, used)
    values (${`${name} ${subject}`}, now() + make_interval(secs => ${seconds}::integer), 1)
    on conflict (subject) do update set
      used = case when t.window_ends_at <= excluded.window_ends_at - make_interval(secs => ${seconds}::integer)
        then 1 else least(t.used, ${max + 1}::integer) + 1 end,
      window_ends_at = case when t.window_ends_at <= excluded.window_ends_at - make_interval(secs => ${seconds}::integer)
        then excluded.window_ends_at else t.window_ends_at end
    returning used, ceil(extract(epoch from window_ends_at - now()))::integer as "waitSeconds"`);
  return row!;
}

/** Counts a try. True if it is beyond its limit. */
export const isBeyond = async (db: Db, counted: Try): Promise<boolean> =>
  (await count(db, counted)).used > counted.limit.max;

/** Counts a try. Throws `rate_limited` beyond its limit, and calls `onLock` for the first refused try. */
export async function countTry(db: Db, counted: Try, onLock?: (limit: Limit) => void): Promise<void> {
  const { max, of = "tries" } = counted.limit;
  const { used, waitSeconds } = await count(db, counted);
  if (used <= max) return;
  if (used === max + 1) onLock?.(counted.limit);
  throw new ApiError(
    "rate_limited",
    `Too many ${of}. Wait ${showWait(waitSeconds)}.`,
    {},
    { retryAfterSeconds: Math.max(1, waitSeconds) },
  );
}

function showWait(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes > 120) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

/** Counts a request of a visitor without a session. Throws `rate_limited`. */
export const countVisit = (db: Db, { address }: Visitor): Promise<void> =>
  countTry(db, { limit: ADDRESS_LIMIT, subject: address });

/** Settles a try that was right, and so was no guess. */
export async function settleTry(db: Db, { limit, subject }: Try): Promise<void> {
  if (limit.whenRight === "forget") await forgetTries(db, limit, subject);
  if (limit.whenRight === "subtract")
    await db.rows(
      sql`update sign_in_tries set used = used - 1 where subject = ${`${limit.name} ${subject}`} and used > 0`,
    );
}

/** Deletes the count of a subject. */
export const forgetTries = (db: Db, { name }: Limit, subject: string): Promise<unknown> =>
  db.rows(sql`delete from sign_in_tries where subject = ${`${name} ${subject}`}`);
