import type { ChainSponsor } from "../chain/sponsor.ts";
import type { Environment } from "../domain/terms.ts";
import type { Chain } from "../features/chains/chain.ts";
import { type DeploymentDeps, lookAtDeployment } from "../features/chains/checkDeployment.ts";
import { type ChainHeads, headOf, pollHead, unseenHead } from "../features/chains/head.ts";
import { rereadMints } from "../features/chains/rereadMints.ts";
import { forgetAttempts, type RelayDeps, relayTransactions } from "../features/checkout/paying/relay.ts";
import { createBalanceWatch } from "../features/checkout/sponsoring/balanceWatch.ts";
import { type FollowDeps, followSponsorships, forgetSponsorships } from "../features/checkout/sponsoring/follow.ts";
import { createExpiryStep } from "../features/intents/expiry.ts";
import { type FinalityDeps, type SweepDeps, unreadIn } from "../features/recording/deps.ts";
import { finalizePayments } from "../features/recording/finality/finalize.ts";
import { checkPayments, recheckPayments } from "../features/recording/finality/recheck.ts";
import { createBehindWatch } from "../features/recording/sweep/behindWatch.ts";
import { feedInbox } from "../features/recording/sweep/feed.ts";
import { lookBack, type SecondList } from "../features/recording/sweep/lookBack.ts";
import { pruneUnmatched } from "../features/recording/sweep/pruneUnmatched.ts";
import { createReconcileStep } from "../features/recording/sweep/reconcile.ts";
import { sweepInbox, sweepTransaction } from "../features/recording/sweep/sweep.ts";
import { createKeeper } from "../features/settlement/keeper.ts";
import { createSettleableStep } from "../features/settlement/settleable.ts";
import type { Log } from "../lib/log.ts";
import { type Loop, type Step, startLoop } from "../lib/loop.ts";
import type { Database } from "../store/database.ts";
import { Leadership } from "../store/locks.ts";

export interface ChainLoopDeps {
  readonly database: Database;
  readonly checkoutUrl: string;
  readonly log: Log;
  /** The commitment that binds. */
  readonly commitment: SweepDeps["commitment"];
  /** How often the chain is polled; a subscription wakes the sweep earlier. */
  readonly sweepMs: number;
  /** The time after which an unfinished payment is checked again. */
  readonly recheckMs: number;
  readonly revertRule: FinalityDeps["revertRule"];
}

/** Each look lists minutes: more often than so is of no use. */
const LOOK_BACK_MS_MIN = 1_000;
/** How often a worker looks how far behind the chain the books are: one row. */
const BEHIND_LOOK_MS = 10_000;
/** How often mints are looked for whose last read is a day old. */
const MINTS_LOOK_MS = 600_000;
/** How soon a signature that a page reports is first asked about. */
const RELAY_MS = 1_000;
const SPONSORSHIPS_MS = 2_000;
const SPONSOR_BALANCES_MS = 60_000;

