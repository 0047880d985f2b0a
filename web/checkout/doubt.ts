import { keep, kept, readJson } from "./storage.ts";

/** The program accepts no transaction of this page after this time (§10.7), however long its blocks take. */
const LANDS_WITHIN_MS = 600_000;

/** A transaction by which its life is asked for: the signed bytes, else those that the wallet got. */
export interface Watched {
  /** Base64. */
  readonly transaction: string;
  /** The address of the payment that it makes. */
  readonly payment: string;
}

/**
 * A payment that this browser may have sent: the wallet was asked to send it, and its answer was lost or unclear. All tabs
 * know of it, also after a reload, until the service says that it can no longer land.
 */
export class Doubt {
  readonly #name: string;
  /** For browsers without storage. */
  #own: Kept | null = null;

  constructor(path: string) {
    this.#name = `holdfast may be sent ${path}`;
  }

  get isOpen(): boolean {
    return this.watched !== null;
  }

  /** Null if there is no doubt. */
  get watched(): Watched | null {
    const stored = readJson(kept("localStorage", this.#name)) as Kept | null;
    return [this.#own, stored].find((one) => one !== null && one.untilMs > Date.now())?.watched ?? null;
  }

  begin(watched: Watched): void {
    this.#own = { watched, untilMs: Date.now() + LANDS_WITHIN_MS };
    keep("localStorage", this.#name, JSON.stringify(this.#own));
  }

  end(): void {
    this.#own = null;
    keep("localStorage", this.#name, null);
  }
}

interface Kept {
  readonly watched: Watched;
  readonly untilMs: number;
}
