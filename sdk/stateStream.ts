/** The interval of asking for the state while the stream brings nothing; it grows while nothing is answered. */
const POLL_MS = 3_000;
const POLL_MS_MAX = 30_000;
/** The service sends something every 15 s. A stream that was silent twice as long is dead, or a proxy holds it back. */
const SILENT_MS_MAX = 32_000;
const ANSWER_MS_MAX = 10_000;
const [OPEN, CLOSED] = [1, 2];
/** Refusals that asking again does not change: the access has ended, or there is nothing at the address any more. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404, 410]);

export interface StateStreamOptions<State> {
  /** The address below which `/events` and `/state` are. */
  readonly url: string;
  readonly onState: (state: State) => void;
  /** Called with true when nothing is answered, and with false when something is again. */
  readonly onLost?: ((isLost: boolean) => void) | undefined;
  /** Called when the service refuses for good; it is asked again only by `resume`, `poll` and `open`. */
  readonly onRefused?: ((error: StateRefusedError) => void) | undefined;
}

/** The service's refusal of a state that it does not show any more. */
export class StateRefusedError extends Error {
  override readonly name = "StateRefusedError";
  /** The HTTP status: 401, 403, 404 or 410. */
  readonly status: number;

  constructor(status: number) {
    super(`The service refused the state with ${status}.`);
    this.status = status;
  }
}

/**
 * Follows a state up to a final one, or until the service refuses it for good: by the stream while something comes on it,
 * else by asking. A connected stream is not a living one: a proxy may pass its head and hold its body.
 */
export class StateStream<State extends { readonly final: boolean }> {
  readonly #options: StateStreamOptions<State>;
  #stream: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitMs = POLL_MS;
  #openedAt = 0;
  /** The time of the last byte of this connection; null before the first. */
  #heardAt: number | null = null;
  /** False before it is opened, and after a final state. */
  #isFollowing = false;
  #isClosed = false;

  constructor(options: StateStreamOptions<State>) {
    this.#options = options;
  }

  open(): void {
    this.#stream?.close();
    this.#isFollowing = true;
    this.#openedAt = performance.now();
    this.#heardAt = null;
    const stream = new EventSource(`${this.#options.url}/events`);
    this.#stream = stream;
    const hear = () => {
      this.#heardAt = performance.now();
      this.#waitMs = POLL_MS;
      this.#options.onLost?.(false);
    };
    stream.addEventListener("beat", hear);
    stream.onmessage = ({ data }: { readonly data: string }) => {
      hear();
      this.#take(JSON.parse(data) as State);
    };
    // The browser connects again by itself, unless it was refused.
    stream.onerror = () => {
      this.#heardAt = null;
      if (!this.#isFollowing) stream.close();
    };
    this.#watch();
  }

  /** Ends it for good. */
  close(): void {
    this.#isClosed = true;
    this.#rest();
  }

  #rest(): void {
    this.#isFollowing = false;
    this.#stream?.close();
    clearTimeout(this.#timer);
  }

  /** Asks for the state now. */
  async poll(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(ANSWER_MS_MAX);
      const answer = await fetch(`${this.#options.url}/state`, { signal });
      if (await isRefusal(answer)) return this.#end(new StateRefusedError(answer.status));
      if (!answer.ok) throw new Error(`The state was answered with ${answer.status}.`);
      this.#take((await answer.json()) as State);
      this.#waitMs = POLL_MS;
      this.#options.onLost?.(false);
    } catch {
      // The network or the service is down: it asks ever more slowly.
      this.#waitMs = Math.min(this.#waitMs * 2, POLL_MS_MAX);
      this.#options.onLost?.(true);
    }
  }

  #end(error: StateRefusedError): void {
    this.#rest();
    if (!this.#isClosed) this.#options.onRefused?.(error);
  }

  /** Asks now, and connects again unless the stream is alive: a page was in the background, or the network is back. */
  resume(): void {
    this.#waitMs = POLL_MS;
    void this.poll();
    if (this.#isFollowing && !this.#isAlive()) this.open();
  }

  #isAlive(): boolean {
    const isOpen = this.#stream?.readyState === OPEN && this.#heardAt !== null;
    return isOpen && performance.now() - this.#heardAt! <= SILENT_MS_MAX;
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      if (this.#isAlive()) return this.#watch();
      const isSilent = performance.now() - Math.max(this.#openedAt, this.#heardAt ?? 0) > SILENT_MS_MAX;
      const isClosed = this.#stream?.readyState === CLOSED;
      await this.poll();
      if (!this.#isFollowing) return;
      if (isSilent || isClosed) this.open();
      else this.#watch();
    }, this.#waitMs);
  }

  #take(state: State): void {
    if (this.#isClosed) return;
    if (state.final) this.#rest();
    // A final state may be followed by another: a late payment of an expired order.
    else if (!this.#isFollowing) this.open();
    this.#options.onState(state);
  }
}

/** A proxy answers 404 too, while it restarts the service: without the service's own error that is an outage. */
async function isRefusal(answer: Response): Promise<boolean> {
  if (!REFUSALS.has(answer.status)) return false;
  const body = (await answer.json().catch(() => null)) as { readonly error?: { readonly code?: unknown } } | null;
  return typeof body?.error?.code === "string";
}
