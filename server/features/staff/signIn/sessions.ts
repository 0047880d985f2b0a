import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import type { SignInMethod } from "../user.ts";
import { SESSION_IDLE_SECONDS } from "./admission.ts";

/** A session as its user sees it. */
export interface Session {
  readonly id: string;
  readonly method: SignInMethod;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

const SESSIONS_SHOWN_MAX = 100;

/** The sessions of a user that are not over, the one used last first. */
export const listSessionsOfUser = (db: Db, userId: string): Promise<Session[]> =>
  db.rows<Session>(sql`
    select id, method, address, user_agent as "userAgent", created_at as "createdAt", last_used_at as "lastUsedAt",
      least(expires_at, last_used_at + make_interval(secs => ${SESSION_IDLE_SECONDS}::integer)) as "expiresAt"
    from sessions
    where user_id = ${userId} and expires_at > now() and last_used_at > now() - make_interval(secs => ${SESSION_IDLE_SECONDS}::integer)
    order by last_used_at desc, id desc limit ${SESSIONS_SHOWN_MAX}::integer`);

/** False: the user has no such session. */
export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  return (await db.row(sql`delete from sessions where user_id = ${userId} and id = ${id} returning id`)) !== null;
}