/** Starts the loops of one chain; each fails and recovers alone. */
export function startChainLoops(deps: ChainLoopDeps, chain: Chain): { stop(): Promise<void> } {
  const { database, checkoutUrl, log, commitment, sweepMs, recheckMs, revertRule } = deps;
  const sweepDeps: SweepDeps = { database, chain, checkoutUrl, log, commitment };
  const loops: Loop[] = [];
  const start = (name: string, idleMs: number, step: Step): Loop => {
    const loop = startLoop(`${chain.environment} ${name}`, idleMs, step, log);
    loops.push(loop);
    return loop;
  };

  // The first looks by itself; each wakes the next when there is more than it takes.
  const sweeps: Loop[] = [];
  for (let place = 1; place <= SWEEPS_AT_ONCE; place++)
    sweeps.push(
      start(place === 1 ? "sweep" : `sweep ${place}`, place === 1 ? 1_000 : IDLE_SWEEP_MS, (signal) =>
        sweepInbox(sweepDeps, signal, () => sweeps[place]?.wake()),
      ),
    );
  // One worker looks for all: another would read the same again. It gives the work up when it fails, since another may
  // reach the nodes.
  const lead = new Leadership(database, `chain ${chain.environment}`);
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
  const second: SecondList = { through: null };
  const feed = startLed("feed", sweepMs, async (signal) => {
    const more = await feedInbox(sweepDeps, second, signal);
    sweeps[0]!.wake();
    return more;
  });
  // Not woken by activity: a fixed cost. It must not hold up the feed where the second node hangs.
  startLed("look back", Math.max(sweepMs, LOOK_BACK_MS_MIN), async (signal) => {
    await lookBack(sweepDeps, second, signal);
    sweeps[0]!.wake();
    return false;
  });
  const unread = {
    finality: unreadIn(sweepDeps, "finality"),
    recheck: unreadIn(sweepDeps, "recheck"),
    unmatched: unreadIn(sweepDeps, "unmatched"),
  };
  startLed("finality", sweepMs * 2, (signal) =>
    finalizePayments({ ...sweepDeps, revertRule }, signal, unread.finality),
  );
  startLed("recheck", Math.min(recheckMs, 30_000), (signal) =>
    recheckPayments({ ...sweepDeps, olderThanMs: recheckMs }, signal, unread.recheck),
  );
  startLed("unmatched", 30_000, (signal) => pruneUnmatched({ ...sweepDeps, revertRule }, signal, unread.unmatched));
  startLed("reconcile", 2_000, createReconcileStep(sweepDeps));
  start("expiry", 1_000, createExpiryStep({ database, environment: chain.environment, checkoutUrl, log }));

  start("watermark", BEHIND_LOOK_MS, createBehindWatch(database, chain.environment, log));
  start("mints", MINTS_LOOK_MS, (signal) => rereadMints({ database, chain, log }, signal));

  const settleDeps = {
    database,
    chain,
    log,
    onChanged: (addresses: readonly string[]) => checkPayments(sweepDeps, addresses),
  };
  start("settleable", sweepMs, createSettleableStep(settleDeps));
  if (chain.sender !== null) start("keeper", sweepMs, createKeeper({ ...settleDeps, sender: chain.sender }));

  const relayDeps: RelayDeps = {
    ...chain,
    database,
    commitment,
    recordTransaction: (signature, signal) => sweepTransaction(sweepDeps, signature, signal),
  };
  start("relay", RELAY_MS, (signal) => relayTransactions(relayDeps, signal));
  const followDeps: FollowDeps = { ...chain, database };
  start("sponsorships", SPONSORSHIPS_MS, (signal) => followSponsorships(followDeps, signal));
  start("expired sponsorships", 60_000, () => forgetSponsorships(followDeps));
  start("attempts", 60_000, () => forgetAttempts(relayDeps));

  const unsubscribe = chain.reader.onActivity(() => feed.wake());
  return {
    stop: async () => {
      unsubscribe();
      await Promise.all(loops.map((loop) => loop.stop()));
      await lead.resign();
    },
  };
}

/** Every process that signs for sponsors watches what they hold. */
export const startBalanceWatch = (environment: Environment, sponsor: ChainSponsor, log: Log): Loop =>
  startLoop(`${environment} sponsors`, SPONSOR_BALANCES_MS, createBalanceWatch(environment, sponsor, log), log);

/** One request: how long a new arbiter may stay unnoticed. */
const DEPLOYMENT_LOOK_MS = 20_000;

/** Every process looks for itself, since each holds its own checkouts. */
export const startDeploymentWatch = (deps: DeploymentDeps): Loop =>
  startLoop(
    `${deps.chain.environment} deployment`,
    DEPLOYMENT_LOOK_MS,
    async (signal) => {
      await lookAtDeployment(deps, signal);
      return false;
    },
    deps.log,
  );

/** Steps of the sweep that one worker runs at once, each with reads of its own under way. */
const SWEEPS_AT_ONCE = 4;
/** How often one that nothing wakes looks by itself. */
const IDLE_SWEEP_MS = 60_000;

const HEAD_POLL_MS_MIN = 1_000;

/** Every process polls for itself, since each shows what it sees; half as often as the sweep. */
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
