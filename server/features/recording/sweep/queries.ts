import type { ChainSignature } from "../../../chain/port.ts";
import type { Environment } from "../../../domain/terms.ts";
import { type FieldsOf, flag, integer, named, nullable, omit, pick, slot, word } from "../../../lib/columns.ts";
import { statementNow } from "../../../store/clock.ts";
import type { Db } from "../../../store/database.ts";
import { type Sql, sql } from "../../../store/sql.ts";
import { fieldRows, selected } from "../../../store/table.ts";
import { isUnreadable, UNREADABLE_ATTEMPTS } from "../fragments.ts";

/** The position of the feed in the operator's history. */
export interface FeedCursor {
  readonly slot: number;
  readonly signature: string | null;
  /** Set while a history longer than a page is read: the next page is below this signature. */
  readonly pageBefore: string | null;
  /** The position of the cursor after that. */
  readonly next: { readonly slot: number; readonly signature: string } | null;
  readonly sweepPaused: boolean;
}

const CURSOR_COLUMNS = {
  slot: named("cursor_slot", slot()),
  signature: named("cursor_signature", nullable(word())),
  pageBefore: nullable(word()),
  pageCursorSlot: nullable(slot()),
  pageCursorSignature: nullable(word()),
  sweepPaused: flag(),
};

export async function findCursor(db: Db, environment: Environment): Promise<FeedCursor | null> {
  const row = await db.row<FieldsOf<typeof CURSOR_COLUMNS>>(sql`
    select ${selected(CURSOR_COLUMNS, "c")} from chains c where environment = ${environment}`);
  if (row === null) return null;
  const { pageCursorSlot: next, pageCursorSignature, ...cursor } = row;
  return { ...cursor, next: next === null ? null : { slot: next, signature: pageCursorSignature! } };
}

const INBOX_COLUMNS = { signature: word(), slot: slot(), failed: flag(), attempts: integer() };
const LISTED_COLUMNS = pick(INBOX_COLUMNS, "signature", "slot");
const CLAIMED_COLUMNS = omit(INBOX_COLUMNS, "failed");
const lineRows = fieldRows("s", omit(INBOX_COLUMNS, "attempts"));
const listedRows = fieldRows("l", LISTED_COLUMNS);

/** Failed transactions changed nothing, so they are inserted as processed. */
const inserted = (environment: Environment, lines: readonly ChainSignature[]): Sql => sql`
  insert into chain_inbox (environment, signature, slot, failed, processed)
  select ${environment}, s.signature, s.slot, s.failed, s.failed from ${lineRows(lines)}
  order by s.signature
  on conflict (environment, signature)`;

/** A transaction that is listed with another slot or result has landed again, after a fork. It is processed again. */
const received = (environment: Environment, lines: readonly ChainSignature[]): Sql => sql`
  received as (
    ${inserted(environment, lines)} do update set
      slot = excluded.slot, failed = excluded.failed, processed = excluded.failed, attempts = 0, leased_until = null
    where chain_inbox.slot <> excluded.slot or chain_inbox.failed <> excluded.failed)`;

/** Saves one page of several. The cursor stays until the last one. */
export const savePage = (
  db: Db,
  environment: Environment,
  lines: readonly ChainSignature[],
  before: string,
  next: FeedCursor["next"],
) =>
  db.rows(sql`
    with ${received(environment, lines)}
    update chains set page_before = ${before}, page_cursor_slot = ${next?.slot ?? null}::bigint, page_cursor_signature = ${next?.signature ?? null}
    where environment = ${environment}`);

/** Restarts the pass from the newest page. The received lines and the cursor stay. */
export const restartPaging = (db: Db, environment: Environment) =>
  db.rows(sql`
    update chains set page_before = null, page_cursor_slot = null, page_cursor_signature = null
    where environment = ${environment}`);

/** The slot, and its block time, up to which everything is listed. */
export interface Progress {
  readonly slot: number;
  readonly watermark: Date;
}

