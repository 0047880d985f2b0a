/** Of an endpoint nothing is known of. */
export const CONCURRENCY_LIMIT_START = 4;
export const CONCURRENCY_LIMIT_MAX = 64;
/** Places are asked for anew when they were given so long ago. */
const RENEW_MS = 4_000;
/** One who got none, or has more than its share, asks again after so long. */
const ASK_AGAIN_MS = 1_000;

/** What an attempt says of how much an endpoint can take. */
export type Pressure = "succeeded" | "failed" | "overloaded";

/** What this process was given of an endpoint's places, and how the rest is divided. */
export interface Share {
  readonly permits: number;
  /** By others. */
  readonly taken: number;
  /** Who share them, this one too. */
  readonly workers: number;
  /** How many the endpoint can take in all, and how many successes it has towards one more: what all workers learned. */
  readonly concurrencyLimit: number;
  readonly successStreak: number;
}

/** What to ask for, and what was learned since it was last told. */
export interface Need {
  readonly wanted: number;
  /** Of this process's places: cannot be taken back. */
  readonly used: number;
  /** Since the last failure. */
  readonly successes: number;
  readonly failed: boolean;
  /** Null, or the cap after an endpoint asked for less: all are held to it. */
  readonly lowered: number | null;
}

/**
 * How many deliveries one endpoint may have under way. The cap grows by one when as many as it allows succeed in a row;
 * halves when the endpoint does not answer, or asks for less (429, 503). A dead endpoint settles at 1. All workers share
 * it: each sends only on places it was given, and only while an attempt must be over before they are given to another.
 */
export class Flow {
  readonly businessId: string;
  #concurrencyLimit = CONCURRENCY_LIMIT_START;
  #successStreak = 0;
  /** Not yet told: successes since the last failure; whether there was one; whether it asked for less. */
  #successes = 0;
  #failed = false;
  #lowered = false;
  #peak = 0;
  #sending = 0;
  /** Given by the database; never more than it has written down as this process's. */
  #permits = 0;
  #sendUntil = 0;
  #askedAt = 0;
  #taken = 0;
  #workers = 1;
  /** Claimed by this process and not ended. */
  inFlight = 0;
  /** The last attempt to end failed: such endpoints share a quarter of the slots. */
  failing = false;
  /** It took all it may have: there may be more for it. */
  backlogged = false;

  constructor(businessId: string) {
    this.businessId = businessId;
  }

  get concurrencyLimit(): number {
    return this.#concurrencyLimit;
  }

  /** How many more this process may claim: its part of the cap. */
  get free(): number {
    return Math.max(0, this.#part - this.inFlight);
  }

  get #part(): number {
    return Math.min(this.#concurrencyLimit - this.#taken, Math.ceil(this.#concurrencyLimit / this.#workers));
  }

  started(): void {
    this.inFlight++;
    this.#peak = Math.max(this.#peak, this.inFlight);
  }

  /** Takes one of the places given, for an attempt that begins now. False: there is none, or it may be another's too soon. */
  send(now: number): boolean {
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

  /** An attempt that was never made says nothing, whether it had its place already or not. */
  released(placed: boolean): void {
    this.inFlight--;
    if (placed) this.#sending--;
  }

  /** Asks for what was used lately and some more. Until the answer is there no further attempt begins. */
  ask(now: number): Need {
    const lately = Math.max(1, this.#peak, this.inFlight);
    const need: Need = {
      wanted: lately + Math.ceil(lately / 4),
      used: this.#sending,
      // Those before are in the cap already.
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
    return need;
  }

  /** The answer. An attempt on these places may begin up to `sendUntil`. */
  give({ permits, taken, workers, concurrencyLimit, successStreak }: Share, sendUntil: number): void {
    this.#permits = permits;
    this.#taken = taken;
    this.#workers = workers;
    this.#sendUntil = sendUntil;
    // With what was learned while the question was under way.
    this.#concurrencyLimit = this.#lowered ? Math.min(this.#concurrencyLimit, concurrencyLimit) : concurrencyLimit;
    this.#successStreak = this.#failed ? 0 : successStreak;
    this.#grow(this.#successes);
  }

  /** No answer came: whatever was learned is told again as the cap that came of it. */
  fail(): void {
    this.#lowered = true;
  }

  isToRenew(now: number): boolean {
    // Those who know nothing of the endpoint must not begin with more.
    if (this.#lowered) return true;
    if (this.#peak === 0 && this.#permits > 0) return false;
    return now - this.#askedAt > (this.#part < Math.max(1, this.#permits) ? ASK_AGAIN_MS : RENEW_MS);
  }

  /** It needs no places, and its own are soon another's. */
  isIdle(now: number): boolean {
    return this.inFlight === 0 && now > this.#sendUntil;
  }
}
