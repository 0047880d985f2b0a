import { RESEND_MS } from "../chain/actionSender.ts";
import type { Chain } from "../chain/chain.ts";
import type { ChainSponsor } from "../chain/sponsor.ts";
import type { Environment } from "../domain/terms.ts";
import { createBooksStep } from "../features/books/check.ts";
import { WAITS_MS } from "../features/books/compare.ts";
import { lookAtDeployment } from "../features/chains/checkDeployment.ts";
import { lookAtConsensus } from "../features/chains/consensus.ts";
import { type ChainHeads, headOf, pollHead, unseenHead } from "../features/chains/head.ts";
import { rereadMints } from "../features/chains/rereadMints.ts";
import { forgetAttempts, relayTransactions } from "../features/checkout/paying/relay.ts";
import { createBalanceWatch } from "../features/checkout/sponsoring/balanceWatch.ts";
import { followSponsorships, forgetSponsorships } from "../features/checkout/sponsoring/follow.ts";
import type { ChainContext } from "../features/context.ts";
import { createDisputeClock } from "../features/disputes/clock.ts";
import { createExpiryStep } from "../features/intents/expiry.ts";
import { createIntentRetention } from "../features/intents/retention.ts";
import { finalizePayments } from "../features/recording/finality/finalize.ts";
import { checkPayments, recheckPayments } from "../features/recording/finality/recheck.ts";
import { createBehindWatch } from "../features/recording/sweep/behindWatch.ts";
import { feedInbox, newFeedState } from "../features/recording/sweep/feed.ts";
import { lookBack } from "../features/recording/sweep/lookBack.ts";
import { NoticeReader } from "../features/recording/sweep/notices.ts";
import { pruneUnmatched } from "../features/recording/sweep/pruneUnmatched.ts";
import { findCursor } from "../features/recording/sweep/queries.ts";
import { createReconcileStep } from "../features/recording/sweep/reconcile.ts";
import { sweepInbox, sweepTransaction } from "../features/recording/sweep/sweep.ts";
import { unreadIn } from "../features/recording/unread.ts";
import { createKeeper } from "../features/settlement/keeper.ts";
import { createSettleableStep } from "../features/settlement/settleable.ts";
import type { Log } from "../lib/log.ts";
import { type Loop, type Step, startLoop } from "../lib/loop.ts";
import { Leadership } from "../store/locks.ts";

interface ChainLoopSettings {
  /** The time between two polls of the chain; a subscription wakes the sweep earlier. */
  readonly sweepMs: number;
  /** The time after which an unfinished payment is checked again. */
  readonly recheckMs: number;
  /** Null: all intents are kept for ever. */
  readonly intentRetentionDays: number | null;
}

/** Each listing covers minutes: a shorter interval is of no use. */
const LOOK_BACK_MS_MIN = 1_000;
/** The time between two checks of the database's lag behind the chain: one row. */
const BEHIND_CHECK_MS = 10_000;
/** The time between two searches for mints whose last read is a day old. */
const MINTS_MS = 600_000;
/** The time between two passes through old intents. */
const RETENTION_MS = 3_600_000;
/** The time until a comparison of books begins that a member asked for. */
const BOOKS_MS = 3_000;
/** The time until a signature that a page reports is first asked about. */
const RELAY_MS = 1_000;
const SPONSORSHIPS_MS = 2_000;
const SPONSOR_BALANCES_MS = 60_000;
/** Steps of the sweep that one worker runs at once, each with its own reads in flight. */
const SWEEPS_AT_ONCE = 4;
/** The time between two steps of a sweep that nothing wakes. */
const IDLE_SWEEP_MS = 60_000;

/** The loops of one chain while they are started; each fails and recovers alone. */
interface ChainLoops {
  readonly ctx: ChainContext;
  readonly settings: ChainLoopSettings;
  readonly start: (name: string, idleMs: number, step: Step) => Loop;
  /**
   * Starts a loop that one worker runs for all: another would read the same again. The worker resigns when the loop fails,
   * since another may reach the nodes.
   */
  readonly startLed: (name: string, idleMs: number, step: Step) => Loop;
}

