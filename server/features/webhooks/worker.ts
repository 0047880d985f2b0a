import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../lib/log.ts";
import { type Loop, startLoop } from "../../lib/loop.ts";
import type { Database } from "../../store/database.ts";
import { type Claim, claimDeliveries, LEASE_MS, type Room, releaseClaims } from "./claims.ts";
import { Flow } from "./flow.ts";
import { Recorder } from "./recorder.ts";
import { type KeyRing, openSecret } from "./secret.ts";
import { ATTEMPT_MS, type Outcome, type Sending, sendDelivery } from "./send.ts";
import { signBody } from "./signature.ts";

export interface Delivering {
  readonly database: Database;
  readonly ring: KeyRing;
  readonly sending: Sending;
  readonly log: Log;
  /** Attempts under way in this process at once. */
  readonly slots?: number;
}

const SLOTS = 512;
const NEW_IDLE_MS = 60_000;
const TOLD_MAX = 1_000;
/** Endpoints whose last attempt failed never hold more than this part of the slots. */
const FAILING_SHARE = 0.25;
/** How late a retry can be, and how late anything when a wake-up was lost. */
const POLL_MS = 500;
/** Results the database has not taken; beyond it nothing more is claimed. */
const RESULTS_MAX = 2_000;
/** An endpoint whose secret cannot be opened is left alone for so long; it costs no attempt. */
const SEALED_MS = 60_000;
const FLOWS_MAX = 10_000;
const STOP_MS = 2_500;

/** Claims what is due, sends it, and has it written down. Any number of workers may run side by side. */
export class Worker {
  readonly #deps: Delivering;
  readonly #slots: number;
  readonly #flows = new Map<string, Flow>();
  readonly #sealed = new Map<string, number>();
  readonly #running = new Map<Claim, Promise<void>>();
  readonly #recorder: Recorder;
  readonly #told = new Set<string>();
  /** What was just told, and everything else: two loops, so that the first never waits for the second. */
  readonly #newLoop: Loop;
  readonly #loop: Loop;
  #crowded = false;

  constructor(deps: Delivering) {
    this.#deps = deps;
    this.#slots = deps.slots ?? SLOTS;
    this.#recorder = new Recorder(deps.database, deps.log, () => this.wake());
    this.#newLoop = startLoop("new webhook deliveries", NEW_IDLE_MS, () => this.#claimTold(), deps.log);
    this.#loop = startLoop("webhook deliveries", POLL_MS, () => this.#claim(null), deps.log);
  }

  /** There may be something to send: new events of these businesses, or anything. */
  wake(businessIds?: readonly string[]): void {
    if (businessIds === undefined) {
      this.#loop.wake();
      return;
    }
    for (const id of businessIds) this.#told.add(id);
    this.#newLoop.wake();
  }

