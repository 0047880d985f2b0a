import { droppedFigure, RequestRecorder } from "./features/requests/recorder.ts";
import { signInFigure } from "./features/staff/signIn/outcomes.ts";
import { armFailpoint } from "./lib/failpoint.ts";
import { complain, log, setLogFormat } from "./lib/log.ts";
import { announce } from "./process/announce.ts";
import {
  joinChains,
  openChains,
  sendActions,
  watchDeployments,
  watchHeads,
  watchSponsors,
  workOnChains,
} from "./process/chains.ts";
import { ConfigError, readConfig } from "./process/config.ts";
import { openLookups } from "./process/domainLookups.ts";
import { listen, openDoors, openHttpServer } from "./process/httpServer.ts";
import { type CellRun, ofEachCell, type Part, Run, type Stop, startParts } from "./process/run.ts";
import { Shutdown } from "./process/shutdown.ts";
import {
  followCells,
  loadKeys,
  makePartitions,
  openDemoBusiness,
  openStorage,
  prepareFolder,
  resumeCells,
  startServers,
} from "./process/storage.ts";
import { traceIfAsked } from "./process/tracing.ts";
import {
  startDeskLetters,
  startDisputeLetters,
  startDomainChecks,
  startRates,
  startUpkeep,
  watchBackup,
} from "./process/upkeep.ts";
import { deliverWebhooks, notifyWorkers, warnOfHeld } from "./process/webhooks.ts";

const ALL = ["all", "api", "worker"] as const;
const API = ["all", "api"] as const;
const WORKER = ["all", "worker"] as const;

/** The parts in the order of their start. They stop in the opposite order. */
const PARTS: readonly Part[] = [
  { name: "data folder and ports", roles: ALL, start: prepareFolder },
  { name: "PostgreSQL and local chain", roles: ALL, start: startServers },
  // Loaded before the schema changes: a worker that is refused then has changed nothing.
  { name: "keys of webhook secrets", roles: ALL, start: loadKeys },
  { name: "schema and connections", roles: ALL, start: openStorage },
  { name: "places of cells", roles: ALL, start: followCells },
  { name: "partitions", roles: ALL, start: ofEachCell(makePartitions) },
  { name: "warning of held parts", roles: WORKER, start: warnOfHeld },
  { name: "webhook deliveries", roles: WORKER, start: ofEachCell(deliverWebhooks) },
  { name: "notices to workers", roles: ["api"], start: ofEachCell(notifyWorkers) },
  { name: "nodes of chains", roles: ALL, start: openChains },
  { name: "chains", roles: ALL, start: ofEachCell(joinChains) },
  { name: "demo business", roles: ALL, start: openDemoBusiness },
  { name: "domain lookups", roles: ALL, start: openLookups },
  { name: "watch of the backup", roles: WORKER, start: watchBackup },
  { name: "upkeep", roles: WORKER, start: ofEachCell(startUpkeep) },
  { name: "checks of domains", roles: WORKER, start: ofEachCell(startDomainChecks) },
  { name: "rates", roles: WORKER, start: ofEachCell(startRates) },
  { name: "letters to arbiters", roles: WORKER, start: ofEachCell(startDeskLetters) },
  { name: "heads of chains", roles: ALL, start: watchHeads },
  { name: "watches of deployments", roles: ALL, start: ofEachCell(watchDeployments) },
  { name: "watches of sponsors", roles: API, start: watchSponsors },
  { name: "actions of people", roles: API, start: sendActions },
  { name: "letters about disputes", roles: API, start: ofEachCell(startDisputeLetters) },
  { name: "loops of chains", roles: WORKER, start: ofEachCell(workOnChains) },
  { name: "request log", roles: API, start: ofEachCell(openRequestLog) },
  { name: "sign-in figure", roles: API, start: ({ figures }) => void figures.push(signInFigure) },
  { name: "HTTP server", roles: ALL, start: openHttpServer },
  { name: "doors of merchants, buyers and staff", roles: API, start: openDoors },
  { name: "cells that were away", roles: ALL, start: resumeCells },
  { name: "listening", roles: ALL, start: listen },
  { name: "announcement", roles: ALL, start: announce },
];

function openRequestLog(cell: CellRun): Stop {
  const { requestLog } = cell.run.config;
  if (requestLog === null) return;
  const recorder = new RequestRecorder(cell.databases.slowDatabase, cell.log, requestLog);
  cell.figures.push(droppedFigure(recorder));
  cell.requestLog = recorder;
  return () => recorder.stop();
}

async function main(): Promise<void> {
  const shutdown = new Shutdown(log);
  try {
    // An error in the settings is a line of JSON too.
    if (process.env.LOG_FORMAT === "json") setLogFormat("json");
    const config = readConfig(process.env);
    setLogFormat(config.logFormat);
    const tracing = traceIfAsked();
    if (tracing !== null) log(tracing, undefined, "info");
    if (config.holdfastFailpoint !== null) armFailpoint(config.holdfastFailpoint);
    await startParts(PARTS, new Run(config, shutdown));
  } catch (error) {
    if (error instanceof ConfigError) complain(`Correct these settings:\n${error.message}`);
    else if (!shutdown.begun)
      complain(`Holdfast could not start: ${error instanceof Error ? error.message : String(error)}`);
    await shutdown.run(1);
  }
}

await main();
