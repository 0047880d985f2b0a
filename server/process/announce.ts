import { join } from "node:path";
import { hasFirstUser } from "../features/staff/signIn/queries.ts";
import { say } from "../lib/log.ts";
import { openDemoLogins } from "./local/demoLogin.ts";
import { announceLocalRun } from "./local/ready.ts";
import type { Run, Stop } from "./run.ts";

/** Prints that the process is ready, and on a local run the first steps. */
export async function announce(run: Run): Promise<Stop> {
  const { config, dataDir, databases, local, demo } = run;
  if (local === null || demo === null) return announceDeployment(run);
  const announced = await announceLocalRun({
    ...config,
    dataDir,
    controlPort: config.rpcPort + 2,
    chain: local,
    demo,
    ...(await openDemoLogins(databases.database, dataDir, demo.business)),
    database: databases.database,
    routes: run.http.app.routes,
  });
  // A sign-in and a key are for the terminal alone: logs in JSON are stored.
  say(
    config.logFormat === "json"
      ? `Holdfast is ready. Its addresses are in ${join(dataDir, "ready.json")}.`
      : announced.text,
  );
  return announced.stop;
}

async function announceDeployment({ config, databases }: Run): Promise<undefined> {
  const isWorker = config.role === "worker";
  const open = isWorker ? "worker; /healthz and /readyz answer" : `${config.apiUrl} answers`;
  say(`Ready: ${open} on port ${config.port}.`);
  if (!isWorker && !(await hasFirstUser(databases.database)))
    say("The dashboard has no users yet. To create the first one:  npm run admin -- user first-link");
}
