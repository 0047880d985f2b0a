import type { Staff } from "../../../domain/callers.ts";
import type { StaffAdmission } from "../../../edge/staff/api.ts";
import type { Db } from "../../../store/database.ts";
import { piece, sql } from "../../../store/sql.ts";
import { isOpen } from "../fragments.ts";

/**
 * A session ends SESSION_IDLE_SECONDS after its last request, and at the latest SESSION_SECONDS_MAX after the sign-in.
 * Real time, by the database.
 */
export const SESSION_IDLE_SECONDS = 12 * 3_600;
export const SESSION_SECONDS_MAX = 7 * 86_400;
/** Time for which a proof of identity is valid for keys, secrets and members. */
export const PROOF_SECONDS = 10 * 60;
const OPEN = isOpen(piece("s"));
/** The least time between two records of a session's use. */
const RECORD_SECONDS = 60;

/**
 * Finds a session, and records its use once a minute. Null if it does not exist, was ended, was idle for too long or
 * is too old.
 */
export async function admitSession(
  db: Db,
  secretHash: string,
  { address, browserSecret }: Parameters<StaffAdmission["admitSession"]>[1],
): ReturnType<StaffAdmission["admitSession"]> {
  const row = await db.row<Omit<Staff, "browserSecret" | "actor"> & { readonly now: Date }>(sql`
    with session as (
      select * from sessions s where hash = decode(${secretHash}, 'hex')
        and ${OPEN} and last_used_at > now() - make_interval(secs => ${SESSION_IDLE_SECONDS}::integer)),
    noted as (
      update sessions set last_used_at = now(), address = ${address}
      where hash = (select hash from session where last_used_at < now() - make_interval(secs => ${RECORD_SECONDS}::integer)))
    select u.id as "userId", u.email, u.name, s.id as "sessionId", u.is_operator or s.company_operator as "isOperator",
      u.is_arbiter as "isArbiter", s.company_issuer is not null as "isCompany", now() as now,
      s.proven_at > now() - make_interval(secs => ${PROOF_SECONDS}::integer) as "isFresh"
    from session s join users u on u.id = s.user_id`);
  if (row === null) return null;
  const { now, ...user } = row;
  const { userId, email } = user;
  return { staff: { ...user, browserSecret, actor: { kind: "user", userId, email, address } }, now };
}

/** True while nothing has ended the session of a user, for answers that go on for minutes. */
export const isSessionOpen = (db: Db, { userId, sessionId }: Pick<Staff, "userId" | "sessionId">): Promise<boolean> =>
  db.has(sql`select id from sessions s where user_id = ${userId} and id = ${sessionId} and ${OPEN}`);
