import { setTimeout as sleep } from "node:timers/promises";
import { fetchAccountsOrLeave } from "../../../chain/fetchOrLeave.ts";
import { ChainUnavailableError, SPAN_SECONDS } from "../../../chain/port.ts";
import { isolate } from "../../../lib/isolate.ts";
import { RestList } from "../../../lib/restList.ts";
import { readNow } from "../../../store/clock.ts";
import type { ChainContext } from "../../context.ts";
import { recordAccounts } from "../decide/record.ts";
import { draftAllObserved } from "../decide/state.ts";
import {
  type DueReconciliation,
  findDueReconciliation,
  listKnownAddresses,
  markReconciled,
  settleUnreadable,
} from "./queries.ts";

const READ_MS = 60_000;
const DAILY_MS = 86_400_000;
/**
 * Above this many unprocessed signatures, a few seconds of reading, payments are found by their accounts first, and
 * the inbox is worked off afterwards. Noise then delays no payment by more than 10 s.
 */
const BACKLOG_MAX = 1_000;
const BACKLOG_MS = 4_000;
const BATCH_MAX = 100;
/** The scan goes back this far before the last one: a node may have lagged then. */
const OVERLAP_MS = 2 * DAILY_MS;
const BACKLOG_OVERLAP_MS = 3_600_000;
/** The wait after a failed scan: it costs a node much, and may have failed because of its size. */
const FAILED_MS = 60_000;
/** The first wait after a daily scan with payments that could not be recorded. It grows each time. */
const REST_FIRST_MS = 60_000;
const REST_MAX_MS = 3_600_000;
/** Beyond this many spans of time, one scan of everything costs less. */
const SPANS_MAX = 40;

/**
 * The step that finds the operator's payment accounts that are newer than the last scan, and records those that the
 * books lack: once a day, and while noise floods the operator's history. The first scan reads all payments; later ones
 * read a few spans of time, however many payments exist. A payment that cannot be recorded is skipped, and the time of
 * the last scan stays, so that it is found again until it can. Always returns false: one scan is enough.
 */
export function createReconcileStep(ctx: ChainContext): (stopping: AbortSignal) => Promise<boolean> {
  const { database, chain, log } = ctx;
  const daily = new RestList(REST_FIRST_MS, REST_MAX_MS);
  /** Limits how often the log names a payment that cannot be recorded. */
  const named = new RestList(REST_FIRST_MS, REST_MAX_MS);
  return async (stopping) => {
    const terms = { dailyMs: DAILY_MS, backlogMs: BACKLOG_MS, backlogMax: BACKLOG_MAX };
    const due = await findDueReconciliation(database, chain.environment, terms);
    const isDaily = due?.isDaily === true && !daily.has(chain.environment);
    if (due === null || !(isDaily || due.isBacklog)) return false;
    const { left, slot } = await reconcile(ctx, { ...due, isDaily }, stopping);
    for (const [address, failure] of left)
      if (!named.has(address) && named.rest(address) !== null)
        log(`The payment ${address} could not be recorded and is looked for again later.`, failure);
    if (isDaily && left.size > 0) daily.rest(chain.environment);
    else if (isDaily) daily.forget(chain.environment);
    if (left.size > 0 || isDaily !== due.isDaily) return false;
    if (isDaily) {
      const settled = await settleUnreadable(database, chain.environment, slot);
      if (settled.length > 0)
        log(
          `${chain.environment} sweep: all accounts were read in place of ${settled.length} transactions that no node gives.`,
        );
    }
    await markReconciled(database, chain.environment);
    return false;
  };
}

/** Returns the errors of payments that could not be recorded, by address, and the oldest slot of a read. */
async function reconcile(
  ctx: ChainContext,
  { reconciledAt, isDaily }: DueReconciliation,
  stopping: AbortSignal,
): Promise<{ readonly left: ReadonlyMap<string, unknown>; readonly slot: number }> {
  const now = await readNow(ctx.database, ctx.chain.environment);
  const left = new Map<string, unknown>();
  const slots: number[] = [];
  for (const span of spansSince(isDaily ? dailySince(reconciledAt) : backlogSince(reconciledAt, now), now)) {
    const slot = await recordSpan(ctx, span, left, stopping).catch(async (error: unknown) => {
      if (error instanceof ChainUnavailableError)
        await sleep(FAILED_MS, null, { signal: stopping }).catch(() => undefined);
      throw error;
    });
    slots.push(slot);
  }
  return { left, slot: Math.min(...slots) };
}

const dailySince = (reconciledAt: Date | null): Date | null =>
  reconciledAt === null ? null : new Date(reconciledAt.getTime() - OVERLAP_MS);

/** At most a day: older payments are left to the daily scan, which one that cannot be recorded may delay. */
const backlogSince = (reconciledAt: Date | null, now: Date): Date =>
  new Date(Math.max(reconciledAt?.getTime() ?? 0, now.getTime() - DAILY_MS) - BACKLOG_OVERLAP_MS);

/** The spans of time up to the present; a single null stands for all. The chain's clock may be slightly ahead of ours. */
function spansSince(since: Date | null, now: Date): readonly (number | null)[] {
  if (since === null) return [null];
  const spanOf = (time: Date) => Math.floor(time.getTime() / 1_000 / SPAN_SECONDS);
  const first = spanOf(since);
  const count = spanOf(now) + 1 - first + 1;
  return count > SPANS_MAX ? [null] : Array.from({ length: count }, (_, index) => first + index);
}

/** Adds payments that could not be recorded to `left`. Returns the slot of the read. */
async function recordSpan(
  ctx: ChainContext,
  span: number | null,
  left: Map<string, unknown>,
  stopping: AbortSignal,
): Promise<number> {
  const { database, chain } = ctx;
  const { bindCommitment: commitment } = chain.reader;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const { value: payments, slot } = await chain.reader.fetchPaymentsInSpan(span, { signal, commitment });
  for (let at = 0; at < payments.length; at += BATCH_MAX) {
    const batch = payments.slice(at, at + BATCH_MAX);
    const addresses = batch.map((payment) => payment.address);
    const known = new Set(await listKnownAddresses(database, chain.environment, addresses));
    const missed = batch.filter((payment) => !known.has(payment.address));
    if (missed.length === 0) continue;
    // The scan asked only one node.
    const { read, unread } = await fetchAccountsOrLeave(
      chain.reader,
      missed.map((payment) => payment.address),
      { signal, commitment, minSlot: slot, toBind: true },
    );
    for (const [address, error] of unread) left.set(address, error);
    for (const { address, account } of read)
      if (account === null) left.set(address, new Error("Not every node that was asked shows the account."));
    const observed = draftAllObserved(read, commitment);
    const outcomes = await isolate(observed, {
      all: (some) => recordAccounts(ctx, chain.environment, some).then(() => some),
    });
    for (const [index, outcome] of outcomes.entries())
      if (!outcome.ok) left.set(observed[index]!.payment.address, outcome.error);
  }
  return slot;
}