/** Starts the loops of one chain. */
export function startChainLoops(ctx: ChainContext, settings: ChainLoopSettings): { stop(): Promise<void> } {
  const { database, chain, log } = ctx;
  const lead = new Leadership(database, `chain ${chain.environment}`);
  const all: Loop[] = [];
  const start = (name: string, idleMs: number, step: Step): Loop => {
    const loop = startLoop(`${chain.environment} ${name}`, idleMs, step, log);
    all.push(loop);
    return loop;
  };
  const startLed = (name: string, idleMs: number, step: Step): Loop =>
    start(name, idleMs, async (signal) => {
      if (!(await lead.isOurs())) return false;
      try {
        return await step(signal);
      } catch (error) {
        await lead.resign();
        throw error;
      }
    });
  const loops = { ctx, settings, start, startLed };
  const feed = startSweeps(loops);
  startChecks(loops);
  startSettlement(loops);
  startCheckout(loops);
  const notices = new NoticeReader(ctx, () => lead.isHeld);
  const unsubscribe = chain.reader.onActivity(async (signature) => {
    await notices.read(signature);
    feed.wake();
  });
  return {
    stop: async () => {
      unsubscribe();
      await notices.stop();
      await Promise.all(all.map((loop) => loop.stop()));
      await lead.resign();
    },
  };
}

/** Reads new transactions. Returns the loop that finds them, which activity on the chain wakes. */
function startSweeps({ ctx, settings: { sweepMs }, start, startLed }: ChainLoops): Loop {
  // The first runs by itself; each wakes the next when more is due than it handles.
  const sweeps: Loop[] = [];
  for (let place = 1; place <= SWEEPS_AT_ONCE; place++)
    sweeps.push(
      start(place === 1 ? "sweep" : `sweep ${place}`, place === 1 ? 1_000 : IDLE_SWEEP_MS, (signal) =>
        sweepInbox(ctx, signal, () => sweeps[place]?.wake()),
      ),
    );
  const state = newFeedState();
  const feed = startLed("feed", sweepMs, async (signal) => {
    const more = await feedInbox(ctx, state, signal);
    sweeps[0]!.wake();
    return more;
  });
  // Not woken by activity: a fixed cost. It must not hold up the feed when the second node hangs.
  const lookBackMs = Math.max(sweepMs, LOOK_BACK_MS_MIN);
  startLed("look back", lookBackMs, async (signal) => {
    const startedAt = performance.now();
    const more = await lookBack(ctx, state.second, signal);
    sweeps[0]!.wake();
    // A slow node is asked again at once: the watermark waits for its next list.
    return more || performance.now() - startedAt > lookBackMs / 2;
  });
  return feed;
}

/** Compares the database with the chain, and with the clock. */
function startChecks({ ctx, settings, start, startLed }: ChainLoops): void {
  const { sweepMs, recheckMs, intentRetentionDays } = settings;
  const { database, chain, log } = ctx;
  const finality = unreadIn(ctx, "finality");
  const recheck = unreadIn(ctx, "recheck");
  const unmatched = unreadIn(ctx, "unmatched");
  startLed("finality", sweepMs * 2, (signal) => finalizePayments(ctx, signal, finality));
  startLed("recheck", Math.min(recheckMs, 30_000), async (signal) => {
    const cursor = await findCursor(database, chain.environment);
    return cursor?.sweepPaused !== true && recheckPayments(ctx, recheckMs, signal, recheck);
  });
  startLed("unmatched", 30_000, (signal) => pruneUnmatched(ctx, signal, unmatched));
  startLed("reconcile", 2_000, createReconcileStep(ctx));
  start("expiry", 1_000, createExpiryStep(ctx));
  if (intentRetentionDays !== null)
    startLed("retention", RETENTION_MS, createIntentRetention(ctx, intentRetentionDays));
  start("disputes", 1_000, createDisputeClock(ctx));
  start("watermark", BEHIND_CHECK_MS, createBehindWatch(database, chain.environment, log));
  const booksDeps = { database, reader: chain.reader, waitsMs: WAITS_MS, log };
  start("books", BOOKS_MS, createBooksStep(booksDeps, chain.environment));
  start("mints", MINTS_MS, (signal) => rereadMints(ctx, signal));
}

