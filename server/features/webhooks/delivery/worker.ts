import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../../lib/log.ts";
import { type Loop, startLoop } from "../../../lib/loop.ts";
import { Lru } from "../../../lib/lru.ts";
import { traced } from "../../../lib/trace.ts";
import type { Database } from "../../../store/database.ts";
import { unsignedHeadersOf } from "../sending/headers.ts";
import { type KeyRing, openSecret } from "../sending/secret.ts";
import { ATTEMPT_MS, type Outcome, type SendDeps, sendDelivery } from "../sending/send.ts";
import { type SigningKeys, signBody, signingKeys, standardHeaders } from "../sending/signature.ts";
import {
  type Claim,
  claimDeliveries,
  claimNewDeliveries,
  FRESH_SHARE,
  LEASE_MS,
  type Room,
  releaseClaims,
} from "./claims.ts";
import { notifyWorkers } from "./notify.ts";
import { CONCURRENCY_LIMIT_START, EndpointPermits } from "./permits.ts";
import { Recorder } from "./recorder.ts";
import { SharedPermits } from "./sharedPermits.ts";

export interface WorkerDeps {
  readonly database: Database;
  /** Records results, asks for permits and releases claims: opened with RECORDING_PLANNING, and `database` with QUEUE_PLANNING. */
  readonly recording: Database;
  readonly ring: KeyRing;
  readonly sendDeps: SendDeps;
  readonly log: Log;
  /** Parallel attempts in this process. */
  readonly slots?: number;
}

const SLOTS = 512;
const NEW_IDLE_MS = 60_000;
const NOTIFIED_MAX = 1_000;
/** The most of the slots that endpoints may hold whose last attempt failed. */
const FAILING_SHARE = 0.25;
/** The longest delay of a retry, and of any delivery after a lost notification. */
const POLL_MS = 500;
/** Results that wait for the database. Above this number, nothing more is claimed. */
const RESULTS_MAX = 2_000;
/** The pause for an endpoint whose secret cannot be decrypted. It costs no attempt. */
const SEALED_MS = 60_000;
const ENDPOINTS_MAX = 10_000;
const STOP_MS = 2_500;

