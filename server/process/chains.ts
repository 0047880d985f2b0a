import { join } from "node:path";
import { heldFigure, loopsFigure, overviewFigures } from "../app/figures.ts";
import { createActionSender } from "../chain/actionSender.ts";
import { shareReads } from "../chain/sharedReads.ts";
import type { SponsorLimits } from "../chain/sponsor.ts";
import { type Chain, unreadDeployment } from "../features/chains/chain.ts";
import { nodesFigure } from "../features/chains/figures.ts";
import { joinChain } from "../features/chains/join.ts";
import { setClockAhead } from "../features/chains/queries.ts";
import { log } from "../lib/log.ts";
import { type ChainSettings, draftChainSettings } from "./chainSettings.ts";
import { elsewhereFinder } from "./elsewhere.ts";
import { type LocalChain, whileItLives } from "./local/chain.ts";
import { localSponsor } from "./local/sponsor.ts";
import {
  startActionSending,
  startBalanceWatch,
  startChainLoops,
  startDeploymentWatch,
  startHeadPoll,
} from "./loops.ts";
import { openChain } from "./openChain.ts";
import { type CellRun, type Run, type Stop, stopAll } from "./run.ts";

const JOIN_MS = 10_000;
const RECHECK_MS = 60_000;

/** Opens the chains of the settings, or the local one. */
export async function openChains(run: Run): Promise<undefined> {
  const { cells, heads, figures } = run;
  run.chains = await Promise.all(
    chainSettings(run).map(async (settings) => {
      const chain = await openChain(settings, log);
      return { chain: cells.length === 1 ? chain : { ...chain, reader: shareReads(chain.reader) }, settings };
    }),
  );
  figures.push(nodesFigure(heads), loopsFigure, heldFigure(run.config.held));
}

/** Joins the chains with a cell: each has records of its own of how far they are read, and of their deployment. */
export async function joinChains(cell: CellRun): Promise<undefined> {
  const { run, databases, figures } = cell;
  const { local } = run;
  const { database, slowDatabase } = databases;
  if (local !== null) await setClockAhead(database, local.offsetMs);
  cell.chains = await Promise.all(
    run.chains.map(async ({ chain: { sponsor, ...shared }, settings }) => {
      const chain: Chain = {
        ...shared,
        deployment: unreadDeployment(),
        sponsor: sponsor && { ...sponsor, limits: shareLimits(sponsor.limits, run.cells.length) },
      };
      const join = () => joinChain({ database, chain, log: cell.log }, AbortSignal.timeout(JOIN_MS));
      await (local === null ? join() : whileItLives(local.exited, join));
      return { chain, settings };
    }),
  );
  const chains = cell.chains.map(({ chain }) => chain);
  figures.push(...overviewFigures(slowDatabase, chains));
}

/** Cells reserve a sponsor's money without one another, so each has its share of the limits. */
const shareLimits = ({ hourMax, dayMax, boundMax, ...limits }: SponsorLimits, cells: number): SponsorLimits => {
  const share = (amount: bigint) => amount / BigInt(cells);
  return { ...limits, hourMax: share(hourMax), dayMax: share(dayMax), boundMax: share(boundMax) };
};

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

export const watchHeads = ({ chains, heads }: Run): Stop =>
  stopAll(chains.map(({ chain, settings }) => startHeadPoll(chain, heads, settings.sweepMs, log)));

export const watchDeployments = ({ chains, databases, log }: CellRun): Stop =>
  stopAll(chains.map(({ chain }) => startDeploymentWatch({ database: databases.slowDatabase, chain, log })));

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

export function workOnChains(cell: CellRun): Stop {
  const { number, run, chains, databases, log } = cell;
  const { config } = run;
  const all = chains.map(({ chain, settings }) => {
    const deps = {
      database: databases.slowDatabase,
      cell: number,
      findElsewhere: elsewhereFinder(cell),
      checkoutUrl: config.checkoutUrl,
      log,
      commitment: config.bindCommitment,
      sweepMs: settings.sweepMs,
      recheckMs: RECHECK_MS,
      revertRule: { slots: settings.revertSlots, apartMs: settings.revertApartMs },
    };
    return startChainLoops(deps, chain);
  });
  return stopAll(all);
}