function startSettlement({ ctx, settings: { sweepMs }, start }: ChainLoops): void {
  const { sender } = ctx.chain;
  const onChanged = (addresses: readonly string[]) => checkPayments(ctx, addresses);
  start("settleable", sweepMs, createSettleableStep(ctx, onChanged));
  if (sender !== null) start("keeper", sweepMs, createKeeper(ctx, sender, onChanged));
}

/** Sends the transactions that buyers signed, and follows those that sponsors paid for. */
function startCheckout({ ctx, start }: ChainLoops): void {
  const record = (signature: string, signal: AbortSignal) => sweepTransaction(ctx, signature, signal);
  start("relay", RELAY_MS, (signal) => relayTransactions(ctx, record, signal));
  start("sponsorships", SPONSORSHIPS_MS, (signal) => followSponsorships(ctx, signal));
  start("expired sponsorships", 60_000, () => forgetSponsorships(ctx));
  start("attempts", 60_000, () => forgetAttempts(ctx));
}

/** Watches the balances of sponsors. */
export const startBalanceWatch = (environment: Environment, sponsor: ChainSponsor, log: Log): Loop =>
  startLoop(`${environment} sponsors`, SPONSOR_BALANCES_MS, createBalanceWatch(environment, sponsor, log), log);

/** Sends signed actions again until they land. */
export const startActionSending = ({ environment, actionSender }: Chain, log: Log): Loop =>
  startLoop(`${environment} actions`, RESEND_MS, (signal) => actionSender.resend(signal), log);

/** The longest time in which a new arbiter goes undetected; each check is one request. */
const DEPLOYMENT_MS = 20_000;

/** Every process checks for itself, since each holds its own checkouts. */
export const startDeploymentWatch = (ctx: ChainContext): Loop =>
  startLoop(
    `${ctx.chain.environment} deployment`,
    DEPLOYMENT_MS,
    async (signal) => {
      await lookAtDeployment(ctx, signal);
      return false;
    },
    ctx.log,
  );

const CONSENSUS_MS = 60_000;
/** Nodes refuse other reads in the same words. */
const DOUBT_MS = 5_000;

/**
 * Every process asks for itself, each minute and when a node refuses a read: a chain may come to run Alpenglow, and never
 * goes back.
 */
export function startConsensusWatch(chain: Chain, log: Log): Pick<Loop, "stop"> {
  const loop = startLoop(
    `${chain.environment} consensus`,
    CONSENSUS_MS,
    async (signal) => {
      await lookAtConsensus(chain, log, signal);
      return false;
    },
    log,
  );
  let wokenAtMs = Number.NEGATIVE_INFINITY;
  const unsubscribe = chain.reader.onDoubt(() => {
    if (performance.now() - wokenAtMs < DOUBT_MS) return;
    wokenAtMs = performance.now();
    loop.wake();
  });
  return {
    stop: async () => {
      unsubscribe();
      await loop.stop();
    },
  };
}

const HEAD_POLL_MS_MIN = 1_000;

/** Every process polls for itself, since each shows its own view; half as often as the sweep. */
export function startHeadPoll(chain: Chain, heads: ChainHeads, sweepMs: number, log: Log): Loop {
  heads.set(chain.environment, unseenHead(chain.reader.nodes));
  return startLoop(
    `${chain.environment} head`,
    Math.max(HEAD_POLL_MS_MIN, 2 * sweepMs),
    async (signal) => {
      heads.set(chain.environment, await pollHead(chain, headOf(heads, chain.environment), signal));
      return false;
    },
    log,
  );
}
