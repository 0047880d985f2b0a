import { readFile } from "node:fs/promises";
import type pg from "pg";
import { createNotifier, listenForWork } from "../features/webhooks/delivery/notify.ts";
import { keepHistory } from "../features/webhooks/delivery/upkeep.ts";
import { Worker } from "../features/webhooks/delivery/worker.ts";
import { Connections } from "../features/webhooks/sending/connections.ts";
import { resolveByDns, withDevHosts } from "../features/webhooks/sending/resolver.ts";
import type { KeyRing } from "../features/webhooks/sending/secret.ts";
import { log } from "../lib/log.ts";
import { startLoop } from "../lib/loop.ts";
import type { Databases } from "./context.ts";
import { openWebhookDatabases } from "./databases.ts";
import { resealAll } from "./keyRotation.ts";
import type { Run, Stop } from "./run.ts";

const UPKEEP_MS = 3_600_000;

/** Delivers events (§6) from now on and records their history. */
export async function deliverWebhooks(run: Run, connection: pg.ClientConfig, ring: KeyRing | null): Promise<Stop> {
  if (ring === null) throw new Error("Deliveries need the keys of webhook secrets.");
  const { held, webhooks: settings } = run.config;
  if (held.size > 0) log(`HOLD is set: ${[...held].join(" and ")} do nothing in this process.`, undefined, "warn");
  const { database, recording } = openWebhookDatabases(run, connection);
  const ca = settings.caFile === null ? null : await readFile(settings.caFile, "utf8");
  const keep = async () => {
    await keepHistory({ database, log }, settings.retentionDays);
    await resealAll(database, ring);
    return false;
  };
  const upkeep = startLoop("webhook upkeep", UPKEEP_MS, keep, log);
  if (held.has("webhooks")) return () => upkeep.stop();
  const sendDeps = { connections: new Connections({ ca }), resolve: withDevHosts(settings.devHosts, resolveByDns) };
  const worker = new Worker({ database, recording, ring, sendDeps, log });
  const listening = listenForWork(database, (businessIds) => worker.wake(businessIds), log);
  run.eventsRecorded.add((businessIds) => worker.wake(businessIds));
  return async () => {
    await Promise.all([listening.stop(), upkeep.stop()]);
    await worker.stop();
  };
}

/** Notifies the workers of other processes, which deliver the events that this one records. */
export function notifyWorkers({ eventsRecorded }: Run, { slowDatabase }: Databases): void {
  eventsRecorded.add(createNotifier(slowDatabase, log));
}
