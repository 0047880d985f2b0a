import { join } from "node:path";
import { overviewFigures } from "../app/figures.ts";
import type { Chain } from "../chain/chain.ts";
import { allowReads } from "../chain/port.ts";
import { nodesFigure } from "../features/chains/figures.ts";
import { joinChain } from "../features/chains/join.ts";
import { lifetimesOf, setClockAhead } from "../features/chains/queries.ts";
import type { Context } from "../features/context.ts";
import { log } from "../lib/log.ts";
import { type ChainSettings, draftChainSettings } from "./chainSettings.ts";
import type { Databases } from "./context.ts";
import { type LocalChain, whileItLives } from "./local/chain.ts";
import { type Demo, openDemo } from "./local/demo.ts";
import { localSponsor } from "./local/sponsor.ts";
import {
  startActionSending,
  startBalanceWatch,
  startChainLoops,
  startConsensusWatch,
  startDeploymentWatch,
  startHeadPoll,
} from "./loops.ts";
import { openChain } from "./openChain.ts";
import { type Run, type Stop, stopAll } from "./run.ts";

export interface JoinedChain {
  readonly chain: Chain;
  readonly settings: ChainSettings;
}

/** The local chain with its demo business: only if no chain is configured. */
export interface LocalRun {
  readonly chain: LocalChain;
  readonly demo: Demo;
}

const JOIN_MS = 10_000;
const RECHECK_MS = 60_000;

/** Joins the chains of the settings, or the local one with its demo business. */
export async function joinChains(run: Run, { database, slowDatabase }: Databases, local: LocalChain | null) {
  const { dataDir, config, heads, figures } = run;
  const { answerMs } = config.localChain;
  if (local !== null) {
    allowReads(answerMs);
    await setClockAhead(database, local.offsetMs);
  }
  const joined = await Promise.all(
    chainSettings(run, local).map(async (settings) => {
      const lifetimes = lifetimesOf(database, settings.environment);
      const chain = await openChain(settings, log, {
        ...{ lifetimes, towerBinds: config.bindCommitment },
        ...(local && { deadlineMs: answerMs }),
      });
      const join = () => joinChain({ database, chain, log }, AbortSignal.timeout(JOIN_MS));
      await (local === null ? join() : whileItLives(local.exited, join));
      return { chain, settings };
    }),
  );
  const localRun = local === null ? null : { chain: local, demo: await openDemo(database, dataDir) };
  const chains = joined.map(({ chain }) => chain);
  figures.push(...overviewFigures(slowDatabase, chains, config.held), nodesFigure(heads));
  return { joined, chains, localRun };
}

/** Returns the configured chains, or the local one, without keys that this process does not use, or must not use. */
const chainSettings = ({ config }: Run, local: LocalChain | null): readonly ChainSettings[] =>
  (local === null ? config.chains : [localSettings(local, config.localChain.slotMs)]).map((one) => ({
    ...one,
    keeper: config.held.has("keeper") || config.role === "api" ? null : one.keeper,
    sponsor: config.held.has("keeper") ? null : one.sponsor,
  }));

/** The chain's subscription announces activity at once; polls find what only time brings, such as the end of a protection. */
const LOCAL_SWEEP_MS = 2_000;
/** Tests have slots of 40 ms. Polling that often is wasted. */
const LOCAL_SWEEP_MS_MIN = 100;

/** A chain whose pace is set is polled at that pace. */
const localSettings = (local: LocalChain, slotMs: number | null): ChainSettings =>
  draftChainSettings({
    rpcUrls: [local.rpcUrl],
    wsUrls: [local.wsUrl],
    programId: local.programId,
    operator: local.operator,
    arbiterName: "Demo arbiter",
    sweepMs: slotMs === null ? LOCAL_SWEEP_MS : Math.max(slotMs, LOCAL_SWEEP_MS_MIN),
    keeper: { keyFile: join(local.walletsDir, "keeper.json") },
    sponsor: localSponsor(local),
  });

export function watchChains({ heads }: Run, ctx: Context, joined: readonly JoinedChain[]): Stop {
  return stopAll(
    joined.flatMap(({ chain, settings }) => [
      startHeadPoll(chain, heads, settings.sweepMs, log),
      startConsensusWatch(chain, log),
      startDeploymentWatch({ ...ctx, chain }),
    ]),
  );
}

/** Every process sends the actions that it was handed in. */
export const sendActions = (chains: readonly Chain[]): Stop =>
  stopAll(chains.map((chain) => startActionSending(chain, log)));

/** Every process that signs for sponsors watches their balances. */
export const watchSponsors = (chains: readonly Chain[]): Stop =>
  stopAll(
    chains.flatMap(({ environment, sponsor }) =>
      sponsor === null ? [] : [startBalanceWatch(environment, sponsor, log)],
    ),
  );

export const workOnChains = (ctx: Context, joined: readonly JoinedChain[]): Stop =>
  stopAll(
    joined.map(({ chain, settings: { sweepMs } }) =>
      startChainLoops({ ...ctx, chain }, { sweepMs, recheckMs: RECHECK_MS }),
    ),
  );