/** A point of the history that the watermark may reach once every line up to `listedSlot` is processed. */
export interface Mark extends Progress {
  readonly listedSlot: number;
}

/** `isByOne`: only one of several nodes listed, so the progress is that of some minutes before. */
export interface ListedProgress extends Mark {
  readonly isByOne: boolean;
}

/**
 * Saves the last page: the history is complete up to its newest line, so the cursor moves, in the same statement. Returns
 * the progress with the time that is believed.
 */
export async function saveLastPage(
  db: Db,
  environment: Environment,
  lines: readonly ChainSignature[],
  next: FeedCursor["next"],
  progress: ListedProgress | null,
): Promise<Mark | null> {
  const row = await db.row<{ watermark: Date | null }>(sql`
    with ${received(environment, lines)}
    update chains set
      cursor_slot = coalesce(${next?.slot ?? null}::bigint, cursor_slot),
      cursor_signature = coalesce(${next?.signature ?? null}::text, cursor_signature),
      page_before = null, page_cursor_slot = null, page_cursor_signature = null,
      listed_slot = coalesce(${progress?.slot ?? null}::bigint, listed_slot),
      listed_at = case when ${progress !== null} then now() else listed_at end,
      listed_by_one = coalesce(${progress?.isByOne ?? null}::boolean, listed_by_one)
    where environment = ${environment}
    -- A node's time in the future is not believed: nothing would move the watermark back.
    returning least(${progress?.watermark ?? null}::timestamptz, ${statementNow(environment)}) as watermark`);
  return progress === null || row === null
    ? null
    : { slot: progress.slot, watermark: row.watermark!, listedSlot: progress.listedSlot };
}

/** The slot of the oldest line that is not processed; null if every line is. */
export async function findOpenSlot(db: Db, environment: Environment): Promise<number | null> {
  const row = await db.row<FieldsOf<typeof OPEN_COLUMNS>>(sql`
    select ${selected(OPEN_COLUMNS, "i")} from chain_inbox i where environment = ${environment} and not processed
    order by slot limit 1`);
  return row?.slot ?? null;
}

const OPEN_COLUMNS = pick(INBOX_COLUMNS, "slot");

/** Moves the watermark to a point up to which every line is listed and processed; never back. */
export const moveWatermark = (db: Db, environment: Environment, { slot, watermark }: Progress) =>
  db.rows(sql`
    update chains set watermark = greatest(watermark, ${watermark}::timestamptz), watermark_slot = greatest(watermark_slot, ${slot}::bigint)
    where environment = ${environment}`);

/**
 * Inserts unknown lines only. Known ones stay as the feed's node listed them; otherwise two nodes would overwrite each
 * other for ever.
 */
export const saveMissed = async (db: Db, environment: Environment, lines: readonly ChainSignature[]): Promise<void> => {
  if (lines.length === 0) return;
  await db.rows(sql`${inserted(environment, lines)} do nothing`);
};

/** The newest processed line below a slot. A list of everything from that slot on may stop there. */
export async function findProcessedBelow(db: Db, environment: Environment, slot: number): Promise<string | null> {
  const row = await db.row<{ signature: string }>(sql`
    select signature from chain_inbox where environment = ${environment} and slot < ${slot}::bigint and processed
    order by slot desc limit 1`);
  return row?.signature ?? null;
}

/**
 * Deletes a batch of processed lines that are never listed again, oldest first: those below the cursor and below
 * `slot`, except the newest of them, at which the lists of the look back stop.
 */
export const pruneInbox = (db: Db, environment: Environment, slot: number) =>
  db.rows(sql`
    with stop as (
      select slot from chain_inbox
      where environment = ${environment} and processed
        and slot < least((select cursor_slot from chains where environment = ${environment}), ${slot}::bigint)
      order by slot desc limit 1)
    delete from chain_inbox where environment = ${environment} and signature in (
      select i.signature from chain_inbox i
      where i.environment = ${environment} and i.processed and i.slot < (select slot from stop)
      order by i.slot limit ${PRUNE_MAX}::integer)`);

