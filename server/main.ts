import type { Context } from "./features/context.ts";
import { droppedFigure, RequestRecorder } from "./features/requests/recorder.ts";
import { signInFigure } from "./features/staff/signIn/outcomes.ts";
import { armFailpoint } from "./lib/failpoint.ts";
import { complain, log, setLogFormat } from "./lib/log.ts";
import { announce } from "./process/announce.ts";
import { joinChains, sendActions, watchChains, watchSponsors, workOnChains } from "./process/chains.ts";
import { ConfigError, readConfig } from "./process/config.ts";
import { openContext } from "./process/context.ts";
import { openLookups } from "./process/domainLookups.ts";
import { sendEmails } from "./process/emails.ts";
import { listen, openDoors, openHttpServer } from "./process/httpServer.ts";
import { watchMachine } from "./process/machine.ts";
import { Run } from "./process/run.ts";
import { Shutdown } from "./process/shutdown.ts";
import { checkKeys, loadKeys, makePartitions, openStorage, prepareFolder, startServers } from "./process/storage.ts";
import { traceIfAsked } from "./process/tracing.ts";
import { startCompanyConfirmations, startDomainChecks, startRates, startUpkeep } from "./process/upkeep.ts";
import { deliverWebhooks, notifyWorkers } from "./process/webhooks.ts";

/** Starts the parts of a process, each with what those before it made. They stop in the opposite order. */
async function start(run: Run): Promise<void> {
  const { config, isApi, isWorker } = run;
  await run.made(prepareFolder(run));
  const { connection, local } = await run.made(startServers(run));
  // Loaded before the schema changes: a worker that is refused then has changed nothing.
  const loaded = await run.made(loadKeys(run));
  const databases = await run.made(openStorage(run, connection));
  const ring = await run.made(checkKeys(run, databases, loaded));
  await run.made(makePartitions(run, databases));
  if (isWorker) await run.runs("webhook deliveries", deliverWebhooks(run, connection, ring));
  else notifyWorkers(run, databases);
  const { joined, chains, localRun } = await run.made(joinChains(run, databases, local));
  const lookups = await run.made(openLookups(run));
  const ctx = openContext(config, databases, chains, ring);
  // Loops and figures make no request wait. Its checks of terms and prices, which are those of requests, stay on the fast pool.
  const background = { ...ctx, database: ctx.slowDatabase };
  await run.runs("watch of the machine", watchMachine(run, ctx, connection));
  await run.runs("watches of chains", watchChains(run, background, joined));
  if (isWorker) {
    await run.runs("upkeep", startUpkeep(run, background));
    await run.runs("checks of domains", startDomainChecks(run, background, lookups));
    await run.runs("company sign-in", startCompanyConfirmations(run, background));
    await run.runs("rates", startRates(run, background, lookups));
    await run.runs("loops of chains", workOnChains(run, background, joined));
  }
  if (isApi) {
    await run.runs("watches of sponsors", watchSponsors(chains));
    await run.runs("actions of people", sendActions(chains));
    await run.runs("emails", sendEmails(run, background, chains));
    run.figures.push(signInFigure);
  }
  const requestLog = isApi ? openRequestLog(run, ctx) : null;
  const http = await run.made(openHttpServer(run, ctx, chains));
  const parts = { http, chains, lookups, ring, localRun, requestLog };
  const live = isApi ? await run.made(openDoors(run, ctx, parts)) : [];
  await run.made(listen(run, http, live));
  await run.runs("announcement", announce(run, ctx, localRun, http.app.routes));
}

function openRequestLog({ config, figures, shutdown }: Run, { slowDatabase }: Context): RequestRecorder | null {
  if (config.requestLog === null) return null;
  const recorder = new RequestRecorder(slowDatabase, log, config.requestLog);
  figures.push(droppedFigure(recorder));
  shutdown.add("request log", () => recorder.stop());
  return recorder;
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
    await start(new Run(config, shutdown));
  } catch (error) {
    if (error instanceof ConfigError) complain(`Correct these settings:\n${error.message}`);
    else if (!shutdown.begun)
      complain(`Holdfast could not start: ${error instanceof Error ? error.message : String(error)}`);
    await shutdown.run(1);
  }
}

await main();
