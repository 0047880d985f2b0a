import { join } from "node:path";
import { overviewFigures } from "../app/figures.ts";
import { createActionSender } from "../chain/actionSender.ts";
import { nodesFigure } from "../features/chains/figures.ts";
import { joinChain } from "../features/chains/join.ts";
import { lifetimesOf, setClockAhead } from "../features/chains/queries.ts";
import { log } from "../lib/log.ts";
import { type ChainSettings, draftChainSettings } from "./chainSettings.ts";
import { type LocalChain, whileItLives } from "./local/chain.ts";
import { openDemo } from "./local/demo.ts";
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

const JOIN_MS = 10_000;
const RECHECK_MS = 60_000;

/** Joins the chains of the settings, or the local one with its demo business. */
export async function joinChains(run: Run): Promise<undefined> {
  const { local, dataDir, databases, config, heads, figures } = run;
  const { database, slowDatabase } = databases;
  if (local !== null) await setClockAhead(database, local.offsetMs);
  run.chains = await Promise.all(
    chainSettings(run).map(async (settings) => {
      const lifetimes = lifetimesOf(database, settings.environment);
      const chain = await openChain(settings, log, { lifetimes, towerBinds: config.bindCommitment });
      const join = () => joinChain({ database, chain, log }, AbortSignal.timeout(JOIN_MS));
      await (local === null ? join() : whileItLives(local.exited, join));
      return { chain, settings };
    }),
  );
  if (local !== null) run.demo = await openDemo(database, dataDir);
  const chains = run.chains.map(({ chain }) => chain);
  figures.push(...overviewFigures(slowDatabase, chains, config.held), nodesFigure(heads));
}

/** Returns the configured chains, or the local one, without keys that this process does not use, or must not use. */
const chainSettings = ({ config, local }: Run): readonly ChainSettings[] =>
  (local === null ? config.chains : [localSettings(local)]).map((one) => ({
    ...one,
    keeper: config.held.has("keeper") || config.role === "api" ? null : one.keeper,
    sponsor: config.held.has("keeper") ? null : one.sponsor,
  }));

/** Tests have slots of 40 ms. Polling that often is wasted, since the chain's subscription announces activity at once. */
const LOCAL_SWEEP_MS_MIN = 100;

const localSettings = (local: LocalChain): ChainSettings =>
  draftChainSettings({
    rpcUrls: [local.rpcUrl],
    wsUrls: [local.wsUrl],
    programId: local.programId,
    operator: local.operator,
    arbiterName: "Demo arbiter",
    sweepMs: Math.max(local.slotMs, LOCAL_SWEEP_MS_MIN),
    keeper: { keyFile: join(local.walletsDir, "keeper.json") },
    sponsor: localSponsor(local),
  });

export function watchChains({ chains, heads, databases }: Run): Stop {
  return stopAll(
    chains.flatMap(({ chain, settings }) => [
      startHeadPoll(chain, heads, settings.sweepMs, log),
      startConsensusWatch(chain, log),
      startDeploymentWatch({ database: databases.slowDatabase, chain, log }),
    ]),
  );
}

/** Every process sends the actions that it was handed in. */
export const sendActions = ({ chains, actionSenders }: Run): Stop =>
  stopAll(
    chains.map(({ chain }) => {
      const sender = createActionSender({ ...chain, log });
      actionSenders.set(chain.environment, sender);
      return startActionSending(chain.environment, sender, log);
    }),
  );

/** Every process that signs for sponsors watches their balances. */
export const watchSponsors = ({ chains }: Run): Stop =>
  stopAll(
    chains.flatMap(({ chain: { environment, sponsor } }) =>
      sponsor === null ? [] : [startBalanceWatch(environment, sponsor, log)],
    ),
  );

export function workOnChains({ config, chains, databases }: Run): Stop {
  const all = chains.map(({ chain, settings }) => {
    const deps = {
      database: databases.slowDatabase,
      checkoutUrl: config.checkoutUrl,
      log,
      sweepMs: settings.sweepMs,
      recheckMs: RECHECK_MS,
      revertRule: { slots: settings.revertSlots, apartMs: settings.revertApartMs },
    };
    return startChainLoops(deps, chain);
  });
  return stopAll(all);
}