const PRUNE_MAX = 10_000;

/** A transaction as it was listed. After a fork, the same one may be listed again in another slot. */
export type Listed = FieldsOf<typeof LISTED_COLUMNS>;
export type InboxRow = FieldsOf<typeof CLAIMED_COLUMNS>;

/**
 * Leases unprocessed signatures to this worker, oldest first. A part of the batch is for those that failed before, if there
 * are any, so that neither kind waits for the other. Returns none while the sweep is paused. A signature that is not
 * processed, postponed or released is free again after the lease.
 */
export const claimSignatures = (
  db: Db,
  environment: Environment,
  { limit, failedLimit }: { limit: number; failedLimit: number },
  leaseMs: number,
) =>
  db.rows<InboxRow>(sql`
    with failed_before as materialized (
      select signature from chain_inbox
      where ${isFree(environment)} and attempts > 0
      order by attempts, slot limit ${failedLimit}::integer
      for update skip locked),
    fresh as materialized (
      select signature from chain_inbox
      where ${isFree(environment)} and attempts = 0
      order by attempts, slot limit ${limit}::integer - (select count(*) from failed_before)
      for update skip locked)
    -- One look-up by key at a time: a join would read the whole backlog.
    update chain_inbox set leased_until = now() + make_interval(secs => ${leaseMs / 1000}::double precision)
    where environment = ${environment} and signature = any(array(select signature from failed_before union all select signature from fresh))
    returning ${selected(CLAIMED_COLUMNS, "chain_inbox")}`);

const isFree = (environment: Environment): Sql => sql`
        environment = ${environment} and not processed and (leased_until is null or leased_until <= now())
        and (select not sweep_paused from chains where environment = ${environment})`;

/**
 * Marks transactions as processed, also those that no list has shown yet, unless they were listed in another slot since:
 * their effect there is not read yet.
 */
export const markProcessed = (db: Db, environment: Environment, processed: readonly Listed[]) =>
  db.rows(sql`
    insert into chain_inbox as i (environment, signature, slot, failed, processed)
    select ${environment}, l.signature, l.slot, false, true from ${listedRows(processed)} order by l.signature
    on conflict (environment, signature) do update set processed = true, leased_until = null where i.slot = excluded.slot`);

/**
 * The waits after failed attempts, in seconds. They double up to half a minute, and after five minutes of these grow by a
 * tenth: what fails is read soon after nodes give it, and many hopeless rows cost few requests.
 */
const POSTPONED_SECONDS = { first: 1, often: 30, max: 300 };
const OFTEN_ATTEMPTS = 15;

/** Counts a failed attempt. The signatures are tried again after a wait, after the others. */
export const postponeSignatures = (db: Db, environment: Environment, signatures: readonly string[]) =>
  db.rows(sql`
    update chain_inbox set attempts = least(attempts + 1, 1000),
      leased_until = now() + make_interval(secs => least(
        ${POSTPONED_SECONDS.first}::double precision * 2 ^ attempts,
        ${POSTPONED_SECONDS.often}::double precision * 1.1 ^ greatest(attempts - ${OFTEN_ATTEMPTS}::integer, 0),
        ${POSTPONED_SECONDS.max}::double precision))
    where environment = ${environment} and signature = any(${signatures}::text[])`);

/**
 * Counts unreadable transactions as processed, after a scan of all accounts, at `scannedSlot`, has found every payment
 * that they may have made.
 */
export const settleUnreadable = (db: Db, environment: Environment, scannedSlot: number) =>
  db.rows<{ signature: string }>(sql`
    update chain_inbox set processed = true, leased_until = null
    where ${isUnreadable(sql`${environment}`)} and slot + ${LANDING_SLOTS_MAX}::bigint < ${scannedSlot}::bigint
    returning signature`);

/** Releases claimed signatures that were not worked off, unchanged. */
export const releaseSignatures = (db: Db, environment: Environment, signatures: readonly string[]) =>
  db.rows(sql`
    update chain_inbox set leased_until = null
    where environment = ${environment} and signature = any(${signatures}::text[]) and leased_until is not null`);

