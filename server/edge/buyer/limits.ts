import { isIP } from "node:net";
import { Lru } from "../../lib/lru.ts";

const WINDOW_MS = 60_000;

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/**
 * Limits the uses of a key in a minute, counted in this process alone: a deployment of several processes allows that many
 * times more. Its memory is bounded; keys that it forgets under a flood start again from zero.
 */
export class MinuteLimit {
  readonly #windows: Lru<string, Window>;
  readonly #usesMax: number;
  readonly #nowMs: () => number;

  /** The clock is monotonic: one that is set back would make a window last for as long. Tests give their own. */
  constructor(usesMax: number, keysMax = 20_000, nowMs = () => performance.now()) {
    this.#usesMax = usesMax;
    this.#nowMs = nowMs;
    this.#windows = new Lru(keysMax);
  }

  /** Returns true if the next use would exceed the limit. */
  isUsedUp(key: string): boolean {
    const open = this.#windows.get(key);
    return open !== undefined && this.#nowMs() < open.endsAtMs && open.used >= this.#usesMax;
  }

  /** Counts a use. Null: it is allowed; else whole seconds until the next one is. */
  use(key: string): number | null {
    const nowMs = this.#nowMs();
    const open = this.#windows.get(key);
    const window = open === undefined || nowMs >= open.endsAtMs ? { endsAtMs: nowMs + WINDOW_MS, used: 0 } : open;
    if (window !== open) this.#windows.set(key, window);
    window.used++;
    return window.used <= this.#usesMax ? null : Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1_000));
  }
}

/** Returns the first 48 bits of an IPv6 network, which providers assign to one customer; an IPv4 address unchanged. */
export const siteOf = (network: string): string => network.split(":").slice(0, 3).join(":");

/**
 * Returns the network of an address, which one household or server has: an IPv4 address, or the first 64 bits of an IPv6
 * address. Some proxies add the client's port; with it each connection would count as its own network.
 */
export function networkOf(given: string): string {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(given)?.[1] ?? /^([^:]+):\d+$/.exec(given)?.[1] ?? given;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
