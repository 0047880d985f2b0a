/** A transaction that the page got lands within this time or never (§10.7). */
const LANDS_WITHIN_MS = 600_000;

/**
 * A payment that this browser may have sent: the wallet was asked to send it, and its answer was lost or unclear. All tabs
 * know of it, also after a reload, until it can no longer land.
 */
export class Doubt {
  readonly #name: string;
  /** For browsers without storage. */
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

/** Returns null if the browser blocks storage: there each use throws. */
function keep<Value>(use: () => Value): Value | null {
  try {
    return use();
  } catch {
    return null;
  }
}