/** Deletes signatures of transactions that can no longer land, by the finalized slot. */
export const forgetSignatures = (
  db: Db,
  environment: Environment,
  signatures: readonly string[],
  finalizedSlot: number,
) =>
  db.rows(sql`
    delete from chain_inbox
    where environment = ${environment} and signature = any(${signatures}::text[]) and not processed
      and slot + ${LANDING_SLOTS_MAX}::bigint < ${finalizedSlot}::bigint`);

/** Blocks within which a transaction that a fork dropped may still land again. */
const LANDING_SLOTS_MAX = 300;

/** The time of the last scan of accounts, and the reasons for the next: a day has passed, or there is a backlog. */
export interface DueReconciliation {
  readonly reconciledAt: Date | null;
  readonly isDaily: boolean;
  readonly isBacklog: boolean;
}

export async function findDueReconciliation(
  db: Db,
  environment: Environment,
  { dailyMs, backlogMs, backlogMax }: { dailyMs: number; backlogMs: number; backlogMax: number },
): Promise<DueReconciliation | null> {
  const row = await db.row<{ reconciled_at: Date | null; is_daily: boolean; is_backlog: boolean }>(sql`
    select reconciled_at,
      reconciled_at is null or reconciled_at < now() - make_interval(secs => ${dailyMs / 1000}::double precision) as is_daily,
      (reconciled_at is null or reconciled_at < now() - make_interval(secs => ${backlogMs / 1000}::double precision))
        and ${backlogMax}::bigint < (select count(*) from (
          select from chain_inbox i where i.environment = c.environment and not i.processed and i.attempts < ${UNREADABLE_ATTEMPTS}::integer limit ${backlogMax + 1}::integer) unprocessed) as is_backlog
    from chains c where environment = ${environment} and not sweep_paused`);
  if (row === null || !(row.is_daily || row.is_backlog)) return null;
  return { reconciledAt: row.reconciled_at, isDaily: row.is_daily, isBacklog: row.is_backlog };
}

export const markReconciled = (db: Db, environment: Environment) =>
  db.rows(sql`update chains set reconciled_at = now() where environment = ${environment}`);

/** The addresses among these whose terms are recorded, matched or not. */
export async function listKnownAddresses(db: Db, environment: Environment, addresses: readonly string[]) {
  const rows = await db.rows<{ address: string }>(sql`
    select address from payments where environment = ${environment} and address = any(${addresses}::text[])
    union all select address from unmatched_payments
    where environment = ${environment} and address = any(${addresses}::text[]) and reason <> 'closed'`);
  return rows.map((row) => row.address);
}

export const hasUnfinishedUnmatched = (db: Db, environment: Environment): Promise<boolean> =>
  db.has(sql`
    select 1 from unmatched_payments
    where environment = ${environment} and status in ('protected', 'disputed') limit 1`);

/** Unmatched payments that were last observed at least `slots` below the finalized slot and are not in `except`, oldest first. */
export async function listUnmatchedBefore(
  db: Db,
  environment: Environment,
  { finalizedSlot, slots, except }: { finalizedSlot: number; slots: number; except: readonly string[] },
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ address: string }>(sql`
    select address from unmatched_payments
    where environment = ${environment} and status in ('protected', 'disputed')
      and observed_slot + ${slots}::bigint <= ${finalizedSlot}::bigint and not address = any(${except}::text[])
    order by observed_slot limit ${limit}::integer`);
  return rows.map((row) => row.address);
}

/** Deletes unmatched payments, unless they were observed again meanwhile. */
export const deleteUnmatched = (
  db: Db,
  environment: Environment,
  addresses: readonly string[],
  finalizedSlot: number,
  slots: number,
) =>
  db.rows(sql`
    delete from unmatched_payments
    where environment = ${environment} and address = any(${addresses}::text[])
      and observed_slot + ${slots}::bigint <= ${finalizedSlot}::bigint`);
