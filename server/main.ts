import { droppedFigure, RequestRecorder } from "./features/requests/recorder.ts";
import { signInFigure } from "./features/staff/signIn/outcomes.ts";
import { armFailpoint } from "./lib/failpoint.ts";
import { complain, log, setLogFormat } from "./lib/log.ts";
import { announce } from "./process/announce.ts";
import { joinChains, sendActions, watchChains, watchSponsors, workOnChains } from "./process/chains.ts";
import { ConfigError, readConfig } from "./process/config.ts";
import { openLookups } from "./process/domainLookups.ts";
import { sendEmails } from "./process/emails.ts";
import { listen, openDoors, openHttpServer } from "./process/httpServer.ts";
import { watchMachine } from "./process/machine.ts";
import { type Part, Run, type Stop, startParts } from "./process/run.ts";
import { Shutdown } from "./process/shutdown.ts";
import { checkKeys, loadKeys, makePartitions, openStorage, prepareFolder, startServers } from "./process/storage.ts";
import { traceIfAsked } from "./process/tracing.ts";
import { startCompanyConfirmations, startDomainChecks, startRates, startUpkeep } from "./process/upkeep.ts";
import { deliverWebhooks, notifyWorkers } from "./process/webhooks.ts";

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
  { name: "keys against stored secrets", roles: ALL, start: checkKeys },
  { name: "partitions", roles: ALL, start: makePartitions },
  { name: "webhook deliveries", roles: WORKER, start: deliverWebhooks },
  { name: "notices to workers", roles: ["api"], start: notifyWorkers },
  { name: "chains", roles: ALL, start: joinChains },
  { name: "domain lookups", roles: ALL, start: openLookups },
  { name: "upkeep", roles: WORKER, start: startUpkeep },
  { name: "watch of the machine", roles: ALL, start: watchMachine },
  { name: "checks of domains", roles: WORKER, start: startDomainChecks },
  { name: "company sign-in", roles: WORKER, start: startCompanyConfirmations },
  { name: "rates", roles: WORKER, start: startRates },
  { name: "watches of chains", roles: ALL, start: watchChains },
  { name: "watches of sponsors", roles: API, start: watchSponsors },
  { name: "actions of people", roles: API, start: sendActions },
  { name: "emails", roles: API, start: sendEmails },
  { name: "loops of chains", roles: WORKER, start: workOnChains },
  { name: "request log", roles: API, start: openRequestLog },
  { name: "sign-in figure", roles: API, start: ({ figures }) => void figures.push(signInFigure) },
  { name: "HTTP server", roles: ALL, start: openHttpServer },
  { name: "doors of merchants, buyers and staff", roles: API, start: openDoors },
  { name: "listening", roles: ALL, start: listen },
  { name: "announcement", roles: ALL, start: announce },
];

function openRequestLog(run: Run): Stop {
  if (run.config.requestLog === null) return;
  const recorder = new RequestRecorder(run.databases.slowDatabase, log, run.config.requestLog);
  run.figures.push(droppedFigure(recorder));
  run.requestLog = recorder;
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
