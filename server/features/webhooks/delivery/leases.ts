import { randomUUID } from "node:crypto";
import type { Log } from "../../../lib/log.ts";
import { type Loop, startLoop } from "../../../lib/loop.ts";
import type { Database } from "../../../store/database.ts";
import { ATTEMPT_MS } from "../sending/send.ts";
import { EndpointLease } from "./endpointLease.ts";
import { listMisplaced, removeWorker, renewWorker, storeLeases, takeQueued } from "./leaseQueries.ts";
import { notifyWorkers } from "./notify.ts";

/** The time that a worker's leases last after a renewal. With `RENEW_MS` and a poll, a crash moves them within 15 s. */
const ALIVE_MS = 13_000;
const RENEW_MS = 1_000;
/** The time between two searches for endpoints without a lease, unless the workers change or one is asked for. */
const SEARCH_MS = 5_000;
/** The time after a renewal in which attempts may begin: they end before another worker may lease the endpoint. */
const SEND_MS = ALIVE_MS - ATTEMPT_MS;
const ENDPOINTS_MAX = 10_000;

/**
 * The endpoints that this worker leases. The database decides who leases an endpoint; an entry here holds what the worker
 * learned about it since.
 */
export class Leases {
  readonly worker = randomUUID();
  readonly #database: Database;
  readonly #recording: Database;
  readonly #onTaken: () => void;
  readonly #loop: Loop;
  readonly #leases = new Map<string, EndpointLease>();
  readonly #byBusiness = new Map<string, Set<EndpointLease>>();
  #sendUntil = 0;
  #aliveSince: string | null = null;
  #others: string | null = null;
  #stopping = false;
  /** The time of the next search for endpoints without a lease. */
  #searchAt = 0;

  /** `onTaken` is called when deliveries may be due that this worker could not claim before. */
  constructor(database: Database, recording: Database, log: Log, onTaken: () => void) {
    this.#database = database;
    this.#recording = recording;
    this.#onTaken = onTaken;
    this.#loop = startLoop("webhook leases", RENEW_MS, () => this.#renew(), log);
  }

  /** The end of the time in which an attempt of a claim that is asked for now may begin. */
  get sendUntil(): number {
    return this.#sendUntil;
  }

  all(): Iterable<EndpointLease> {
    return this.#leases.values();
  }

  ofBusiness(businessId: string): Iterable<EndpointLease> {
    return this.#byBusiness.get(businessId) ?? [];
  }

  find(endpointId: string): EndpointLease | undefined {
    return this.#leases.get(endpointId);
  }

  /** The lease of an endpoint that the database says is this worker's. */
  of(businessId: string, endpointId: string, storedLimit?: number): EndpointLease {
    const known = this.#leases.get(endpointId);
    if (known !== undefined) return known;
    const lease = new EndpointLease(businessId, endpointId, storedLimit);
    this.#leases.set(endpointId, lease);
    const others = this.#byBusiness.get(businessId);
    if (others === undefined) this.#byBusiness.set(businessId, new Set([lease]));
    else others.add(lease);
    return lease;
  }

  /** Looks for endpoints without a lease now. */
  wake(): void {
    this.#searchAt = 0;
    this.#loop.wake();
  }

  /** Ends the lease of an endpoint that this worker gives up, once nothing is under way to it. */
  async ended(lease: EndpointLease): Promise<void> {
    if (lease.leavingSince !== null && lease.inFlight === 0) await this.#end([lease]);
  }

  /** Ends the leases of endpoints to which nothing is under way; the others follow as their attempts end. */
  async drain(): Promise<void> {
    this.#stopping = true;
    await this.#loop.stop();
    await this.#renew();
  }

  /** Ends all leases. No attempt may be under way. */
  async close(): Promise<void> {
    await storeLeases(this.#recording, this.worker, this.#changed(), false);
    await removeWorker(this.#recording, this.worker);
    await notifyWorkers(this.#recording);
  }

  async #renew(): Promise<boolean> {
    const askedAt = performance.now();
    const { aliveSince, others, dead } = await renewWorker(this.#recording, this.worker, ALIVE_MS, this.#stopping);
    // The row was deleted meanwhile, and the leases with it. All attempts under way then have ended.
    if (aliveSince !== this.#aliveSince) for (const lease of this.#leases.values()) this.#forget(lease);
    const changed = aliveSince !== this.#aliveSince || others !== this.#others || this.#stopping;
    this.#aliveSince = aliveSince;
    // A worker that is woken in between claims nothing.
    const hadLapsed = performance.now() > this.#sendUntil;
    this.#sendUntil = askedAt + SEND_MS;
    if (changed) await this.#giveUpMisplaced();
    // Only then: if it fails, the next renewal looks for misplaced endpoints again.
    this.#others = others;
    const leaving = [...this.#leases.values()].filter((one) => one.leavingSince !== null);
    await this.#end(leaving.filter((one) => one.inFlight === 0));
    await this.#storeChanged();
    this.#forgetIdle(leaving);
    // The endpoints of a dead worker are for all others.
    if (dead > 0) await notifyWorkers(this.#recording);
    if (changed || hadLapsed) this.#onTaken();
    if (changed || dead > 0 || askedAt > this.#searchAt) await this.#search();
    return false;
  }

  async #search(): Promise<void> {
    if (this.#stopping) return;
    this.#searchAt = performance.now() + SEARCH_MS;
    if ((await takeQueued(this.#database, this.worker)) > 0) this.#onTaken();
  }

  async #giveUpMisplaced(): Promise<void> {
    const misplaced = await listMisplaced(this.#database, this.worker);
    // Also those without an entry: a claim under way may have leased them, and must not begin an attempt.
    for (const { businessId, id } of misplaced) this.of(businessId, id).leavingSince ??= performance.now();
  }

  async #end(leases: readonly EndpointLease[]): Promise<void> {
    if (leases.length === 0) return;
    const ended = await storeLeases(this.#recording, this.worker, leases, true);
    if (ended.length > 0) await notifyWorkers(this.#recording);
  }

  #changed(): EndpointLease[] {
    return [...this.#leases.values()].filter((one) => one.concurrencyLimit !== one.storedLimit);
  }

  async #storeChanged(): Promise<void> {
    const changed = this.#changed();
    if (changed.length === 0) return;
    const limits = changed.map((one) => one.concurrencyLimit);
    await storeLeases(this.#recording, this.worker, changed, false);
    for (const [index, lease] of changed.entries()) lease.storedLimit = limits[index]!;
  }

  #forgetIdle(leaving: readonly EndpointLease[]): void {
    const now = performance.now();
    // By now, no claim that was asked for before may begin an attempt.
    for (const lease of leaving) if (lease.inFlight === 0 && now - lease.leavingSince! > SEND_MS) this.#forget(lease);
    if (this.#leases.size <= ENDPOINTS_MAX) return;
    for (const lease of this.#leases.values())
      if (lease.inFlight === 0 && lease.concurrencyLimit === lease.storedLimit) this.#forget(lease);
  }

  #forget(lease: EndpointLease): void {
    this.#leases.delete(lease.id);
    const others = this.#byBusiness.get(lease.businessId);
    others?.delete(lease);
    if (others?.size === 0) this.#byBusiness.delete(lease.businessId);
  }
}
