import type { Pressure } from "../sending/send.ts";

/** Parallel deliveries to a new endpoint. */
export const CONCURRENCY_LIMIT_START = 4;
const CONCURRENCY_LIMIT_MAX = 64;

/**
 * An endpoint that this worker leases, and its limit of parallel deliveries. The limit grows by one after as many
 * successes in a row as it allows. It halves when the endpoint does not answer or asks for less (429, 503); a dead
 * endpoint settles at 1.
 */
export class EndpointLease {
  readonly businessId: string;
  readonly id: string;
  concurrencyLimit: number;
  /** The limit as the database has it, from which the next worker goes on. */
  storedLimit: number;
  #successStreak = 0;
  /** Deliveries that this worker has claimed and that have not ended. */
  inFlight = 0;
  /** True if the last attempt failed: such endpoints share a quarter of the slots. */
  failing = false;
  /** True if the last claim took all it might for this endpoint, so that more may wait. */
  backlogged = false;
  /** The time since which this worker gives the endpoint up; null while it keeps it. No attempt begins any more. */
  leavingSince: number | null = null;

  constructor(businessId: string, id: string, concurrencyLimit: number = CONCURRENCY_LIMIT_START) {
    this.businessId = businessId;
    this.id = id;
    this.concurrencyLimit = concurrencyLimit;
    this.storedLimit = concurrencyLimit;
  }

  get free(): number {
    return this.leavingSince === null ? Math.max(0, this.concurrencyLimit - this.inFlight) : 0;
  }

  ended(pressure: Pressure): void {
    this.inFlight--;
    this.failing = pressure !== "succeeded";
    this.#successStreak = this.failing ? 0 : this.#successStreak + 1;
    if (this.#successStreak >= this.concurrencyLimit && this.concurrencyLimit < CONCURRENCY_LIMIT_MAX) {
      this.#successStreak = 0;
      this.concurrencyLimit++;
    }
    if (pressure === "overloaded") this.concurrencyLimit = Math.max(1, Math.floor(this.concurrencyLimit / 2));
  }
}
