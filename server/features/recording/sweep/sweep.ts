import { isAnswered, logUnread } from "../../../chain/fetchOrLeave.ts";
import { ChainUnavailableError, unlessAway } from "../../../chain/port.ts";
import { failpoint } from "../../../lib/failpoint.ts";
import { isolate } from "../../../lib/isolate.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import type { ChainContext } from "../../context.ts";
import { recordAccounts } from "../decide/record.ts";
import { recordRulings } from "../rulings/record.ts";
import {
  fetchTouched,
  fetchTouchedOrLeave,
  fetchTransactions,
  type LandedTransaction,
  type Touched,
} from "./fetchTransactions.ts";
import {
  claimSignatures,
  forgetSignatures,
  type InboxRow,
  markProcessed,
  postponeSignatures,
  releaseSignatures,
} from "./queries.ts";

/** Transactions per step. */
const BATCH_MAX = 100;
/** Of them, those that failed before. */
const FAILED_MAX = 25;
/** The time for the transactions, and for the accounts they touched. */
const READ_MS = 10_000;
/** Longer than a step can take: a claim that is older belongs to a worker that died. */
const LEASE_MS = 2 * READ_MS + 5_000;
/** Failed look-ups, two minutes of them, before a transaction that no node knows may be forgotten. */
const FORGET_ATTEMPTS = 8;

/**
 * Processes signatures from the inbox: reads each transaction once, then the accounts they touched, a hundred per
 * request. The account is the truth, so order does not matter. Several steps may run at once, here and in other
 * workers: each claims its own signatures. Calls `onFull` as soon as a full claim suggests that there is more. Returns
 * true when there may be more at once.
 */
export async function sweepInbox(
  ctx: ChainContext,
  stopping: AbortSignal,
  onFull: () => void = () => undefined,
): Promise<boolean> {
  const { database, chain } = ctx;
  const claimed = await claimSignatures(
    database,
    chain.environment,
    { limit: BATCH_MAX, failedLimit: FAILED_MAX },
    LEASE_MS,
  );
  if (claimed.length === 0) return false;
  if (claimed.length === BATCH_MAX) onFull();
  let outage: ChainUnavailableError | null;
  try {
    outage = await sweepClaimed(ctx, claimed, stopping);
  } catch (error) {
    const signatures = claimed.map(({ signature }) => signature);
    // If the database is down, the lease runs out by itself.
    await releaseSignatures(database, chain.environment, signatures).catch(() => undefined);
    throw error;
  }
  if (outage !== null) throw outage;
  return claimed.length === BATCH_MAX;
}

/** Returns the error of the chain if it is down. Everything read before that is recorded all the same. */
async function sweepClaimed(
  ctx: ChainContext,
  claimed: readonly InboxRow[],
  stopping: AbortSignal,
): Promise<ChainUnavailableError | null> {
  const { database, chain, log } = ctx;
  const within = (ms: number) => AbortSignal.any([stopping, AbortSignal.timeout(ms)]);
  const { landed, unknown, unanswered, unread, outage } = await fetchTransactions(ctx, claimed, within(READ_MS));
  // Slow nodes return a part in each step, and the next step continues.
  const signal = within(READ_MS);
  const { unrecorded, withoutAccounts } = await recordLanded(ctx, landed, signal);
  await forgetUnknown(ctx, claimed, unknown, signal);
  const isFirst = new Set(claimed.filter(({ attempts }) => attempts === 0).map(({ signature }) => signature));
  const first = (left: ReadonlyMap<string, Error>) =>
    new Map([...left].filter(([signature]) => isFirst.has(signature)));
  logUnread(log, `${chain.environment} sweep: a transaction`, first(unanswered));
  logUnread(log, `${chain.environment} sweep: the accounts of a transaction`, first(withoutAccounts));
  const postponed = [...unknown, ...unanswered.keys(), ...withoutAccounts.keys(), ...unrecorded];
  await postponeSignatures(database, chain.environment, postponed);
  await releaseSignatures(database, chain.environment, unread);
  return outage;
}

/**
 * Records the payments of transactions that a checkout or a notice knows now. When the feed lists them later, they are
 * processed already. Returns the signatures of which all payments are recorded: no node may show the others yet. Like
 * confirm, it also works while the sweep is paused. `readMs`: after it the accounts are read of those transactions that
 * were.
 */
