import { hash } from "node:crypto";
import type { Tenant } from "../../domain/callers.ts";
import { ApiError, ERRORS, showError } from "../../domain/errors.ts";
import { IDEMPOTENCY_HOURS } from "../../domain/limits.ts";
import type { Database, Db } from "../../store/database.ts";
import { type SessionLocks, tryTransactionLock } from "../../store/locks.ts";
import { sql } from "../../store/sql.ts";

/** A request that carries an Idempotency-Key (§4.8); the fingerprint says what "the same request" is. */
export interface KeyedRequest {
  readonly tenant: Tenant;
  readonly key: string;
  readonly fingerprint: Buffer;
}

/** An operation's answer, as it is sent and kept. */
interface Made {
  readonly status: number;
  readonly body: string;
}

export interface Answer extends Made {
  readonly replayed: boolean;
}

/** How an operation writes, so that its effect and the answer kept under its key commit together. */
export interface Writing {
  /** Runs the writes in one transaction. `one`: they are one statement, which needs no transaction where no key is given. */
  readonly commit: <Reply extends Made>(work: (db: Db) => Promise<Reply>, statements?: "one") => Promise<Reply>;
  /**
   * To be called before anything slow or unsure, such as a read of the chain: marks the key as running for every
   * process, and ends the request here if it was answered before. Without it, `commit` finds that out.
   */
  readonly hold: () => Promise<void>;
  /**
   * For an operation whose one statement keeps the answer itself: the key to keep it under, if one was given. Null once
   * the key is held, since such a statement takes the key's locks on another connection: then use `commit`.
   */
  readonly unheld: () => { readonly request: KeyedRequest | null } | null;
  /** Says that such a statement has kept the answer. */
  readonly kept: () => void;
}

export const fingerprintOf = (method: string, path: string, query: string, canonicalBody: string): Buffer =>
  hash("sha256", JSON.stringify([method, path, query, canonicalBody]), "buffer");

/** What the locks of a key are called. */
export const keyName = ({ tenant, key }: KeyedRequest): string => `${tenant.businessId} ${tenant.environment} ${key}`;

export const inProgress = (): ApiError =>
  new ApiError("idempotency_in_progress", "A request with this Idempotency-Key is still running. Retry shortly.");

/** The key's first request was answered: that answer is given again. */
class AlreadyDone extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super("The key's first request was answered before.");
    this.answer = answer;
  }
}

/**
 * Runs operations at most once per key (§4.8). Exactness rests on the row that commits with the effect; the locks and
 * the set of running keys only turn waiting into `idempotency_in_progress`, and end with the process that held them.
 */
export class Idempotency {
  readonly #database: Database;
  readonly #locks: SessionLocks;
  readonly #running = new Set<string>();

  constructor(database: Database, locks: SessionLocks) {
    this.#database = database;
    this.#locks = locks;
  }

