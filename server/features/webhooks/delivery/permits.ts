import type { Pressure } from "../sending/send.ts";

/** Parallel deliveries to a new endpoint. */
export const CONCURRENCY_LIMIT_START = 4;
export const CONCURRENCY_LIMIT_MAX = 64;
/** The age at which permits are renewed. */
const RENEW_MS = 4_000;
/** A worker whose share is zero, or smaller than what it holds, asks again after this time. */
const ASK_AGAIN_MS = 1_000;

/** The permits of one endpoint that this worker got, and the division of the rest. */
export interface PermitGrant {
  readonly permits: number;
  /** Permits that other workers hold. */
  readonly taken: number;
  /** Workers that share the permits, this one included. */
  readonly workers: number;
  /** The endpoint's limit of parallel deliveries from all workers together, and the successes towards the next. */
  readonly concurrencyLimit: number;
  readonly successStreak: number;
}

/** A request for permits, with the facts that this worker learned about the endpoint since its last request. */
export interface PermitRequest {
  readonly wanted: number;
  /** Permits with an attempt under way, which cannot be revoked. */
  readonly used: number;
  /** Successes since the last failure. */
  readonly successes: number;
  readonly failed: boolean;
  /** The concurrency limit after the endpoint asked for less, which holds for all workers; null if it did not. */
  readonly lowered: number | null;
}

/**
 * The deliveries that this worker may have under way to one endpoint. A permit is the right to one of them.
 *
 * The concurrency limit grows by one after as many successes in a row as it allows. It halves when the endpoint does
 * not answer or asks for less (429, 503); a dead endpoint settles at 1. All workers share the limit. Each sends only
 * with its own permits, and begins an attempt only if it must end before the permit may go to another worker.
 */
export class EndpointPermits {
  readonly businessId: string;
  #concurrencyLimit = CONCURRENCY_LIMIT_START;
  #successStreak = 0;
  /** Not reported yet: the successes since the last failure, a failure, a request of the endpoint for less. */
  #successes = 0;
  #failed = false;
  #lowered = false;
  #peak = 0;
  #sending = 0;
  /** The granted number; never more than the database holds as this worker's. */
  #permits = 0;
  #sendUntil = 0;
  #askedAt = 0;
  #taken = 0;
  #workers = 1;
  /** Deliveries that this worker has claimed and that have not ended. */
  inFlight = 0;
  /** True if the last attempt failed: such endpoints share a quarter of the slots. */
  failing = false;
  /** True if the last claim took all it might for this endpoint, so that more may wait. */
  backlogged = false;

  constructor(businessId: string) {
    this.businessId = businessId;
  }

  get concurrencyLimit(): number {
    return this.#concurrencyLimit;
  }

  /** The number of further deliveries that this worker may claim within its share of the limit. */
  get free(): number {
    return Math.max(0, this.#share - this.inFlight);
  }

  get #share(): number {
    return Math.min(this.#concurrencyLimit - this.#taken, Math.ceil(this.#concurrencyLimit / this.#workers));
  }

  claimed(): void {
    this.inFlight++;
    this.#peak = Math.max(this.#peak, this.inFlight);
  }

  /**
   * Takes a permit for an attempt that begins now. Returns false if none is left, or the permits end before such an
   * attempt does.
   */
  take(now: number): boolean {
    if (this.#sending >= this.#permits || now > this.#sendUntil) return false;
    this.#sending++;
    return true;
  }

  ended(pressure: Pressure): void {
    this.inFlight--;
    this.#sending--;
    this.failing = pressure !== "succeeded";
    if (pressure === "succeeded") {
      this.#successes++;
      this.#grow(1);
      return;
    }
    this.#successes = 0;
    this.#failed = true;
    this.#successStreak = 0;
    if (pressure === "failed") return;
    this.#lowered = true;
    this.#concurrencyLimit = Math.max(1, Math.floor(this.#concurrencyLimit / 2));
  }

  #grow(successes: number): void {
    this.#successStreak += successes;
    for (
      ;
      this.#successStreak >= this.#concurrencyLimit && this.#concurrencyLimit < CONCURRENCY_LIMIT_MAX;
      this.#concurrencyLimit++
    )
      this.#successStreak -= this.#concurrencyLimit;
    this.#successStreak = Math.min(this.#successStreak, CONCURRENCY_LIMIT_MAX);
  }

  /** Ends a claim that was released without an attempt, which says nothing about the endpoint. */
  released(hasPermit: boolean): void {
    this.inFlight--;
    if (hasPermit) this.#sending--;
  }

  /** Asks for a quarter more permits than were used lately. Until the answer arrives, no further attempt begins. */
  request(now: number): PermitRequest {
    const lately = Math.max(1, this.#peak, this.inFlight);
    const request: PermitRequest = {
      wanted: lately + Math.ceil(lately / 4),
      used: this.#sending,
      // Earlier successes are part of the lowered limit already.
      successes: this.#lowered ? this.#successStreak : this.#successes,
      failed: this.#failed,
      lowered: this.#lowered ? this.#concurrencyLimit : null,
    };
    this.#successes = 0;
    this.#failed = false;
    this.#lowered = false;
    this.#peak = this.inFlight;
    this.#permits = this.#sending;
    this.#askedAt = now;
    return request;
  }

  /** Applies a grant. An attempt with these permits may begin up to `sendUntil`. */
  granted({ permits, taken, workers, concurrencyLimit, successStreak }: PermitGrant, sendUntil: number): void {
    this.#permits = permits;
    this.#taken = taken;
    this.#workers = workers;
    this.#sendUntil = sendUntil;
    // Results that arrived during the request still count.
    this.#concurrencyLimit = this.#lowered ? Math.min(this.#concurrencyLimit, concurrencyLimit) : concurrencyLimit;
    this.#successStreak = this.#failed ? 0 : successStreak;
    this.#grow(this.#successes);
  }

  /** The request got no answer and its report may be lost, so the next one reports the resulting limit. */
  requestFailed(): void {
    this.#lowered = true;
  }

  shouldRenew(now: number): boolean {
    // A worker that does not know the endpoint must not begin with a higher limit.
    if (this.#lowered) return true;
    if (this.#peak === 0 && this.#permits > 0) return false;
    return now - this.#askedAt > (this.#share < Math.max(1, this.#permits) ? ASK_AGAIN_MS : RENEW_MS);
  }

  /** True if it needs no permits, and those it had have expired. */
  isIdle(now: number): boolean {
    return this.inFlight === 0 && now > this.#sendUntil;
  }
}
