import { setTimeout as sleep } from "node:timers/promises";
import { fetchAccountsOrLeave } from "../../../chain/fetchOrLeave.ts";
import { ChainUnavailableError, SPAN_SECONDS } from "../../../chain/port.ts";
import { isolate } from "../../../lib/isolate.ts";
import { RestList } from "../../../lib/restList.ts";
import { readNow } from "../../../store/clock.ts";
import { recordAccounts } from "../decide/record.ts";
import { draftAllObserved } from "../decide/state.ts";
import type { SweepDeps } from "../deps.ts";
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
 * Above this many unprocessed signatures, a few seconds of reading, payments are found by their accounts first, and the
 * inbox drains behind: often enough that no payment waits longer than 10 s for noise.
 */
const BACKLOG_MAX = 1_000;
const BACKLOG_MS = 4_000;
const BATCH_MAX = 100;
/** Payments made so long before the last time are looked for again: a node may have lagged then. */
const OVERLAP_MS = 2 * DAILY_MS;
const BACKLOG_OVERLAP_MS = 3_600_000;
/** Waits so long after a scan that failed: it asks a lot of a node, and may have failed for its size. */
const FAILED_MS = 60_000;
/** After a daily scan that found what could not be recorded, the next one waits so long, longer each time. */
const REST_FIRST_MS = 60_000;
const REST_MAX_MS = 3_600_000;
/** Beyond this many spans of time, one scan of everything asks less. */
const SPANS_MAX = 40;

/**
 * The step that finds the payment accounts under the operator that were made since the last time, and records those the
 * books lack: once a day, and while somebody floods the operator's history with noise. The first scan reads all payments;
 * later ones read those of a few spans of time, however many there have ever been. A payment that cannot be recorded is
 * left aside, and the time of the last scan stays, so that it is found again until it can. Always false: once is enough.
 */
export function createReconcileStep(deps: SweepDeps): (stopping: AbortSignal) => Promise<boolean> {
  const { database, chain, log } = deps;
  const daily = new RestList(REST_FIRST_MS, REST_MAX_MS);
  /** The log names a payment that cannot be recorded no more often. */
  const named = new RestList(REST_FIRST_MS, REST_MAX_MS);
  return async (stopping) => {
    const terms = { dailyMs: DAILY_MS, backlogMs: BACKLOG_MS, backlogMax: BACKLOG_MAX };
    const due = await findDueReconciliation(database, chain.environment, terms);
    const isDaily = due?.isDaily === true && !daily.has(chain.environment);
    if (due === null || !(isDaily || due.isBacklog)) return false;
    const { left, slot } = await reconcile(deps, { ...due, isDaily }, stopping);
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

/** Why payments could not be recorded, by their addresses, and the oldest slot that was read at. */
async function reconcile(
  deps: SweepDeps,
  { reconciledAt, isDaily }: DueReconciliation,
  stopping: AbortSignal,
): Promise<{ readonly left: ReadonlyMap<string, unknown>; readonly slot: number }> {
  const now = await readNow(deps.database, deps.chain.environment);
  const left = new Map<string, unknown>();
  const slots: number[] = [];
  for (const span of spansSince(isDaily ? dailySince(reconciledAt) : backlogSince(reconciledAt, now), now)) {
    const slot = await recordSpan(deps, span, left, stopping).catch(async (error: unknown) => {
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

/** No longer than a day: what is older is left to the daily scan, which may be held up by what cannot be recorded. */
const backlogSince = (reconciledAt: Date | null, now: Date): Date =>
  new Date(Math.max(reconciledAt?.getTime() ?? 0, now.getTime() - DAILY_MS) - BACKLOG_OVERLAP_MS);

/** The spans of time up to the present; null alone: all there are. The chain's clock may be a little ahead of ours. */
function spansSince(since: Date | null, now: Date): readonly (number | null)[] {
  if (since === null) return [null];
  const spanOf = (time: Date) => Math.floor(time.getTime() / 1_000 / SPAN_SECONDS);
  const first = spanOf(since);
  const count = spanOf(now) + 1 - first + 1;
  return count > SPANS_MAX ? [null] : Array.from({ length: count }, (_, index) => first + index);
}

/** Adds to `left` what could not be recorded; returns the slot that was read at. */
async function recordSpan(
  deps: SweepDeps,
  span: number | null,
  left: Map<string, unknown>,
  stopping: AbortSignal,
): Promise<number> {
  const { database, chain, commitment } = deps;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const { value: payments, slot } = await chain.reader.fetchPaymentsInSpan(span, { signal, commitment });
  for (let at = 0; at < payments.length; at += BATCH_MAX) {
    const batch = payments.slice(at, at + BATCH_MAX);
    const addresses = batch.map((payment) => payment.address);
    const known = new Set(await listKnownAddresses(database, chain.environment, addresses));
    const missed = batch.filter((payment) => !known.has(payment.address));
    if (missed.length === 0) continue;
    // The scan has one node's word.
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
      all: (some) => recordAccounts(deps, chain.environment, some).then(() => some),
    });
    for (const [index, outcome] of outcomes.entries())
      if (!outcome.ok) left.set(observed[index]!.payment.address, outcome.error);
  }
  return slot;
}
