import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../../lib/log.ts";
import { type Loop, startLoop } from "../../../lib/loop.ts";
import { Lru } from "../../../lib/lru.ts";
import { traced } from "../../../lib/trace.ts";
import type { Database } from "../../../store/database.ts";
import { DatabaseUnavailableError } from "../../../store/unavailable.ts";
import { unsignedHeadersOf } from "../sending/headers.ts";
import { type KeyRing, openSecret } from "../sending/secret.ts";
import { type Outcome, type SendDeps, sendDelivery } from "../sending/send.ts";
import { type SigningKeys, signBody, signingKeys, standardHeaders } from "../sending/signature.ts";
import { type Claim, claimDeliveries, claimNewDeliveries, FRESH_SHARE, type Room, releaseClaims } from "./claims.ts";
import type { EndpointLease } from "./endpointLease.ts";
import { Leases } from "./leases.ts";
import { Recorder } from "./recorder.ts";

export interface WorkerDeps {
  readonly database: Database;
  /** Records results, renews leases and releases claims: opened with RECORDING_PLANNING, and `database` with QUEUE_PLANNING. */
  readonly recording: Database;
  readonly ring: KeyRing;
  readonly sendDeps: SendDeps;
  readonly log: Log;
  /** Parallel attempts in this process. */
  readonly slots?: number;
  readonly pollMs?: number;
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
const SECRETS_MAX = 10_000;
export const STOP_MS = 2_500;

/** Claims due deliveries of the endpoints that it leases, sends them, and has the results recorded. Any number of workers may run. */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #slots: number;
  readonly #leases: Leases;
  /** Endpoints whose secret cannot be decrypted, each with the end of its pause. */
  readonly #sealedUntil = new Map<string, number>();
  /** Keys by endpoint and encrypted secret: decrypting a secret takes longer than signing with it. */
  readonly #opened = new Lru<string, SigningKeys>(SECRETS_MAX);
  readonly #running = new Map<Claim, Promise<void>>();
  readonly #recorder: Recorder;
  /** Businesses with new events that were not claimed yet. */
  readonly #notified = new Set<string>();
  /** One loop for new events and one for all due ones, so that the first never waits for the second. */
  readonly #newLoop: Loop;
  readonly #loop: Loop;
  /** True if the last claim filled the slots: more may wait for endpoints that it did not reach. */
  #crowded = false;
  /** True once `stop` ends the attempts under way. How they end says nothing about their endpoints. */
  #isCutOff = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
    this.#slots = deps.slots ?? SLOTS;
    this.#recorder = new Recorder(deps.recording, deps.log, () => this.#loop.wake());
    this.#leases = new Leases(deps.database, deps.recording, deps.log, () => this.#loop.wake());
    this.#newLoop = startLoop("new webhook deliveries", NEW_IDLE_MS, () => this.#claimNew(), deps.log);
    this.#loop = startLoop("webhook deliveries", deps.pollMs ?? POLL_MS, () => this.#claim(null), deps.log);
  }

  /** There may be new events of these businesses, or anything due, also of endpoints without a lease. */
  wake(businessIds?: readonly string[]): void {
    if (businessIds === undefined) {
      this.#leases.wake();
      this.#loop.wake();
      return;
    }
    for (const id of businessIds) this.#notified.add(id);
    this.#newLoop.wake();
  }

  /**
   * Other workers take the endpoints at once, except those with attempts under way. Waits a moment for these to end and
   * be recorded. Releases the claims of all others uncounted.
   */
  async stop(): Promise<void> {
    await Promise.all([this.#newLoop.stop(), this.#loop.stop()]);
    // If it fails, the leases end with their time.
    await this.#leases.drain().catch((error: unknown) => this.#deps.log("The leases could not be given up.", error));
    await Promise.race([Promise.all(this.#running.values()), sleep(STOP_MS, null, { ref: false })]);
    await this.#recorder.stop();
    const left = [...this.#running.keys()];
    // Before the claims are released: another worker may send them at once, so nothing may be under way here.
    this.#isCutOff = true;
    this.#deps.sendDeps.connections.close();
    if (left.length > 0) await releaseClaims(this.#deps.recording, left);
    await this.#leases.close();
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
    const { sendUntil } = this.#leases;
    if (freeSlots <= 0 || this.#recorder.waiting > RESULTS_MAX || performance.now() > sendUntil) return false;
    const isNewOnly = businessIds !== null;
    this.#endPauses();
    const room = this.#roomFor(businessIds, freeSlots);
    const { database } = this.#deps;
    const token = randomUUID();
    const claims = await (businessIds === null
      ? claimDeliveries(database, room, token)
      : claimNewDeliveries(database, room, token, businessIds));
    const claimedAt = performance.now();
    for (const claim of claims) this.#start(claim, sendUntil, claimedAt);
    this.#recordBacklogs(room, claims, isNewOnly);
    this.#recordCrowding(room, claims, isNewOnly);
    return claims.length === freeSlots;
  }

  /** The number of deliveries that a claim may take, in all and for each endpoint that this worker knows. */
  #roomFor(businessIds: readonly string[] | null, slots: number): Room {
    const failingSlots = Math.max(1, Math.floor(this.#slots * FAILING_SHARE)) - this.#failingInFlight();
    const leases =
      businessIds === null ? [...this.#leases.all()] : businessIds.flatMap((id) => [...this.#leases.ofBusiness(id)]);
    return {
      worker: this.#leases.worker,
      slots,
      failingSlots: Math.max(0, failingSlots),
      endpoints: leases.map((lease) => ({
        id: lease.id,
        free: this.#offerTo(lease, businessIds !== null),
        failing: lease.failing,
      })),
    };
  }

  /** The number of deliveries that a claim may take for an endpoint. */
  #offerTo({ id, free, backlogged }: EndpointLease, isNewOnly: boolean): number {
    if (this.#sealedUntil.has(id)) return 0;
    if (!isNewOnly || !backlogged) return free;
    // The rest is for the backlog. Chance rounds fractions, so that the share holds on average even if few are free.
    return Math.floor(free * FRESH_SHARE + Math.random());
  }

  #start(claim: Claim, sendUntil: number, claimedAt: number): void {
    const lease = this.#leases.of(claim.business_id, claim.endpoint_id, claim.concurrency_limit);
    const running = this.#attempt(claim, lease, sendUntil, claimedAt).catch((error: unknown) => {
      // Its lease runs out and it is claimed again. The loops log an outage once, not for each delivery.
      if (!(error instanceof DatabaseUnavailableError))
        this.#deps.log("A webhook delivery could not be attempted.", error);
    });
    this.#running.set(claim, running);
    void running.finally(() => {
      this.#running.delete(claim);
      if (this.#crowded || lease.backlogged) this.#loop.wake();
      // If it fails, the next renewal ends the lease. The loop of the renewals logs an outage.
      this.#leases.ended(lease).catch(() => undefined);
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
    const tookAll = (lease: EndpointLease) =>
      (takenBy.get(lease.id) ?? 0) >= (offeredTo.get(lease.id) ?? lease.storedLimit);
    // A claim of new events reads nothing older, so it cannot tell that a backlog is over.
    const leases = isNewOnly ? claims.map((one) => this.#leases.find(one.endpoint_id)!) : this.#leases.all();
    for (const lease of leases) lease.backlogged = tookAll(lease) || (isNewOnly && lease.backlogged);
    // If all attempts of an endpoint ended during the claim, no further end wakes the loop for the rest of its backlog.
    const canTakeMore = ({ id }: { id: string }) => {
      const lease = this.#leases.find(id);
      return lease?.backlogged === true && lease.free > 0 && !this.#sealedUntil.has(id);
    };
    if (room.endpoints.some(canTakeMore)) this.#loop.wake();
  }

  /** Records that the slots, or those for failing endpoints, were all used: then every end of an attempt wakes the loop. */
  #recordCrowding(room: Room, claims: readonly Claim[], isNewOnly: boolean): void {
    const failing = claims.filter((claim) => this.#leases.find(claim.endpoint_id)?.failing === true).length;
    const isCrowded = claims.length >= room.slots || failing >= room.failingSlots;
    this.#crowded = isNewOnly ? this.#crowded || isCrowded : isCrowded;
  }

  async #attempt(claim: Claim, lease: EndpointLease, sendUntil: number, claimedAt: number): Promise<void> {
    const secrets = this.#openSecrets(claim);
    // The other loop may have claimed for this endpoint since its room was counted. A process that was frozen since the
    // claim must not send: another worker may lease the endpoint by now.
    if (secrets === null || lease.free === 0 || performance.now() > sendUntil) {
      await releaseClaims(this.#deps.recording, [claim]);
      // A claim in between did not see this delivery, so nothing else may wake the loop for it.
      this.#loop.wake();
      return;
    }
    lease.inFlight++;
    const startedAt = performance.now();
    const outcome = await traced("webhook delivery", { type: claim.event_type }, async () =>
      this.#send(claim, secrets, claimedAt),
    );
    if (this.#isCutOff) {
      lease.inFlight--;
      return;
    }
    lease.ended(outcome.pressure);
    const endedAt = performance.now();
    this.#recorder.add({ claim, outcome, endedAt, tookMs: endedAt - startedAt });
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

  #failingInFlight(): number {
    let count = 0;
    for (const lease of this.#leases.all()) if (lease.failing) count += lease.inFlight;
    return count;
  }

  #endPauses(): void {
    const now = performance.now();
    for (const [id, until] of this.#sealedUntil) if (until < now) this.#sealedUntil.delete(id);
  }
}
