import { hash } from "node:crypto";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError, ERRORS, showError } from "../../domain/errors.ts";
import { IDEMPOTENCY_HOURS, TRANSACTIONS_AT_ONCE, WAITING_MAX, WAITING_MS_MAX } from "../../domain/limits.ts";
import type { Sealing } from "../../domain/sealing.ts";
import { Turns } from "../../lib/turns.ts";
import type { Database, Db } from "../../store/database.ts";
import { lockNumbers, type SessionLocks, tryTransactionLock } from "../../store/locks.ts";
import { relation, type Sql, sql } from "../../store/sql.ts";
import { runOnce } from "./formKeys.ts";
import type { Reply } from "./reply.ts";
import { openAnswer, sealAnswer } from "./sealedAnswers.ts";

/** A request with an Idempotency-Key (§4.8). Two requests with one fingerprint are "the same request". */
export interface KeyedRequest {
  readonly tenant: Tenant;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** The answer to store under a key: an operation's reply, or its error. A private one is encrypted. */
interface StoredAnswer extends Pick<Reply, "isPrivate"> {
  readonly status: number;
  readonly body: string;
}

export interface Answer extends StoredAnswer {
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly replayed: boolean;
}

declare const committed: unique symbol;
/** An answer that committed together with its effect. Only `commit` makes one, so every operation that writes ends in it. */
export type Committed = Reply & { readonly [committed]: true };

/** The key a statement stores its answer under. `locked`: a session of this process holds the key's lock already. */
export interface KeyToStore {
  readonly request: KeyedRequest;
  readonly locked: boolean;
  readonly sealing: Sealing | null;
}

/** The ways in which an operation writes. */
type Work =
  /** Several statements: they run in one transaction, and `commit` stores the answer in it. */
  | { readonly transaction: (db: Db) => Promise<Reply> }
  /** A single statement, which stores the answer itself under the key, if there is one (see {@link storeAnswers}). */
  | { readonly statement: (key: KeyToStore | null) => Promise<Reply> }
  /** Writes nothing but the answer. */
  | { readonly reply: Reply }
  /** Writes nothing at all, as for an answer that may soon be another: the next request under the key runs again. */
  | { readonly unstored: Reply };

/** The second and last verb: the operation's effect and the answer stored under its key commit together. */
interface LockedWrite {
  commit(work: Work): Promise<Committed>;
}

/** The verbs by which an operation writes at most once per key: it may lock the key, and then it commits. */
export interface IdempotentWrite extends LockedWrite {
  /**
   * The first verb, to be called before any slow or uncertain step, such as a read of the chain. It locks the key for every
   * process, and ends the request here if the key was used before. Without it, `commit` detects that.
   */
  lockKey(): Promise<LockedWrite>;
}

export const fingerprintOf = (method: string, path: string, query: string, canonicalBody: string): Buffer =>
  hash("sha256", JSON.stringify([method, path, query, canonicalBody]), "buffer");

/** The name of a key's locks. */
const lockName = ({ tenant, key }: KeyedRequest): string => `${tenant.businessId} ${tenant.environment} ${key}`;

const inProgress = (): ApiError =>
  new ApiError("idempotency_in_progress", "A request with this Idempotency-Key is still running. Retry shortly.");

/** The key's first request was answered: the request gets the same answer again. */
class AnsweredBeforeError extends Error {
  override readonly name = "AnsweredBeforeError";
  readonly answer: Answer;
  constructor(answer: Answer) {
    super("The key's first request was answered before.");
    this.answer = answer;
  }
}

/** A statement found an answer under its key, and wrote nothing. */
class KeyUsedError extends Error {
  override readonly name = "KeyUsedError";
}

/**
 * Runs operations at most once per key (§4.8). Exactness rests on the row that commits with the effect; the locks and
 * the set of running keys only turn waiting into `idempotency_in_progress`, and end with the process that holds them.
 */
export class Idempotency {
  readonly #database: Database;
  readonly #locks: SessionLocks;
  readonly #running = new Set<string>();
  readonly #sealing: Sealing | null;
  readonly #turns = new Turns({ waitingMax: WAITING_MAX, waitMsMax: WAITING_MS_MAX, atOnce: TRANSACTIONS_AT_ONCE });

  /** `sealing`: encrypts private answers; null: this process has no keys, and no private answers. */
  constructor(database: Database, locks: SessionLocks, sealing: Sealing | null = null) {
    this.#database = database;
    this.#locks = locks;
    this.#sealing = sealing;
  }

