import { omit } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { piece, sql } from "../../../store/sql.ts";
import { selected } from "../../../store/table.ts";
import { isOpen } from "../fragments.ts";
import { SESSIONS, type Session } from "../user.ts";
import { SESSION_IDLE_SECONDS } from "./admission.ts";

const SESSION = selected(omit(SESSIONS.columns, "expiresAt"), "s");
const SESSIONS_SHOWN_MAX = 100;

/** The active sessions of a user, last used first. */
export const listSessionsOfUser = (db: Db, userId: string): Promise<Session[]> =>
  db.rows<Session>(sql`
    select ${SESSION}, least(expires_at, last_used_at + make_interval(secs => ${SESSION_IDLE_SECONDS}::integer)) as "expiresAt"
    from sessions s
    where user_id = ${userId} and ${isOpen(piece("s"))} and last_used_at > now() - make_interval(secs => ${SESSION_IDLE_SECONDS}::integer)
    order by last_used_at desc, id desc limit ${SESSIONS_SHOWN_MAX}::integer`);

/** Returns false if the user has no such session. */
export const deleteSession = (db: Db, userId: string, id: string): Promise<boolean> =>
  db.has(sql`delete from sessions where user_id = ${userId} and id = ${id} returning id`);
