import { hash } from "node:crypto";
import type { Database, Db, Session } from "./database.ts";
import { sql } from "./sql.ts";

/**
 * Advisory locks by name. Only one database node knows them, so they may only cause a quick refusal: rows and unique
 * indexes enforce what must be true.
 */
export interface LockNumbers {
  readonly transaction: string;
  readonly session: string;
}

/** Returns the two numbers of a name, for transactions and for sessions: they differ in the last bit. */
export function lockNumbers(name: string): LockNumbers {
  const number = hash("sha256", name, "buffer").readBigInt64BE();
  return { transaction: (number & ~1n).toString(), session: (number | 1n).toString() };
}

/**
 * Locks the name until the end of the transaction, without waiting; false: another transaction or a session holds it.
 * `ours`: the session that holds it is our own, in {@link SessionLocks}.
 */
export async function tryTransactionLock(db: Db, name: string, ours: boolean): Promise<boolean> {
  const { transaction, session } = lockNumbers(name);
  const row = await db.row<{ got: boolean }>(sql`
    select pg_try_advisory_xact_lock(${transaction}::bigint)
      and (${ours} or pg_try_advisory_xact_lock_shared(${session}::bigint)) as got`);
  return row!.got;
}

/** Locks held across work outside a transaction, such as a read of the chain. All are on one connection, and end with it. */
export class SessionLocks {
  readonly #database: Database;
  readonly #held = new Set<string>();
  #session: Promise<Session> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns false if another request or process holds the lock. The set is checked first, since a session may take its own
   * lock twice.
   */
  async tryLock(name: string): Promise<boolean> {
    if (this.#held.has(name)) return false;
    this.#held.add(name);
    try {
      const session = await this.#open();
      const [row] = await this.#inTurn(() =>
        session.query<{ got: boolean }>("select pg_try_advisory_lock($1::bigint) as got", [lockNumbers(name).session]),
      );
      if (!row!.got) this.#held.delete(name);
      return row!.got;
    } catch (error) {
      this.#held.delete(name);
      throw error;
    }
  }

  async unlock(name: string): Promise<void> {
    if (!this.#held.delete(name)) return;
    // A broken connection has released the lock already.
    await this.#session
      ?.then((session) =>
        this.#inTurn(() => session.query("select pg_advisory_unlock($1::bigint)", [lockNumbers(name).session])),
      )
      .catch(() => undefined);
  }

  /** Runs one query after the other: `pg` no longer queues them on a single connection by itself. */
  #inTurn<Result>(ask: () => Promise<Result>): Promise<Result> {
    const answer = this.#last.then(ask);
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    await this.#session?.then((session) => session.end()).catch(() => undefined);
  }

  #open(): Promise<Session> {
    if (this.#session === null) {
      const opening = this.#database.connect();
      this.#session = opening;
      const forget = () => {
        if (this.#session !== opening) return;
        this.#session = null;
        this.#last = Promise.resolve();
      };
      opening.then((session) => session.over.then(forget), forget);
    }
    return this.#session;
  }
}

/**
 * Work that one of several processes does for all. It is decided by a lock on a separate connection: the first process to
 * ask has it until that connection ends, then the next that asks. Two may have it for a moment when a host vanishes, so it
 * may only save work.
 */
export class Leadership {
  readonly #database: Database;
  readonly #lock: string;
  #session: Promise<Session> | null = null;
  #asking: Promise<boolean> | null = null;
  #isOurs = false;

  constructor(database: Database, name: string) {
    this.#database = database;
    this.#lock = lockNumbers(name).session;
  }

  /** Returns true if this process has the work. Throws {@link DatabaseUnavailableError}. */
  async isOurs(): Promise<boolean> {
    if (this.#isOurs) return true;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** True if this process has the work now; asks for nothing. */
  get isHeld(): boolean {
    return this.#isOurs;
  }

  /** Releases the work; a later call of `isOurs` may take it again. */
  async resign(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.#isOurs = false;
    await session?.then((open) => open.end()).catch(() => undefined);
  }

  async #ask(): Promise<boolean> {
    const opening = this.#open();
    const session = await opening;
    const [row] = await session.query<{ got: boolean }>("select pg_try_advisory_lock($1::bigint) as got", [this.#lock]);
    this.#isOurs = row!.got && this.#session === opening;
    return this.#isOurs;
  }

  #open(): Promise<Session> {
    if (this.#session !== null) return this.#session;
    const opening = this.#database.connect();
    this.#session = opening;
    const forget = () => {
      if (this.#session !== opening) return;
      this.#session = null;
      this.#isOurs = false;
    };
    opening.then((session) => session.over.then(forget), forget);
    return opening;
  }
}
