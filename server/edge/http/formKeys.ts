import { hash } from "node:crypto";
import { ChainUnavailableError } from "../../chain/port.ts";
import { ApiError } from "../../domain/errors.ts";
import { IDEMPOTENCY_HOURS } from "../../domain/limits.ts";
import { OverloadedError } from "../../lib/batch.ts";
import type { Database, Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";

/** The name of a form that a person sent: the same key on another route is another form. */
export const formOf = (method: string, path: string, key: string): Buffer =>
  hash("sha256", JSON.stringify([method, path, key]), "buffer");

/**
 * Runs a form at most once (§13.4.6). The row is written before its effect, so a crash between them never lets a form act
 * twice. No answer is stored: some show a secret, once.
 */
export async function runOnce<Result>(
  database: Database,
  form: Buffer,
  operation: () => Promise<Result>,
): Promise<Result> {
  const claimed = await database.row(sql`
    insert into form_keys (form) values (${form}) on conflict (form) do nothing returning true as claimed`);
  if (claimed === null) throw await describeEarlier(database, form);
  let result: Result;
  try {
    result = await operation();
  } catch (error) {
    if (hasDoneNothing(error)) await note(database, sql`delete from form_keys where form = ${form}`);
    throw error;
  }
  await note(database, sql`update form_keys set done_at = now() where form = ${form}`);
  return result;
}

/** A failure to note how a form ended takes no answer away: a repeat is then told that nobody knows. */
const note = (database: Database, statement: Sql): Promise<unknown> => database.rows(statement).catch(() => null);

/** Features answer these before the effect: a chain or its rates did not answer. */
const BEFORE_THE_EFFECT: ReadonlySet<unknown> = new Set(["chain_unavailable", "unavailable"]);
/**
 * A refusal has changed nothing, nor has work that had no turn; chain and rates are read before the effect, or a chain is
 * sent the same bytes again. After another outage or a fault of the service nobody knows.
 */
const hasDoneNothing = (error: unknown): boolean =>
  error instanceof OverloadedError ||
  error instanceof ChainUnavailableError ||
  (error instanceof Error &&
    "status" in error &&
    typeof error.status === "number" &&
    (error.status < 500 || ("code" in error && BEFORE_THE_EFFECT.has(error.code))));

async function describeEarlier(db: Db, form: Buffer): Promise<ApiError> {
  const row = await db.row<{ readonly isDone: boolean }>(sql`
    select done_at is not null as "isDone" from form_keys where form = ${form}`);
  return row?.isDone === true
    ? new ApiError("sent_before", "This was sent and done before. Load the page again to see it.")
    : new ApiError("idempotency_in_progress", "This was sent before. Load the page again to see whether it was done.");
}

const PURGE_MAX = 1_000;

/** Deletes rows older than a day, in a bounded batch. Returns true when there may be more. */
export async function purgeForms(db: Db): Promise<boolean> {
  const rows = await db.rows(sql`
    delete from form_keys where form in (
      select form from form_keys where created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS}::integer)
      order by created_at limit ${PURGE_MAX}::integer for update skip locked)
    returning form`);
  return rows.length === PURGE_MAX;
}
