import type { Ledger } from "./ledger/ledger.ts";
import type { Consensus } from "./ledger/slots.ts";

/** The length of a slot under each consensus, unless it is told. */
const SLOT_MS: Readonly<Record<Consensus, number>> = { tower: 400, alpenglow: 200 };

/** Lets the slots of a chain pass, without drifting; a process that was held up makes good a few slots, not all. */
export class Pace {
  readonly #ledger: Ledger;
  readonly #onFatal: ((error: unknown) => void) | undefined;
  #slotMs: number;
  #timer: NodeJS.Timeout | undefined;
  #nextAt = 0;

  constructor(ledger: Ledger, slotMs?: number, onFatal?: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#onFatal = onFatal;
    this.#slotMs = slotMs ?? SLOT_MS[ledger.slots.consensus];
  }

  get slotMs(): number {
    return this.#slotMs;
  }

  /** The slot that runs is the first with the new length. */
  set slotMs(slotMs: number) {
    this.#slotMs = slotMs;
    if (this.#timer !== undefined) this.start();
  }

  start(): void {
    this.stop();
    this.#nextAt = performance.now() + this.#slotMs;
    this.#timer = setTimeout(this.#run, this.#slotMs);
  }

  #run = (): void => {
    try {
      this.#ledger.tick();
    } catch (error) {
      if (!this.#onFatal) throw error;
      this.#onFatal(error);
      return;
    }
    const now = performance.now();
    this.#nextAt = now - this.#nextAt > 5 * this.#slotMs ? now + this.#slotMs : this.#nextAt + this.#slotMs;
    this.#timer = setTimeout(this.#run, Math.max(0, this.#nextAt - now));
  };

  stop(): void {
    clearTimeout(this.#timer);
  }
}
