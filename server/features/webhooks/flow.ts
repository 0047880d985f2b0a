const START = 4;
const CAP_MAX = 64;

/** What an attempt says of how much an endpoint can take. */
export type Pressure = "succeeded" | "failed" | "overloaded";

/**
 * How many deliveries one endpoint may have under way in this process. Grows by one when as many as it allows succeed in
 * a row; halves when the endpoint does not answer, or asks for less (429, 503). A dead endpoint settles at 1.
 */
export class Flow {
  readonly businessId: string;
  #cap = START;
  #run = 0;
  inFlight = 0;
  /** The last attempt to end failed: such endpoints share a quarter of the slots. */
  failing = false;
  /** It took all it may have: there may be more for it. */
  backlogged = false;

  constructor(businessId: string) {
    this.businessId = businessId;
  }

  get cap(): number {
    return this.#cap;
  }

  get free(): number {
    return Math.max(0, this.#cap - this.inFlight);
  }

  started(): void {
    this.inFlight++;
  }

  ended(pressure: Pressure): void {
    this.inFlight--;
    this.failing = pressure !== "succeeded";
    if (pressure === "succeeded") {
      this.#run++;
      if (this.#run < this.#cap) return;
      this.#cap = Math.min(CAP_MAX, this.#cap + 1);
    } else if (pressure === "overloaded") this.#cap = Math.max(1, Math.floor(this.#cap / 2));
    this.#run = 0;
  }

  /** An attempt that was never made says nothing. */
  released(): void {
    this.inFlight--;
  }
}
