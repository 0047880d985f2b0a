import { randomInt } from "node:crypto";

/** A connection of the service, for this check. */
export interface Connection {
  query<Row>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>;
  end(): Promise<void>;
}

/** The further connections to try; the second one detects a pooler that lends in turn. */
const OTHERS = 3;
const REFUSAL =
  "Statements of one connection reach PostgreSQL on several, as by PgBouncer with pool_mode = transaction. Locks, LISTEN and prepared statements need a connection of their own: set pool_mode = session, or name PostgreSQL itself in DATABASE_URL.";

/** True if the current connection holds the lock. PostgreSQL lists its key in two halves. */
const HOLDS = `
  select exists (
    select from pg_locks
    where locktype = 'advisory' and pid = pg_backend_pid() and (classid::bigint << 32 | objid::bigint) = $1) as holds`;

/**
 * Throws if a pooler lends connections for a transaction or a statement: a lock of one connection then belongs to another
 * one, or is gone. The check takes a lock, since poolers may pass on prepared statements and yet share locks.
 */
export async function requireSessionMode(open: () => Promise<Connection>): Promise<void> {
  const key = randomInt(2 ** 47);
  const holder = await open();
  const others: Connection[] = [];
  try {
    const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid, pg_advisory_lock($1)", [key]);
    while (others.length < OTHERS) {
      const other = await beginOn(others, open);
      if (other === null) return;
      if (await isTakenAgain(other, key, rows[0]!.pid)) throw new Error(REFUSAL);
      // The other connection has taken the free one, so the holder may get one that it did not have.
      const held = await holder.query<{ holds: boolean }>(HOLDS, [key]);
      if (!held.rows[0]!.holds) throw new Error(REFUSAL);
    }
  } finally {
    await Promise.all([holder, ...others].map((one) => one.end().catch(() => undefined)));
  }
}

/**
 * Returns true if the lock could be taken again while it is held. After a fail-over the other connection is on another
 * server.
 */
async function isTakenAgain(other: Connection, key: number, holderPid: number): Promise<boolean> {
  const { rows } = await other.query<{ got: boolean; pid: number }>(
    "select pg_backend_pid() as pid, pg_try_advisory_lock($1) as got",
    [key],
  );
  const { got, pid } = rows[0]!;
  if (!got || pid !== holderPid) return false;
  await other.query("select pg_advisory_unlock($1), pg_advisory_unlock($1)", [key]);
  return true;
}

/** Opens another connection, in a transaction; null if there are no more: then the pooler's way of lending cannot be seen. */
async function beginOn(others: Connection[], open: () => Promise<Connection>): Promise<Connection | null> {
  try {
    const other = await open();
    others.push(other);
    await other.query("begin");
    return other;
  } catch {
    return null; // A database that does not serve at all fails in the next steps.
  }
}
