/** A transaction that the page was given ends within this time (§10.7). */
const LANDS_WITHIN_MS = 600_000;

/**
 * A payment of this browser of which the page does not know whether it was sent: a wallet that sends was asked, and the answer
 * is lost, or says nothing. All tabs know, also after a reload, until it cannot land any more.
 */
export class Doubt {
  readonly #name: string;
  /** For browsers that keep nothing. */
  #untilMs = 0;

  constructor(path: string) {
    this.#name = `holdfast may be sent ${path}`;
  }

  get isOpen(): boolean {
    return Math.max(this.#untilMs, this.#keptMs()) > Date.now();
  }

  begin(): void {
    this.#untilMs = Date.now() + LANDS_WITHIN_MS;
    keep(() => localStorage.setItem(this.#name, String(this.#untilMs)));
  }

  end(): void {
    this.#untilMs = 0;
    keep(() => localStorage.removeItem(this.#name));
  }

  #keptMs(): number {
    return Number(keep(() => localStorage.getItem(this.#name)) ?? 0);
  }
}

/** Of a browser that is set to keep nothing: there each use throws. */
function keep<Value>(use: () => Value): Value | null {
  try {
    return use();
  } catch {
    return null;
  }
}
