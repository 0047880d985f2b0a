import { join } from "node:path";
import type { Context } from "../features/context.ts";
import { hasFirstUser } from "../features/staff/signIn/queries.ts";
import { say } from "../lib/log.ts";
import type { Database } from "../store/database.ts";
import type { LocalRun } from "./chains.ts";
import { openDemoLogins } from "./local/demoLogin.ts";
import { announceLocalRun } from "./local/ready.ts";
import type { Run, Stop } from "./run.ts";

/** Prints that the process is ready, and on a local run the first steps. */
export async function announce(
  run: Run,
  { database }: Context,
  localRun: LocalRun | null,
  routes: readonly string[],
): Promise<Stop> {
  const { config, dataDir } = run;
  if (localRun === null) return announceDeployment(run, database);
  const { chain, demo } = localRun;
  const announced = await announceLocalRun({
    ...config,
    dataDir,
    controlPort: config.rpcPort + 2,
    chain,
    demo,
    ...(await openDemoLogins(database, dataDir, demo.business)),
    database,
    routes,
  });
  // A sign-in and a key are for the terminal alone: logs in JSON are stored.
  say(
    config.logFormat === "json"
      ? `Holdfast is ready. Its addresses are in ${join(dataDir, "ready.json")}.`
      : announced.text,
  );
  return announced.stop;
}

async function announceDeployment({ config, isApi }: Run, database: Database): Promise<undefined> {
  const open = isApi ? `${config.apiUrl} answers` : "worker; /healthz and /readyz answer";
  say(`Ready: ${open} on port ${config.port}.`);
  if (isApi && !(await hasFirstUser(database)))
    say("The dashboard has no users yet. To create the first one:  npm run admin -- user first-link");
}
