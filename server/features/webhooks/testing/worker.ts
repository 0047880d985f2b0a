import { type Authority, createAuthority } from "../../../../tests/harness/certificates.ts";
import { eventually, HUNG_MS } from "../../../../tests/harness/wait.ts";
import { type Answer, type Receiver, startReceiver } from "../../../../tests/harness/webhookReceiver.ts";
import { Listeners } from "../../../lib/listeners.ts";
import type { EventType } from "../../events/eventTypes.ts";
import { Worker } from "../delivery/worker.ts";
import { type IssuedEndpoint, insertEndpoint } from "../endpoints/queries.ts";
import { Connections } from "../sending/connections.ts";
import type { DevHosts } from "../sending/resolver.ts";
import { resolveByDns, withDevHosts } from "../sending/resolver.ts";
import { type KeyRing, newKeyRing } from "../sending/secret.ts";
import { type EventFixture, openEventFixture } from "./eventFixture.ts";

let authority: Authority | undefined;
export const testAuthority = (): Authority => {
  authority ??= createAuthority();
  return authority;
};

export const HOST = "hooks.shop-demo.com";

/** A fixture of events, a receiver, its endpoint, and a worker that delivers. */
export interface Delivery extends AsyncDisposable {
  readonly fixture: EventFixture;
  readonly ring: KeyRing;
  readonly receiver: Receiver;
  readonly issued: IssuedEndpoint;
  readonly worker: Worker;
  readonly logged: string[];
}

export interface DeliveryOptions {
  readonly answer?: Answer;
  readonly eventTypes?: readonly EventType[] | null;
  readonly attemptMs?: number;
  readonly slots?: number;
  readonly pollMs?: number;
}

export async function startDelivery(options: DeliveryOptions = {}): Promise<Delivery> {
  const logged: string[] = [];
  const onEventsRecorded = new Listeners<readonly string[]>();
  const fixture = await openEventFixture({ onAnnounced: onEventsRecorded.call });
  const receiver = await startReceiver(testAuthority().issue([HOST]), options.answer);
  const ring = newKeyRing();
  const issued = await insertEndpoint(fixture.database, ring, fixture.tenant, {
    url: `https://${HOST}/hooks?shop=1`,
    eventTypes: options.eventTypes ?? null,
  });
  const worker = startTestWorker(fixture, ring, new Map([[HOST, { address: "127.0.0.1", port: receiver.port }]]), {
    ...options,
    log: (line) => void logged.push(line),
  });
  onEventsRecorded.add((businessIds) => worker.wake(businessIds));
  return {
    fixture,
    ring,
    receiver,
    issued: issued!,
    worker,
    logged,
    [Symbol.asyncDispose]: async () => {
      await worker.stop();
      await receiver[Symbol.asyncDispose]();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

export function startTestWorker(
  fixture: Pick<EventFixture, "database">,
  ring: KeyRing,
  hosts: DevHosts,
  options: Omit<DeliveryOptions, "answer" | "eventTypes"> & { readonly log?: (line: string) => void } = {},
): Worker {
  return new Worker({
    database: fixture.database,
    recording: fixture.database,
    ring,
    sendDeps: {
      connections: new Connections({ ca: testAuthority().ca }),
      resolve: withDevHosts(hosts, resolveByDns),
      ...(options.attemptMs === undefined ? {} : { attemptMs: options.attemptMs }),
    },
    log: options.log ?? (() => undefined),
    ...(options.slots === undefined ? {} : { slots: options.slots }),
    ...(options.pollMs === undefined ? {} : { pollMs: options.pollMs }),
  });
}

/** Waits until the condition holds. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>, waitMs = HUNG_MS): Promise<void> =>
  void (await eventually(what, holds, waitMs));
