import { createSecretKey, type KeyObject, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../../lib/log.ts";
import { type Loop, startLoop } from "../../../lib/loop.ts";
import { Lru } from "../../../lib/lru.ts";
import type { Database } from "../../../store/database.ts";
import { type KeyRing, openSecret } from "../endpoints/secret.ts";
import {
  type Claim,
  claimDeliveries,
  claimNewDeliveries,
  FRESH_SHARE,
  LEASE_MS,
  type Room,
  releaseClaims,
} from "../queue/claims.ts";
import { notifyWorkers } from "../queue/notify.ts";
import { Recorder } from "../queue/recorder.ts";
import { CONCURRENCY_LIMIT_START, Flow } from "./permits.ts";
import { ATTEMPT_MS, type Outcome, type Sending, sendDelivery } from "./send.ts";
import { Sharing } from "./sharedPermits.ts";
import { signBody } from "./signature.ts";

export interface Delivering {
  readonly database: Database;
  /** Where results are written down, places shared and claims given back: opened with RECORDING_PLANNING, the other with QUEUE_PLANNING. */
  readonly recording: Database;
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
  /** The same by business, as pairs. */
  readonly #flowsOf = new Map<string, (readonly [id: string, Flow])[]>();
  readonly #sealed = new Map<string, number>();
  /** Secrets by endpoint and sealed text: opening one takes longer than signing with it. */
  readonly #opened = new Lru<string, KeyObject>(FLOWS_MAX);
  readonly #running = new Map<Claim, Promise<void>>();
  readonly #recorder: Recorder;
  readonly #sharing: Sharing;
  readonly #told = new Set<string>();
  /** What was just told, and everything else: two loops, so that the first never waits for the second. */
  readonly #newLoop: Loop;
  readonly #loop: Loop;
  #crowded = false;

  constructor(deps: Delivering) {
    this.#deps = deps;
    this.#slots = deps.slots ?? SLOTS;
    this.#recorder = new Recorder(deps.recording, deps.log, () => this.wake());
    this.#sharing = new Sharing(deps.recording);
    this.#newLoop = startLoop("new webhook deliveries", NEW_IDLE_MS, () => this.#claimRecorded(), deps.log);
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
    const left = [...this.#running.keys()];
    // First, so that nothing is under way any more when another worker may have it.
    this.#deps.sending.connections.close();
    if (left.length > 0) await releaseClaims(this.#deps.recording, left);
    await this.#sharing.close();
  }

  async #claimRecorded(): Promise<boolean> {
    if (this.#told.size === 0) return false;
    const told = [...this.#told].slice(0, TOLD_MAX);
    for (const id of told) this.#told.delete(id);
    await this.#claim(told);
    return this.#told.size > 0;
  }

  async #claim(told: readonly string[] | null): Promise<boolean> {
    const slots = this.#slots - this.#running.size;
    if (slots <= 0 || this.#recorder.waiting > RESULTS_MAX) return false;
    if (told === null) this.#renewPlaces();
    this.#forget();
    const failingSlots = Math.max(1, Math.floor(this.#slots * FAILING_SHARE)) - this.#failingInFlight();
    const room: Room = {
      slots,
      failingSlots: Math.max(0, failingSlots),
      endpoints: this.#endpointsOf(told).map(([id, flow]) => ({
        id,
        free: this.#sealed.has(id)
          ? 0
          : told !== null && flow.backlogged
            ? Math.floor(flow.free * FRESH_SHARE + Math.random())
            : flow.free,
        failing: flow.failing,
      })),
    };
    const { database } = this.#deps;
    const token = randomUUID();
    const askedAt = performance.now();
    const claims = await (told === null
      ? claimDeliveries(database, room, token)
      : claimNewDeliveries(database, room, token, told));
    const claimedAt = performance.now();
    for (const claim of claims) {
      const running = this.#attempt(claim, askedAt, claimedAt).catch((error: unknown) =>
        // Its lease runs out and it is claimed again.
        this.#deps.log("A webhook delivery could not be attempted.", error),
      );
      this.#running.set(claim, running);
      void running.finally(() => {
        this.#running.delete(claim);
        if (this.#crowded || this.#flows.get(claim.endpoint_id)?.backlogged === true) this.wake();
      });
    }
    this.#noteBacklogs(room, claims, told !== null);
    return claims.length === slots;
  }

  /** What took all it was offered may have more. What is free by now would not tell: places came free during the claim. */
  #noteBacklogs(room: Room, claims: readonly Claim[], some: boolean): void {
    const taken = new Map<string, number>();
    for (const { endpoint_id: id } of claims) taken.set(id, (taken.get(id) ?? 0) + 1);
    const offered = new Map(room.endpoints.map(({ id, free }) => [id, free]));
    const isFull = (id: string) => (taken.get(id) ?? 0) >= (offered.get(id) ?? CONCURRENCY_LIMIT_START);
    // A claim for some businesses has seen only their latest: it cannot tell that there is no more.
    if (some) for (const claim of claims) this.#flowOf(claim).backlogged ||= isFull(claim.endpoint_id);
    else for (const [id, flow] of this.#flows) flow.backlogged = isFull(id);
    // All of an endpoint's attempts may have ended during the claim: then no end to come would wake the loop for the rest.
    const hasRoom = ({ id }: { id: string }) => {
      const flow = this.#flows.get(id);
      return flow?.backlogged === true && flow.free > 0 && !this.#sealed.has(id);
    };
    if (room.endpoints.some(hasRoom)) this.wake();
    const failing = claims.filter((claim) => this.#flows.get(claim.endpoint_id)?.failing === true).length;
    const crowded = claims.length >= room.slots || failing >= room.failingSlots;
    this.#crowded = some ? this.#crowded || crowded : crowded;
  }

  async #attempt(claim: Claim, askedAt: number, claimedAt: number): Promise<void> {
    const flow = this.#flowOf(claim);
    // The other loop may have filled its places since they were counted.
    const crowded = flow.free === 0;
    flow.started();
    const secrets = this.#openSecrets(claim);
    const placed = !crowded && secrets !== null && (await this.#takePlace(claim, flow));
    // A process that was stopped since the claim must not send what others have sent by now.
    if (secrets === null || !placed || performance.now() - askedAt > LEASE_MS - ATTEMPT_MS) {
      flow.released(placed);
      await releaseClaims(this.#deps.recording, [claim]);
      // Others may have the places, and may have passed it by while it was claimed.
      if (!crowded && !placed && secrets !== null) await notifyWorkers(this.#deps.database, [claim.business_id]);
      return;
    }
    const startedAt = performance.now();
    const outcome = await this.#send(claim, secrets, claimedAt);
    flow.ended(outcome.pressure);
    const endedAt = performance.now();
    this.#recorder.add({ claim, outcome, endedAt, tookMs: endedAt - startedAt });
  }

  /** One of the endpoint's places, asked for unless there is one already. False: others have them all. */
  async #takePlace(claim: Claim, flow: Flow): Promise<boolean> {
    if (flow.send(performance.now())) return true;
    await this.#sharing.ask(claim.endpoint_id, flow).catch((error: unknown) => {
      // The claim cannot be given back either: its lease runs out.
      flow.released(false);
      throw error;
    });
    return flow.send(performance.now());
  }

  #send(claim: Claim, secrets: readonly KeyObject[], claimedAt: number): Promise<Outcome> | Outcome {
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
  #openSecrets({ endpoint_id: id, secrets }: Claim): KeyObject[] | null {
    try {
      return secrets.map((sealed) => this.#openSecret(id, sealed));
    } catch (error) {
      if (!this.#sealed.has(id))
        this.#deps.log(`The signing secret of ${id} cannot be opened; its deliveries wait.`, error);
      this.#sealed.set(id, performance.now() + SEALED_MS);
      return null;
    }
  }

  #openSecret(endpointId: string, sealed: string): KeyObject {
    const name = `${endpointId} ${sealed}`;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const key = createSecretKey(openSecret(this.#deps.ring, endpointId, sealed), "utf8");
    this.#opened.set(name, key);
    return key;
  }

  /** What is known of the endpoints of these businesses; null: of all. */
  #endpointsOf(businessIds: readonly string[] | null): (readonly [id: string, Flow])[] {
    return businessIds === null ? [...this.#flows] : businessIds.flatMap((id) => this.#flowsOf.get(id) ?? []);
  }

  #renewPlaces(): void {
    const renewed = this.#sharing.renew().then((more) => {
      if (more) this.wake();
    });
    // As long as the database is away the loop itself says so; nothing is sent on places that were not renewed.
    renewed.catch(() => undefined);
  }

  #failingInFlight(): number {
    let count = 0;
    for (const flow of this.#flows.values()) if (flow.failing) count += flow.inFlight;
    return count;
  }

  #flowOf({ business_id: businessId, endpoint_id: id }: Claim): Flow {
    const known = this.#flows.get(id);
    if (known !== undefined) return known;
    const flow = new Flow(businessId);
    this.#flows.set(id, flow);
    this.#flowsOf.set(businessId, [...(this.#flowsOf.get(businessId) ?? []), [id, flow]]);
    return flow;
  }

  #drop(id: string, flow: Flow): void {
    this.#flows.delete(id);
    const others = (this.#flowsOf.get(flow.businessId) ?? []).filter(([one]) => one !== id);
    if (others.length === 0) this.#flowsOf.delete(flow.businessId);
    else this.#flowsOf.set(flow.businessId, others);
  }

  #forget(): void {
    const now = performance.now();
    for (const [id, until] of this.#sealed) if (until < now) this.#sealed.delete(id);
    if (this.#flows.size <= FLOWS_MAX) return;
    for (const [id, flow] of this.#flows) if (flow.isIdle(now)) this.#drop(id, flow);
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