  /** Runs a form of a person at most once. */
  runOnce<Result>(form: Buffer, operation: () => Promise<Result>): Promise<Result> {
    return runOnce(this.#database, form, operation);
  }

  /** `tenant`: whose transactions take turns; null: the door has no tenants. */
  async run(
    request: KeyedRequest | null,
    operation: (write: IdempotentWrite) => Promise<Committed>,
    tenant: Tenant | null = request?.tenant ?? null,
  ): Promise<Answer> {
    const transact: Transact = (work) => {
      const transaction = () => this.#database.transaction(work);
      return tenant === null
        ? transaction()
        : this.#turns.run(`${tenant.businessId} ${tenant.environment}`, transaction);
    };
    if (request === null) return { ...(await operation(new UnkeyedWrite(transact))), replayed: false };
    const name = lockName(request);
    if (this.#running.has(name)) throw inProgress();
    this.#running.add(name);
    const write = new KeyedWrite(this.#database, transact, this.#locks, request, this.#sealing);
    try {
      return { ...(await write.run(operation)), replayed: false };
    } catch (error) {
      if (error instanceof AnsweredBeforeError) return error.answer;
      throw error;
    } finally {
      this.#running.delete(name);
      await this.#locks.unlock(name);
    }
  }
}

/** Runs a transaction, in turn with others of its tenant. */
type Transact = <Made>(work: (db: Db) => Promise<Made>) => Promise<Made>;

/** Without a key there is nothing to lock and nothing to store. */
class UnkeyedWrite implements IdempotentWrite {
  readonly #transact: Transact;

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  async lockKey(): Promise<LockedWrite> {
    return this;
  }

  async commit(work: Work): Promise<Committed> {
    if ("unstored" in work) return work.unstored as Committed;
    if ("reply" in work) return work.reply as Committed;
    if ("statement" in work) return (await work.statement(null)) as Committed;
    return (await this.#transact(work.transaction)) as Committed;
  }
}

class KeyedWrite implements IdempotentWrite {
  readonly #database: Database;
  readonly #transact: Transact;
  readonly #locks: SessionLocks;
  readonly #request: KeyedRequest;
  readonly #sealing: Sealing | null;
  #locked = false;

  constructor(
    database: Database,
    transact: Transact,
    locks: SessionLocks,
    request: KeyedRequest,
    sealing: Sealing | null,
  ) {
    this.#sealing = sealing;
    this.#database = database;
    this.#transact = transact;
    this.#locks = locks;
    this.#request = request;
  }

  /** An error is an answer too if its code says so (§4.8.3): it is stored before it is rethrown. */
  async run(operation: (write: IdempotentWrite) => Promise<Committed>): Promise<Committed> {
    try {
      return await operation(this);
    } catch (error) {
      if (error instanceof ApiError && ERRORS[error.code].storable)
        await this.#commitTransaction(async () => ({ status: error.status, body: showError(error) }));
      throw error;
    }
  }

  async lockKey(): Promise<LockedWrite> {
    this.#locked = await this.#locks.tryLock(lockName(this.#request));
    if (!this.#locked) throw inProgress();
    // The following work may fail in ways that are not stored: a request that was answered before must end here.
    await requireUnused(this.#database, this.#request, this.#sealing);
    return this;
  }

  async commit(work: Work): Promise<Committed> {
    if ("unstored" in work) return work.unstored as Committed;
    if ("statement" in work) return (await this.#commitStatement(work.statement)) as Committed;
    const write = "reply" in work ? async () => work.reply : work.transaction;
    return (await this.#commitTransaction(write)) as Committed;
  }

  #commitTransaction<Made extends StoredAnswer>(work: (db: Db) => Promise<Made>): Promise<Made> {
    return this.#transact(async (db) => {
      // From here to the commit the key is locked, or the request ends. The read comes after the lock, in a separate statement,
      // so that it sees the commit of the lock's last holder.
      if (!(await tryTransactionLock(db, lockName(this.#request), this.#locked))) throw inProgress();
      await requireUnused(db, this.#request, this.#sealing);
      const made = await work(db);
      await storeAnswer(db, { request: this.#request, locked: true, sealing: this.#sealing }, made);
      return made;
    });
  }

  async #commitStatement(work: (key: KeyToStore) => Promise<Reply>): Promise<Reply> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await work({ request: this.#request, locked: this.#locked, sealing: this.#sealing });
      } catch (error) {
        if (!(error instanceof KeyUsedError) && !isStoredTwice(error)) throw error;
        await requireUnused(this.#database, this.#request, this.#sealing);
        // The answer was older than a day and is deleted. The key is free, so try the statement once more.
        if (!isFirst) throw inProgress();
      }
    }
  }
}

/** The time for which answers are stored (§4.8.2). */
const STORED_FOR = sql`make_interval(hours => ${IDEMPOTENCY_HOURS}::integer)`;

interface StoredRow extends StoredAnswer {
  readonly fingerprint: Buffer;
  readonly expired: boolean;
}

/**
 * Throws the answer stored under the key, which the request gets again, or `idempotency_conflict` if it answered a
 * different request. An answer older than a day counts as none: it is deleted.
 */
async function requireUnused(db: Db, request: KeyedRequest, sealing: Sealing | null): Promise<void> {
  const { tenant, key, fingerprint } = request;
  const ofKey = sql`business_id = ${tenant.businessId} and environment = ${tenant.environment} and key = ${key}`;
  const row = await db.row<StoredRow>(sql`
    select fingerprint, status, body, created_at <= now() - ${STORED_FOR} as expired from idempotency_keys where ${ofKey}`);
  if (row === null) return;
  if (row.expired) {
    await db.rows(sql`delete from idempotency_keys where ${ofKey} and created_at <= now() - ${STORED_FOR}`);
    return;
  }
  if (!row.fingerprint.equals(fingerprint))
    throw new ApiError(
      "idempotency_conflict",
      "This Idempotency-Key was used with a different request. Use a new key.",
    );
  throw new AnsweredBeforeError({ status: row.status, body: openAnswer(sealing, request, row.body), replayed: true });
}

/** The columns of a row with an answer to store, in a {@link relation}. */
export const ANSWER_COLUMNS = {
  key: "text",
  fingerprint: "bytea",
  answer_status: "smallint",
  answer_body: "text",
  transaction_lock: "bigint",
  session_lock: "bigint",
} as const;

/** Returns the columns' values; all null without a key. */
export function answerRow(key: KeyToStore | null, answer: StoredAnswer) {
  if (key === null)
    return {
      key: null,
      fingerprint: null,
      answer_status: null,
      answer_body: null,
      transaction_lock: null,
      session_lock: null,
    };
  const locks = lockNumbers(lockName(key.request));
  return {
    key: key.request.key,
    fingerprint: `\\x${key.request.fingerprint.toString("hex")}`,
    answer_status: answer.status,
    answer_body: answer.isPrivate ? sealAnswer(key.sealing, key.request, answer.body) : answer.body,
    transaction_lock: locks.transaction,
    // Left null if a session of this process holds it: this connection could not take it.
    session_lock: key.locked ? null : locks.session,
  };
}

/** The state of a key for a statement. `running`: another request holds the key. `used`: an answer is stored. */
export type KeyState = "free" | "running" | "used";

/**
 * The {@link KeyState} of a row `a` with tenant and {@link ANSWER_COLUMNS}. Takes the key's locks to the end of the
 * transaction, without waiting.
 */
export const KEY_STATE: Sql = sql`
  case
    when a.key is null then 'free'
    when not pg_try_advisory_xact_lock(a.transaction_lock)
      or not (a.session_lock is null or pg_try_advisory_xact_lock_shared(a.session_lock)) then 'running'
    -- Reads one row of an index: "not exists" would be answered from a set of all keys.
    when (select true from idempotency_keys k
      where k.business_id = a.business_id and k.environment = a.environment and k.key = a.key) then 'used'
    else 'free'
  end`;

/** Ends the request if its key was not free. */
export function requireFree(state: KeyState): void {
  if (state === "running") throw inProgress();
  if (state === "used") throw new KeyUsedError("An answer is stored under the key.");
}

/**
 * Stores the answers of `answers`, a FROM of rows `a` with tenant and {@link ANSWER_COLUMNS}. If an answer was stored under
 * one of the keys since the statement began, the primary key refuses the row and so undoes the whole statement: no effect
 * is ever left without its answer.
 */
export const storeAnswers = (answers: Sql): Sql => sql`
  insert into idempotency_keys (business_id, environment, key, fingerprint, status, body, created_at)
  select a.business_id, a.environment, a.key, a.fingerprint, a.answer_status, a.answer_body, now() from ${answers}`;

const isStoredTwice = (error: unknown): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === "idempotency_keys_pkey";

const answerRows = relation("a", { business_id: "text", environment: "text", ...ANSWER_COLUMNS });

async function storeAnswer(db: Db, key: KeyToStore, answer: StoredAnswer): Promise<void> {
  const { businessId, environment } = key.request.tenant;
  const row = { business_id: businessId, environment, ...answerRow(key, answer) };
  try {
    await db.rows(storeAnswers(answerRows([row])));
  } catch (error) {
    // Only one database node knows the locks: after a fail-over this row refuses a second effect.
    throw isStoredTwice(error) ? inProgress() : error;
  }
}

/**
 * Replaces the stored answers of a tenant that begin so by another text, where what they say was erased. Their keys stay
 * used. It reads all answers of the tenant's last day.
 */
export const replaceAnswers = (db: Db, { businessId, environment }: Tenant, beginning: string, body: string) =>
  db.rows(sql`
    update idempotency_keys set body = ${body}
    where business_id = ${businessId} and environment = ${environment} and starts_with(body, ${beginning})`);

const PURGE_MAX = 1_000;

/** Deletes answers older than a day, in a bounded batch that waits for no lock. Returns true when there may be more. */
export async function purgeAnswers(db: Db): Promise<boolean> {
  const rows = await db.rows(sql`
    delete from idempotency_keys k using (
      select business_id, environment, key from idempotency_keys
      where created_at < now() - ${STORED_FOR} order by created_at limit ${PURGE_MAX}::integer for update skip locked) old
    where k.business_id = old.business_id and k.environment = old.environment and k.key = old.key
    returning k.key`);
  return rows.length === PURGE_MAX;
}
