import { randomInt } from "node:crypto";

/** A connection as the service would have it. */
export interface Connection {
  query<Row>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>;
  end(): Promise<void>;
}

/** Further connections that are tried; a pooler that lends by turns is found out by the second. */
const OTHERS = 3;
const REFUSAL =
  "Statements of one connection reach PostgreSQL on several, as by PgBouncer with pool_mode = transaction. Locks, LISTEN and prepared statements need a connection of their own: set pool_mode = session, or name PostgreSQL itself in DATABASE_URL.";

/** True if the connection that asks holds the lock. PostgreSQL lists its key in two halves. */
const HOLDS = `
  select exists (
    select from pg_locks
    where locktype = 'advisory' and pid = pg_backend_pid() and (classid::bigint << 32 | objid::bigint) = $1) as holds`;

/**
 * Throws where a pooler lends connections for a transaction or a statement: a lock of one connection is then found on another's,
 * or is gone. A lock is tried, since poolers may hand on prepared statements and yet share locks.
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
      // The other has the connection that was free, so that the holder may be given one that it did not have.
      const held = await holder.query<{ holds: boolean }>(HOLDS, [key]);
      if (!held.rows[0]!.holds) throw new Error(REFUSAL);
    }
  } finally {
    await Promise.all([holder, ...others].map((one) => one.end().catch(() => undefined)));
  }
}

/** True if the lock could be taken once more, where it is held already. After a fail-over the other is on another server. */
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

/** Another connection, in a transaction; null if there are no more: then nothing shows how a pooler lends those it has. */
async function beginOn(others: Connection[], open: () => Promise<Connection>): Promise<Connection | null> {
  try {
    const other = await open();
    others.push(other);
    await other.query("begin");
    return other;
  } catch {
    return null; // A database that does not serve at all is found out by what follows.
  }
}