export async function sweepTransactions(
  ctx: ChainContext,
  signatures: readonly string[],
  { signal, readMs }: { readonly signal: AbortSignal; readonly readMs?: number },
): Promise<readonly string[]> {
  const wanted = signatures.map((signature) => ({ signature, slot: null }));
  const within = readMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(readMs)]);
  const { landed, outage } = await fetchTransactions(ctx, wanted, within);
  const { unrecorded, withoutAccounts } = await recordLanded(ctx, landed, signal);
  if (outage !== null) throw outage;
  const left = new Set([...unrecorded, ...withoutAccounts.keys()]);
  return landed.map(({ signature }) => signature).filter((signature) => !left.has(signature));
}

/** Returns true if all payments of the transaction are recorded. */
export const sweepTransaction = async (ctx: ChainContext, signature: string, signal: AbortSignal): Promise<boolean> =>
  (await sweepTransactions(ctx, [signature], { signal })).length === 1;

/**
 * Forgets listed signatures that no node has known repeatedly: a node lags, or their fork died. A signature in the
 * inbox holds back the watermark, by which intents expire. Where several nodes are set, a second one has to deny each:
 * a node alone may have pruned an old transaction, whose intent would expire although it is paid (§3.1.5).
 */
async function forgetUnknown(
  { database, chain }: ChainContext,
  claimed: readonly InboxRow[],
  unknown: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const dead = claimed
    .filter(({ signature, attempts }) => attempts >= FORGET_ATTEMPTS && unknown.includes(signature))
    .map(({ signature }) => signature);
  if (dead.length === 0) return;
  const first = await chain.reader.fetchSignatureStatuses(dead, { signal });
  const second =
    chain.reader.nodes === 1
      ? first
      : await unlessAway(chain.reader.fetchSignatureStatuses(dead, { signal, notNode: first.node }));
  const denied = dead.filter((_, at) => first.value[at] === null && second?.value[at] === null);
  if (denied.length === 0) return;
  const { slot } = await chain.reader.fetchHead({ signal, commitment: "finalized" });
  await forgetSignatures(database, chain.environment, denied, slot);
}

/**
 * Records all transactions except those whose accounts cannot be read. `unrecorded` are the signatures whose payments
 * are not recorded yet. Throws if chain or database are down.
 */
async function recordLanded(ctx: ChainContext, landed: readonly LandedTransaction[], signal: AbortSignal) {
  const { read, unread: withoutAccounts } = await fetchTouchedOrLeave(ctx, landed, signal);
  const isOutage = async (error: unknown) =>
    error instanceof DatabaseUnavailableError ||
    (error instanceof ChainUnavailableError && !(await isAnswered(ctx.chain.reader, signal)));
  const unrecorded: string[] = [];
  for (const touched of read) {
    const outcomes = await isolate(touched.landed, {
      isOutage,
      all: () => recordTouched(ctx, touched),
      one: async (transaction) => (await recordTouched(ctx, await fetchTouched(ctx, [transaction], signal)))[0]!,
    });
    for (const [index, outcome] of outcomes.entries()) {
      const { signature } = touched.landed[index]!;
      if (!outcome.ok)
        ctx.log(`The transaction ${signature} could not be recorded and is tried again later.`, outcome.error);
      if (!outcome.ok || !outcome.value) unrecorded.push(signature);
    }
  }
  return { unrecorded, withoutAccounts };
}

/**
 * Records the accounts that transactions touched. Returns for each transaction whether all of it is recorded: false if
 * no node shows its new account yet, or if the address is recorded as another payment's.
 */
async function recordTouched(ctx: ChainContext, { landed, observed, unobserved }: Touched): Promise<boolean[]> {
  const { database, chain } = ctx;
  failpoint("sweep.after_read");
  const early = await recordRulings(database, chain.environment, landed);
  const undecided = await recordAccounts(ctx, chain.environment, observed);
  // These accounts opened their disputes.
  await recordRulings(database, chain.environment, early);
  failpoint("sweep.after_commit");
  const isComplete = ({ created }: LandedTransaction) =>
    !created.some((address) => unobserved.has(address) || undecided.has(address));
  const recorded = landed.filter(isComplete).map(({ signature, listedSlot }) => ({ signature, slot: listedSlot }));
  await markProcessed(database, chain.environment, recorded);
  return landed.map(isComplete);
}
