import type { LiveData } from "./data.ts";
import type { LiveState } from "./stateOrder.ts";

const POLL_MS = 3_000;
const POLL_MS_MAX = 30_000;

/**
 * Follows the state: by the stream, and by polling while there is none. Phones cut streams of pages in the background, so
 * it polls at once when the page becomes visible again.
 */
export class StateFeed {
  readonly #path: string;
  readonly #onState: (state: LiveState) => void;
  readonly #onLost: (isLost: boolean) => void;
  #stream: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitMs = POLL_MS;
  #isFinal: boolean;

  constructor(data: LiveData, onState: (state: LiveState) => void, onLost: (isLost: boolean) => void) {
    this.#path = data.livePath ?? data.path;
    this.#isFinal = data.final;
    this.#onState = onState;
    this.#onLost = onLost;
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#resume();
    });
    addEventListener("online", () => this.#resume());
    if (!data.final) this.#open();
  }

  /** Fetches the state now. */
  async poll(): Promise<void> {
    try {
      const answer = await fetch(`${this.#path}/state`, { signal: AbortSignal.timeout(10_000) });
      if (!answer.ok) throw new Error(String(answer.status));
      this.#take((await answer.json()) as LiveState);
      this.#waitMs = POLL_MS;
      this.#onLost(false);
    } catch {
      // The network or the service is down: the page says so, and retries ever more slowly.
      this.#waitMs = Math.min(this.#waitMs * 2, POLL_MS_MAX);
      this.#onLost(true);
    }
  }

  #resume(): void {
    this.#waitMs = POLL_MS;
    void this.poll();
    if (!this.#isFinal && this.#stream?.readyState !== EventSource.OPEN) this.#open();
  }

  #open(): void {
    this.#stream?.close();
    const stream = new EventSource(`${this.#path}/events`);
    this.#stream = stream;
    stream.onopen = () => {
      clearTimeout(this.#timer);
      this.#onLost(false);
    };
    stream.onmessage = ({ data }: MessageEvent<string>) => this.#take(JSON.parse(data) as LiveState);
    stream.onerror = () => {
      if (this.#isFinal) stream.close();
      else this.#pollLater();
    };
  }

  #pollLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      await this.poll();
      if (this.#isFinal || this.#stream?.readyState === EventSource.OPEN) return;
      if (this.#stream?.readyState === EventSource.CLOSED) this.#open();
      this.#pollLater();
    }, this.#waitMs);
  }

  #take(state: LiveState): void {
    this.#isFinal = state.final;
    if (state.final) {
      this.#stream?.close();
      clearTimeout(this.#timer);
    } else if (this.#stream === null || this.#stream.readyState === EventSource.CLOSED) this.#open();
    this.#onState(state);
  }
}