  /** Attempts under way have a moment to end and be written down; what is left is given back uncounted. */
  async stop(): Promise<void> {
    await Promise.all([this.#newLoop.stop(), this.#loop.stop()]);
    await Promise.race([Promise.all(this.#running.values()), sleep(STOP_MS, null, { ref: false })]);
    await this.#recorder.stop();
    if (this.#running.size > 0) await releaseClaims(this.#deps.database, [...this.#running.keys()]);
    this.#deps.sending.connections.close();
  }

  async #claimTold(): Promise<boolean> {
    if (this.#told.size === 0) return false;
    const told = [...this.#told].slice(0, TOLD_MAX);
    for (const id of told) this.#told.delete(id);
    await this.#claim(told);
    return this.#told.size > 0;
  }

  async #claim(told: readonly string[] | null): Promise<boolean> {
    const slots = this.#slots - this.#running.size;
    if (slots <= 0 || this.#recorder.waiting > RESULTS_MAX) return false;
    this.#forget();
    const failingSlots = Math.max(1, Math.floor(this.#slots * FAILING_SHARE)) - this.#failingInFlight();
    const room: Room = {
      slots,
      failingSlots: Math.max(0, failingSlots),
      endpoints: this.#endpointsOf(told).map(([id, flow]) => ({
        id,
        // New events leave a quarter of the places to a backlog.
        free: this.#sealed.has(id)
          ? 0
          : told !== null && flow.backlogged
            ? Math.floor(flow.free * 0.75 + Math.random())
            : flow.free,
        failing: flow.failing,
      })),
    };
    const claims = await claimDeliveries(this.#deps.database, room, randomUUID(), 0, told);
    const claimedAt = performance.now();
    for (const claim of claims) {
      const running = this.#attempt(claim, claimedAt).catch((error: unknown) =>
        // Its lease runs out and it is claimed again.
        this.#deps.log("A webhook delivery could not be attempted.", error),
      );
      this.#running.set(claim, running);
      void running.finally(() => {
        this.#running.delete(claim);
        if (this.#crowded || this.#flows.get(claim.endpoint_id)?.backlogged === true) this.wake();
      });
    }
    if (told === null) for (const flow of this.#flows.values()) flow.backlogged = flow.free === 0;
    else for (const claim of claims) this.#flowOf(claim).backlogged ||= this.#flowOf(claim).free === 0;
    this.#crowded = this.#running.size >= this.#slots || this.#failingInFlight() >= this.#slots * FAILING_SHARE;
    return claims.length === slots;
  }

  async #attempt(claim: Claim, claimedAt: number): Promise<void> {
    const flow = this.#flowOf(claim);
    // The other loop may have filled its places since they were counted.
    const crowded = flow.free === 0;
    flow.started();
    const secrets = this.#openSecrets(claim);
    // A process that was stopped since the claim must not send what others have sent by now.
    if (crowded || secrets === null || performance.now() - claimedAt > LEASE_MS - ATTEMPT_MS) {
      flow.released();
      await releaseClaims(this.#deps.database, [claim]);
      return;
    }
    const startedAt = performance.now();
    const outcome = await this.#send(claim, secrets, claimedAt);
    flow.ended(outcome.pressure);
    const endedAt = performance.now();
    this.#recorder.add({ claim, outcome, endedAt, tookMs: endedAt - startedAt });
  }

  #send(claim: Claim, secrets: readonly string[], claimedAt: number): Promise<Outcome> | Outcome {
    const { body } = claim;
    if (body === null) return { statusCode: null, error: "the event is no longer kept", pressure: "failed" };
    // The database's clock, carried on by ours: a wrong clock of this machine signs no wrong time.
    const now = claim.claimed_at.getTime() + (performance.now() - claimedAt);
    return sendDelivery(
      this.#deps.sending,
      claim.url,
      headersOf(claim, signBody(body, secrets, Math.floor(now / 1000))),
      body,
    );
  }

  /** Null when a key is missing: then deliveries of the endpoint wait, and none is counted. */
  #openSecrets({ endpoint_id: id, secrets }: Claim): string[] | null {
    try {
      return secrets.map((sealed) => openSecret(this.#deps.ring, id, sealed));
    } catch (error) {
      if (!this.#sealed.has(id))
        this.#deps.log(`The signing secret of ${id} cannot be opened; its deliveries wait.`, error);
      this.#sealed.set(id, performance.now() + SEALED_MS);
      return null;
    }
  }

  /** What is known of the endpoints of these businesses; null: of all. */
  #endpointsOf(businessIds: readonly string[] | null): [id: string, Flow][] {
    if (businessIds === null) return [...this.#flows];
    const theirs = new Set(businessIds);
    return [...this.#flows].filter(([, flow]) => theirs.has(flow.businessId));
  }

  #failingInFlight(): number {
    let count = 0;
    for (const flow of this.#flows.values()) if (flow.failing) count += flow.inFlight;
    return count;
  }

  #flowOf({ business_id: businessId, endpoint_id: id }: Claim): Flow {
    const flow = this.#flows.get(id) ?? new Flow(businessId);
    this.#flows.set(id, flow);
    return flow;
  }

  #forget(): void {
    const now = performance.now();
    for (const [id, until] of this.#sealed) if (until < now) this.#sealed.delete(id);
    if (this.#flows.size <= FLOWS_MAX) return;
    for (const [id, flow] of this.#flows) if (flow.inFlight === 0) this.#flows.delete(id);
  }
}

/** §6.2; the sequence is absent on webhook.test. */
const headersOf = (claim: Claim, signature: string): Record<string, string> => ({
  "Content-Type": "application/json",
  "User-Agent": "Service-Webhooks/1.0",
  "Service-Event-Id": claim.event_id,
  "Service-Event-Type": claim.event_type,
  "Service-Api-Version": claim.api_version,
  ...(claim.sequence === null ? {} : { "Service-Event-Sequence": claim.sequence }),
  "Service-Signature": signature,
});
