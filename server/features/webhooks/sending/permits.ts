/** Deliveries at once to an endpoint of which nothing is known yet. */
export const CONCURRENCY_LIMIT_START = 4;
export const CONCURRENCY_LIMIT_MAX = 64;
/** Permits are asked for again when they are this old. */
const RENEW_MS = 4_000;
/** A worker whose share is smaller than what it holds, or zero, asks again after this long. */
const ASK_AGAIN_MS = 1_000;

/** How an attempt ended, as far as it says how much the endpoint can take. */
export type Pressure = "succeeded" | "failed" | "overloaded";

/** The permits of one endpoint that this worker was given, and how the rest is divided. */
export interface PermitGrant {
  readonly permits: number;
  /** Permits that other workers hold. */
  readonly taken: number;
  /** Workers that share the permits, this one included. */
  readonly workers: number;
  /** How many deliveries at once the endpoint takes from all workers together, and the successes towards one more. */
  readonly concurrencyLimit: number;
  readonly successStreak: number;
}

/** How many permits to ask for, and what this worker learned of the endpoint since it last asked. */
export interface PermitRequest {
  readonly wanted: number;
  /** Permits with an attempt under way: they cannot be taken back. */
  readonly used: number;
  /** Successes since the last failure. */
  readonly successes: number;
  readonly failed: boolean;
  /** The concurrency limit after the endpoint asked for less, which holds for all workers; null when it did not. */
  readonly lowered: number | null;
}

/**
 * How many deliveries this worker may have under way to one endpoint. A permit is the right to one of them.
 *
 * The concurrency limit grows by one when as many deliveries as it allows succeed in a row. It halves when the endpoint
 * does not answer or asks for less (429, 503); a dead endpoint settles at 1. All workers share the limit. Each sends only
 * with permits it was given, and begins an attempt only if it must be over before the permit may go to another worker.
 */
export class EndpointPermits {
  readonly businessId: string;
  #concurrencyLimit = CONCURRENCY_LIMIT_START;
  #successStreak = 0;
  /** Not reported yet: successes since the last failure, whether there was a failure, whether the endpoint asked for less. */
  #successes = 0;
  #failed = false;
  #lowered = false;
  #peak = 0;
  #sending = 0;
  /** As the database granted them; never more than it holds as this worker's. */
  #permits = 0;
  #sendUntil = 0;
  #askedAt = 0;
  #taken = 0;
  #workers = 1;
  /** Deliveries that this worker has claimed and that have not ended. */
  inFlight = 0;
  /** Whether the last attempt to end failed: such endpoints share a quarter of the slots. */
  failing = false;
  /** Whether the last claim took all it might for this endpoint: more may wait. */
  backlogged = false;

  constructor(businessId: string) {
    this.businessId = businessId;
  }

  get concurrencyLimit(): number {
    return this.#concurrencyLimit;
  }

  /** How many more deliveries this worker may claim within its share of the limit. */
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

  /** Takes a permit for an attempt that begins now. False: none is left, or the permits end before such an attempt does. */
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

  /** The claim was given back without an attempt, which says nothing about the endpoint. */
  released(hasPermit: boolean): void {
    this.inFlight--;
    if (hasPermit) this.#sending--;
  }

  /** Asks for as many permits as were used lately and a quarter more. Until the answer comes no further attempt begins. */
  request(now: number): PermitRequest {
    const lately = Math.max(1, this.#peak, this.inFlight);
    const request: PermitRequest = {
      wanted: lately + Math.ceil(lately / 4),
      used: this.#sending,
      // Earlier successes are counted in the lowered limit already.
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

  /** Takes over what was granted. An attempt with these permits may begin up to `sendUntil`. */
  granted({ permits, taken, workers, concurrencyLimit, successStreak }: PermitGrant, sendUntil: number): void {
    this.#permits = permits;
    this.#taken = taken;
    this.#workers = workers;
    this.#sendUntil = sendUntil;
    // Results that came while the request was under way still count.
    this.#concurrencyLimit = this.#lowered ? Math.min(this.#concurrencyLimit, concurrencyLimit) : concurrencyLimit;
    this.#successStreak = this.#failed ? 0 : successStreak;
    this.#grow(this.#successes);
  }

  /** No answer came: what was reported may be lost, so the next request reports the limit that came of it. */
  requestFailed(): void {
    this.#lowered = true;
  }

  shouldRenew(now: number): boolean {
    // A worker that knows nothing of the endpoint must not begin with a higher limit.
    if (this.#lowered) return true;
    if (this.#peak === 0 && this.#permits > 0) return false;
    return now - this.#askedAt > (this.#share < Math.max(1, this.#permits) ? ASK_AGAIN_MS : RENEW_MS);
  }

  /** Whether it needs no permits, and those it had are past their time. */
  isIdle(now: number): boolean {
    return this.inFlight === 0 && now > this.#sendUntil;
  }
}
