import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Stripe from "stripe";
import type { Tenant } from "../../server/domain/callers.ts";
import type { Worker } from "../../server/features/webhooks/delivery/worker.ts";
import { type IssuedEndpoint, insertEndpoint } from "../../server/features/webhooks/endpoints/queries.ts";
import { newKeyRing, showKeyRing } from "../../server/features/webhooks/sending/secret.ts";
import { type EventFixture, openEventFixture } from "../../server/features/webhooks/testing/eventFixture.ts";
import { startTestWorker, testAuthority } from "../../server/features/webhooks/testing/worker.ts";
import { sql } from "../../server/store/sql.ts";
import { eventually } from "../harness/wait.ts";
import { type Answer, type Received, type Receiver, startReceiver } from "../harness/webhookReceiver.ts";
import type { WorkerSettings } from "./webhookProcess.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const stripe = new Stripe("sk_unused");

interface WebhookEndpoint {
  readonly host: string;
  readonly tenant: Tenant;
  readonly issued: IssuedEndpoint;
}

/** A worker in a process of its own, which sends to a port of its own. */
export interface SpawnedWorker {
  readonly process: ChildProcess;
  readonly port: number;
}

/** Businesses with endpoints, one real HTTPS receiver behind all of them, and workers in this process or their own. */
export interface WebhookService extends AsyncDisposable {
  readonly fixture: EventFixture;
  readonly tenants: readonly Tenant[];
  readonly endpoints: readonly WebhookEndpoint[];
  readonly receiver: Receiver;
  startWorker(slots?: number): Worker;
  spawnWorker(): Promise<SpawnedWorker>;
  /** Sets the function that is called after each commit that recorded events; startWorker sets it too. */
  onEventsRecorded(wake: (businessIds: readonly string[]) => void): void;
  /** Rows that are still to be delivered. */
  pending(): Promise<number>;
  hostOf(request: Received): string;
  /** Counts the requests that fail the check of another maker: each must verify under its endpoint's secret when it came. */
  countUnverified(requests: readonly Received[]): number;
}

export async function openWebhookService(
  businesses: number,
  perBusiness: number,
  answer?: Answer,
): Promise<WebhookService> {
  let wake = (_businessIds: readonly string[]): void => undefined;
  const fixture = await openEventFixture({ onAnnounced: (businessIds) => wake(businessIds) });
  const ring = newKeyRing();
  const folder = mkdtempSync(join(tmpdir(), "holdfast-workers-"));
  const receiver = await startReceiver(testAuthority().issue(["*.shop-demo.com"]), answer);
  const tenants: Tenant[] = [fixture.tenant];
  while (tenants.length < businesses) tenants.push(await fixture.addTenant());
  const endpoints: WebhookEndpoint[] = [];
  for (const tenant of tenants)
    for (let count = 0; count < perBusiness; count++) {
      const host = `h${endpoints.length}.shop-demo.com`;
      const issued = await insertEndpoint(fixture.database, ring, tenant, {
        url: `https://${host}/`,
        eventTypes: null,
      });
      endpoints.push({ host, tenant, issued: issued! });
    }
  const hosts = new Map(endpoints.map(({ host }) => [host, { address: "127.0.0.1", port: receiver.port }]));
  const workers: Worker[] = [];
  const children: ChildProcess[] = [];
  const secretOf = new Map(endpoints.map(({ host, issued }) => [host, issued.secret]));
  const hostOf = (request: Received) => String(request.headers.host);
  const writeSettings = (port: number): string => {
    const settings: WorkerSettings = {
      databaseUrl: fixture.url,
      ring: JSON.stringify(showKeyRing(ring)),
      hosts: JSON.stringify(Object.fromEntries([...hosts.keys()].map((host) => [host, `127.0.0.1:${port}`]))),
      ca: testAuthority().ca,
    };
    const path = join(folder, `worker-${port}.json`);
    writeFileSync(path, JSON.stringify(settings), { mode: 0o600 });
    return path;
  };
  return {
    fixture,
    tenants,
    endpoints,
    receiver,
    startWorker: (slots) => {
      const worker = startTestWorker(fixture, ring, hosts, slots === undefined ? {} : { slots });
      workers.push(worker);
      wake = (businessIds) => worker.wake(businessIds);
      return worker;
    },
    spawnWorker: async () => {
      const port = await receiver.openDoor();
      const child = spawn(
        process.execPath,
        [...process.execArgv, "tests/faults/webhookProcess.ts", writeSettings(port)],
        {
          cwd: ROOT,
          stdio: ["ignore", "pipe", "inherit"],
          env: { ...process.env, HOLDFAST_PARENT: String(process.pid) },
        },
      );
      children.push(child);
      await once(child.stdout!, "data");
      return { process: child, port };
    },
    onEventsRecorded: (notify) => {
      wake = notify;
    },
    pending: async () =>
      Number((await fixture.database.row<{ count: string }>(sql`select count(*) from webhook_queue`))!.count),
    hostOf,
    countUnverified: (requests) =>
      requests.filter((request) => {
        const signature = String(request.headers["service-signature"]);
        try {
          const secret = secretOf.get(hostOf(request))!;
          const at = performance.timeOrigin + request.at;
          return !stripe.webhooks.signature!.verifyHeader(request.body, signature, secret, 300, undefined, at);
        } catch {
          return true;
        }
      }).length,
    [Symbol.asyncDispose]: async () => {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(workers.map((worker) => worker.stop()));
      await receiver[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Requests by event and endpoint: more than one is a duplicate. */
export function countByDelivery(service: WebhookService, requests: readonly Received[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const request of requests) {
    const key = `${request.headers["service-event-id"]} ${service.hostOf(request)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export const awaitDelivered = (service: WebhookService) =>
  eventually("everything is delivered and written down", async () => (await service.pending()) === 0);

export const quantile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
};