  async run(request: KeyedRequest | null, operation: (writing: Writing) => Promise<Made>): Promise<Answer> {
    if (request === null) {
      const database = this.#database;
      const commit: Writing["commit"] = (work, statements) =>
        statements === "one" ? work(database) : database.transaction(work);
      const writing: Writing = {
        commit,
        hold: async () => undefined,
        unheld: () => ({ request: null }),
        kept: () => undefined,
      };
      return { ...(await operation(writing)), replayed: false };
    }
    const name = keyName(request);
    if (this.#running.has(name)) throw inProgress();
    this.#running.add(name);
    try {
      return await this.#runKeyed(request, name, operation);
    } finally {
      this.#running.delete(name);
      await this.#locks.unlock(name);
    }
  }

  async #runKeyed(
    request: KeyedRequest,
    name: string,
    operation: (writing: Writing) => Promise<Made>,
  ): Promise<Answer> {
    let held = false;
    let stored = false;
    const commit: Writing["commit"] = async (work) => {
      const reply = await this.#database.transaction(async (db) => {
        await claim(db, request, name, held);
        const made = await work(db);
        await keepAnswer(db, request, made);
        return made;
      });
      stored = true;
      return reply;
    };
    const hold = async () => {
      held = await this.#locks.tryLock(name);
      if (!held) throw inProgress();
      // What follows may fail in ways that are not kept: a request that was answered before must not get so far.
      const kept = await findAnswer(this.#database, request);
      if (kept !== null) throw new AlreadyDone(kept);
    };
    try {
      const reply = await operation({
        commit,
        hold,
        unheld: () => (held ? null : { request }),
        kept: () => {
          stored = true;
        },
      });
      // An operation that found nothing to write has an answer all the same.
      if (!stored) await commit(async () => reply);
      return { ...reply, replayed: false };
    } catch (error) {
      if (error instanceof AlreadyDone) return error.answer;
      if (!(error instanceof ApiError) || !ERRORS[error.code].storable) throw error;
      return await this.#keepRefusal(request, name, held, error);
    }
  }

  async #keepRefusal(request: KeyedRequest, name: string, held: boolean, refusal: ApiError): Promise<never | Answer> {
    try {
      await this.#database.transaction(async (db) => {
        await claim(db, request, name, held);
        await keepAnswer(db, request, { status: refusal.status, body: showError(refusal) });
      });
    } catch (error) {
      if (error instanceof AlreadyDone) return error.answer;
      throw error;
    }
    throw refusal;
  }
}

/** From here to the commit the key is ours alone, or the request ends. The look comes after the lock, in a statement of its own. */
async function claim(db: Db, request: KeyedRequest, name: string, held: boolean): Promise<void> {
  if (!(await tryTransactionLock(db, name, held))) throw inProgress();
  const kept = await findAnswer(db, request);
  if (kept !== null) throw new AlreadyDone(kept);
}

/** How long answers are kept (§4.8). */
const KEPT = sql`make_interval(hours => ${IDEMPOTENCY_HOURS}::integer)`;

/** The kept answer, to be given again; throws `idempotency_conflict` when it answered a different request. */
async function findAnswer(db: Db, { tenant, key, fingerprint }: KeyedRequest): Promise<Answer | null> {
  const row = await db.row<{ fingerprint: Buffer; status: number; body: string }>(sql`
    select fingerprint, status, body from idempotency_keys
    where business_id = ${tenant.businessId} and environment = ${tenant.environment} and key = ${key}
      and created_at > now() - ${KEPT}`);
  if (row === null) return null;
  if (!row.fingerprint.equals(fingerprint))
    throw new ApiError(
      "idempotency_conflict",
      "This Idempotency-Key was used with a different request. Use a new key.",
    );
  return { status: row.status, body: row.body, replayed: true };
}

/** A row older than a day counts as absent, purged or not: it is replaced. */
async function keepAnswer(db: Db, { tenant, key, fingerprint }: KeyedRequest, answer: Made): Promise<void> {
  const row = await db.row(sql`
    insert into idempotency_keys as k (business_id, environment, key, fingerprint, status, body, created_at)
    values (${tenant.businessId}, ${tenant.environment}, ${key}, ${fingerprint}, ${answer.status}::smallint, ${answer.body}, now())
    on conflict (business_id, environment, key) do update set
      fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body, created_at = excluded.created_at
    where k.created_at <= excluded.created_at - ${KEPT}
    returning key`);
  // Without the lock (another node after a fail-over) the row is what refuses a second effect.
  if (row === null) throw inProgress();
}

const PURGE_MAX = 1_000;

/** Deletes answers past their day, a bounded batch that waits for nobody; true when there may be more. */
export async function purgeAnswers(db: Db): Promise<boolean> {
  const rows = await db.rows(sql`
    delete from idempotency_keys k using (
      select business_id, environment, key from idempotency_keys
      where created_at < now() - ${KEPT} order by created_at limit ${PURGE_MAX}::integer for update skip locked) old
    where k.business_id = old.business_id and k.environment = old.environment and k.key = old.key
    returning k.key`);
  return rows.length === PURGE_MAX;
}
