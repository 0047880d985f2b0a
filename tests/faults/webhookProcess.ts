import { readFileSync } from "node:fs";
import { QUEUE_PLANNING } from "../../server/features/webhooks/delivery/claims.ts";
import { RECORDING_PLANNING } from "../../server/features/webhooks/delivery/completions.ts";
import { listenForWork } from "../../server/features/webhooks/delivery/notify.ts";
import { Worker } from "../../server/features/webhooks/delivery/worker.ts";
import { Connections } from "../../server/features/webhooks/sending/connections.ts";
import { readDevHosts, resolveByDns, withDevHosts } from "../../server/features/webhooks/sending/resolver.ts";
import { readKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { openDatabase } from "../../server/store/database.ts";

/** A delivery worker in a process of its own, to be killed and frozen. Its settings are a JSON file. */
export interface WorkerSettings {
  readonly databaseUrl: string;
  readonly ring: string;
  readonly hosts: string;
  readonly ca: string;
}

const settings = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as WorkerSettings;
const log = (message: string, error?: unknown) => console.error(message, error ?? "");
const open = (options: string) =>
  openDatabase({
    connection: { connectionString: settings.databaseUrl, options },
    connectionsMax: 4,
    statementTimeoutMs: 15_000,
    log,
  });
const database = open(QUEUE_PLANNING);
const worker = new Worker({
  database,
  recording: open(RECORDING_PLANNING),
  ring: readKeyRing(settings.ring),
  sendDeps: {
    connections: new Connections({ ca: settings.ca }),
    resolve: withDevHosts(readDevHosts(settings.hosts), resolveByDns),
  },
  log,
});
const listening = listenForWork(database, (businessIds) => worker.wake(businessIds), log);
process.once("SIGTERM", async () => {
  await Promise.all([listening.stop(), worker.stop()]);
  process.exit();
});
console.log("ready");
