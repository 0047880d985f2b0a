import { setTimeout as sleep } from "node:timers/promises";
import { ChainUnavailableError, SPAN_SECONDS } from "../../../chain/port.ts";
import { readNow } from "../../../store/clock.ts";
import { recordAccounts } from "../decide/record.ts";
import { draftObserved } from "../decide/state.ts";
import { findDueReconciliation, listKnownAddresses, markReconciled } from "./queries.ts";
import type { SweepDeps } from "./sweep.ts";

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
/** Beyond this many spans of time, one scan of everything asks less. */
const SPANS_MAX = 40;

/**
 * Finds the payment accounts under the operator that were made since the last time, and records those the books lack: once
 * a day, and while somebody floods the operator's history with noise. The first scan reads all payments; later ones read
 * those of a few spans of time, however many there have ever been. Always false: once is enough.
 */
export async function reconcilePayments(deps: SweepDeps, stopping: AbortSignal): Promise<boolean> {
  const { database, chain } = deps;
  const due = await findDueReconciliation(database, chain.environment, {
    dailyMs: DAILY_MS,
    backlogMs: BACKLOG_MS,
    backlogMax: BACKLOG_MAX,
  });
  if (due === null) return false;
  const now = await readNow(database, chain.environment);
  const overlapMs = due.isDaily ? OVERLAP_MS : BACKLOG_OVERLAP_MS;
  const since = due.reconciledAt === null ? null : new Date(due.reconciledAt.getTime() - overlapMs);
  for (const span of spansSince(since, now))
    await recordSpan(deps, span, stopping).catch(async (error: unknown) => {
      if (error instanceof ChainUnavailableError)
        await sleep(FAILED_MS, null, { signal: stopping }).catch(() => undefined);
      throw error;
    });
  await markReconciled(database, chain.environment);
  return false;
}

/** The spans of time up to the present; null alone: all there are. The chain's clock may be a little ahead of ours. */
function spansSince(since: Date | null, now: Date): readonly (number | null)[] {
  if (since === null) return [null];
  const spanOf = (time: Date) => Math.floor(time.getTime() / 1_000 / SPAN_SECONDS);
  const first = spanOf(since);
  const count = spanOf(now) + 1 - first + 1;
  return count > SPANS_MAX ? [null] : Array.from({ length: count }, (_, index) => first + index);
}

async function recordSpan(deps: SweepDeps, span: number | null, stopping: AbortSignal): Promise<void> {
  const { database, chain, commitment } = deps;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(READ_MS)]);
  const { value: payments, slot } = await chain.reader.fetchPaymentsInSpan(span, { signal, commitment });
  for (let at = 0; at < payments.length; at += BATCH_MAX) {
    const batch = payments.slice(at, at + BATCH_MAX);
    const addresses = batch.map((payment) => payment.address);
    const known = new Set(await listKnownAddresses(database, chain.environment, addresses));
    const missed = batch.filter((payment) => !known.has(payment.address));
    await recordAccounts(
      deps,
      chain.environment,
      missed.map((payment) => draftObserved(payment, slot, commitment)),
    );
  }
}