/** Claims due deliveries, sends them, and has the results recorded. Any number of workers may run. */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #slots: number;
  readonly #permits = new Map<string, EndpointPermits>();
  /** The permits by business, as pairs. */
  readonly #permitsByBusiness = new Map<string, (readonly [id: string, EndpointPermits])[]>();
  /** Endpoints whose secret cannot be decrypted, each with the end of its pause. */
  readonly #sealedUntil = new Map<string, number>();
  /** Keys by endpoint and encrypted secret: decrypting a secret takes longer than signing with it. */
  readonly #opened = new Lru<string, SigningKeys>(ENDPOINTS_MAX);
  readonly #running = new Map<Claim, Promise<void>>();
  readonly #recorder: Recorder;
  readonly #sharedPermits: SharedPermits;
  /** Businesses with new events that were not claimed yet. */
  readonly #notified = new Set<string>();
  /** One loop for new events and one for all due ones, so that the first never waits for the second. */
  readonly #newLoop: Loop;
  readonly #loop: Loop;
  /** True if the last claim filled the slots: more may wait for endpoints that it did not reach. */
  #crowded = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#slots = deps.slots ?? SLOTS;
    this.#recorder = new Recorder(deps.recording, deps.log, () => this.wake());
    this.#sharedPermits = new SharedPermits(deps.recording);
    this.#newLoop = startLoop("new webhook deliveries", NEW_IDLE_MS, () => this.#claimNew(), deps.log);
    this.#loop = startLoop("webhook deliveries", POLL_MS, () => this.#claim(null), deps.log);
  }

  /** Wakes a loop: there may be new events of these businesses, or anything due. */
  wake(businessIds?: readonly string[]): void {
    if (businessIds === undefined) {
      this.#loop.wake();
      return;
    }
    for (const id of businessIds) this.#notified.add(id);
    this.#newLoop.wake();
  }

  /** Waits a moment for attempts under way to end and be recorded. Releases the claims of all others uncounted. */
  async stop(): Promise<void> {
    await Promise.all([this.#newLoop.stop(), this.#loop.stop()]);
    await Promise.race([Promise.all(this.#running.values()), sleep(STOP_MS, null, { ref: false })]);
    await this.#recorder.stop();
    const left = [...this.#running.keys()];
    // Before the claims are released: another worker may send them at once, so nothing may be under way here.
    this.#deps.sendDeps.connections.close();
    if (left.length > 0) await releaseClaims(this.#deps.recording, left);
    await this.#sharedPermits.close();
  }

  async #claimNew(): Promise<boolean> {
    if (this.#notified.size === 0) return false;
    const businessIds = [...this.#notified].slice(0, NOTIFIED_MAX);
    for (const id of businessIds) this.#notified.delete(id);
    await this.#claim(businessIds);
    return this.#notified.size > 0;
  }

  /** Claims once and starts the attempts: new events of these businesses, or, with null, anything that is due. */
  async #claim(businessIds: readonly string[] | null): Promise<boolean> {
    const freeSlots = this.#slots - this.#running.size;
    if (freeSlots <= 0 || this.#recorder.waiting > RESULTS_MAX) return false;
    const isNewOnly = businessIds !== null;
    if (!isNewOnly) this.#renewPermits();
    this.#forgetIdle();
    const room = this.#roomFor(businessIds, freeSlots);
    const { database } = this.#deps;
    const token = randomUUID();
    const askedAt = performance.now();
    const claims = await (businessIds === null
      ? claimDeliveries(database, room, token)
      : claimNewDeliveries(database, room, token, businessIds));
    const claimedAt = performance.now();
    for (const claim of claims) this.#start(claim, askedAt, claimedAt);
    this.#recordBacklogs(room, claims, isNewOnly);
    this.#recordCrowding(room, claims, isNewOnly);
    return claims.length === freeSlots;
  }

  /** The number of deliveries that a claim may take, in all and for each endpoint that this worker knows. */
  #roomFor(businessIds: readonly string[] | null, slots: number): Room {
    const failingSlots = Math.max(1, Math.floor(this.#slots * FAILING_SHARE)) - this.#failingInFlight();
    const endpoints = businessIds === null ? [...this.#permits] : this.#endpointsOf(businessIds);
    return {
      slots,
      failingSlots: Math.max(0, failingSlots),
      endpoints: endpoints.map(([id, permits]) => ({
        id,
        free: this.#offerTo(id, permits, businessIds !== null),
        failing: permits.failing,
      })),
    };
  }

  /** The number of deliveries that a claim may take for an endpoint. */
  #offerTo(id: string, permits: EndpointPermits, isNewOnly: boolean): number {
    if (this.#sealedUntil.has(id)) return 0;
    if (!isNewOnly || !permits.backlogged) return permits.free;
    // The rest is for the backlog. Chance rounds fractions, so that the share holds on average even if few are free.
    return Math.floor(permits.free * FRESH_SHARE + Math.random());
  }

  #start(claim: Claim, askedAt: number, claimedAt: number): void {
    const running = this.#attempt(claim, askedAt, claimedAt).catch((error: unknown) =>
      // Its lease runs out and it is claimed again.
      this.#deps.log("A webhook delivery could not be attempted.", error),
    );
    this.#running.set(claim, running);
    void running.finally(() => {
      this.#running.delete(claim);
      if (this.#crowded || this.#permits.get(claim.endpoint_id)?.backlogged === true) this.wake();
    });
  }

  /**
   * Records the endpoints for which more may wait: those that took all they were offered. The present room would not
   * tell, since attempts ended during the claim.
   */
  #recordBacklogs(room: Room, claims: readonly Claim[], isNewOnly: boolean): void {
    const takenBy = new Map<string, number>();
    for (const { endpoint_id: id } of claims) takenBy.set(id, (takenBy.get(id) ?? 0) + 1);
    const offeredTo = new Map(room.endpoints.map(({ id, free }) => [id, free]));
    const tookAll = (id: string) => (takenBy.get(id) ?? 0) >= (offeredTo.get(id) ?? CONCURRENCY_LIMIT_START);
    // A claim of new events reads nothing older, so it cannot tell that a backlog is over.
    if (isNewOnly) for (const claim of claims) this.#permitsOf(claim).backlogged ||= tookAll(claim.endpoint_id);
    else for (const [id, permits] of this.#permits) permits.backlogged = tookAll(id);
    // If all attempts of an endpoint ended during the claim, no further end wakes the loop for the rest of its backlog.
    const canTakeMore = ({ id }: { id: string }) => {
      const permits = this.#permits.get(id);
      return permits?.backlogged === true && permits.free > 0 && !this.#sealedUntil.has(id);
    };
    if (room.endpoints.some(canTakeMore)) this.wake();
  }

  /** Records that the slots, or those for failing endpoints, were all used: then every end of an attempt wakes the loop. */
  #recordCrowding(room: Room, claims: readonly Claim[], isNewOnly: boolean): void {
    const failing = claims.filter((claim) => this.#permits.get(claim.endpoint_id)?.failing === true).length;
    const isCrowded = claims.length >= room.slots || failing >= room.failingSlots;
    this.#crowded = isNewOnly ? this.#crowded || isCrowded : isCrowded;
  }

  async #attempt(claim: Claim, askedAt: number, claimedAt: number): Promise<void> {
    const permits = this.#permitsOf(claim);
    // The other loop may have claimed for this endpoint since its room was counted.
    const isFull = permits.free === 0;
    permits.claimed();
    const secrets = this.#openSecrets(claim);
    const hasPermit = !isFull && secrets !== null && (await this.#takePermit(claim, permits));
    // A process that was frozen since the claim must not send: others may have sent it by now.
    if (secrets === null || !hasPermit || performance.now() - askedAt > LEASE_MS - ATTEMPT_MS) {
      permits.released(hasPermit);
      await releaseClaims(this.#deps.recording, [claim]);
      // Other workers may hold the permits, and may have skipped this delivery while it was claimed.
      if (!isFull && !hasPermit && secrets !== null) await notifyWorkers(this.#deps.database, [claim.business_id]);
      return;
    }
    const startedAt = performance.now();
    const outcome = await traced("webhook delivery", { type: claim.event_type }, async () =>
      this.#send(claim, secrets, claimedAt),
    );
    permits.ended(outcome.pressure);
    const endedAt = performance.now();
    this.#recorder.add({ claim, outcome, endedAt, tookMs: endedAt - startedAt });
  }

  /** Takes one of the endpoint's permits, and first asks for more if none is left. Returns false if other workers have them all. */
  async #takePermit(claim: Claim, permits: EndpointPermits): Promise<boolean> {
    if (permits.take(performance.now())) return true;
    await this.#sharedPermits.request(claim.endpoint_id, permits).catch((error: unknown) => {
      // The claim cannot be released either: its lease runs out.
      permits.released(false);
      throw error;
    });
    return permits.take(performance.now());
  }

  #send(claim: Claim, secrets: readonly SigningKeys[], claimedAt: number): Promise<Outcome> | Outcome {
    const { body } = claim;
    if (body === null)
      return { statusCode: null, error: "the event is no longer kept", errorClass: "other", pressure: "failed" };
    // The database's time at the claim plus the elapsed time, so a wrong clock of this machine signs no wrong time.
    const now = claim.claimed_at.getTime() + (performance.now() - claimedAt);
    const unixSeconds = Math.floor(now / 1000);
    const whole = secrets.map((secret) => secret.whole);
    const headers = {
      ...unsignedHeadersOf({
        eventId: claim.event_id,
        type: claim.event_type,
        sequence: claim.sequence,
        apiVersion: claim.api_version,
      }),
      "Service-Signature": signBody(body, whole, unixSeconds),
      ...standardHeaders(claim.event_id, body, secrets, unixSeconds),
    };
    return sendDelivery(this.#deps.sendDeps, claim.url, headers, body);
  }

  /** Returns null if a key is missing: the deliveries of the endpoint wait, and no attempt is counted. */
  #openSecrets({ endpoint_id: id, secrets }: Claim): SigningKeys[] | null {
    try {
      return secrets.map((sealed) => this.#openSecret(id, sealed));
    } catch (error) {
      if (!this.#sealedUntil.has(id))
        this.#deps.log(`The signing secret of ${id} cannot be opened; its deliveries wait.`, error);
      this.#sealedUntil.set(id, performance.now() + SEALED_MS);
      return null;
    }
  }

  #openSecret(endpointId: string, sealed: string): SigningKeys {
    const name = `${endpointId} ${sealed}`;
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const keys = signingKeys(openSecret(this.#deps.ring, endpointId, sealed));
    this.#opened.set(name, keys);
    return keys;
  }

  #endpointsOf(businessIds: readonly string[]): (readonly [id: string, EndpointPermits])[] {
    return businessIds.flatMap((id) => this.#permitsByBusiness.get(id) ?? []);
  }

  #renewPermits(): void {
    const renewed = this.#sharedPermits.renew().then((more) => {
      if (more) this.wake();
    });
    // During an outage of the database the loop itself logs it. Nothing is sent with permits that were not renewed.
    renewed.catch(() => undefined);
  }

  #failingInFlight(): number {
    let count = 0;
    for (const permits of this.#permits.values()) if (permits.failing) count += permits.inFlight;
    return count;
  }

  #permitsOf({ business_id: businessId, endpoint_id: id }: Claim): EndpointPermits {
    const known = this.#permits.get(id);
    if (known !== undefined) return known;
    const permits = new EndpointPermits(businessId);
    this.#permits.set(id, permits);
    this.#permitsByBusiness.set(businessId, [...(this.#permitsByBusiness.get(businessId) ?? []), [id, permits]]);
    return permits;
  }

  #forgetIdle(): void {
    const now = performance.now();
    for (const [id, until] of this.#sealedUntil) if (until < now) this.#sealedUntil.delete(id);
    if (this.#permits.size <= ENDPOINTS_MAX) return;
    for (const [id, permits] of this.#permits) if (permits.isIdle(now)) this.#forget(id, permits);
  }

  #forget(id: string, { businessId }: EndpointPermits): void {
    this.#permits.delete(id);
    const others = (this.#permitsByBusiness.get(businessId) ?? []).filter(([one]) => one !== id);
    if (others.length === 0) this.#permitsByBusiness.delete(businessId);
    else this.#permitsByBusiness.set(businessId, others);
  }
}
