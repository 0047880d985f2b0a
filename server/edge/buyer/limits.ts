import { isIP } from "node:net";
import { Lru } from "../../lib/lru.ts";

const WINDOW_MS = 60_000;

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/**
 * At most so many uses of a key in a minute, counted in this process alone: a deployment of several processes allows that
 * many times more. Its memory is bounded; what it forgets under a flood of keys begins to count from nothing.
 */
export class MinuteLimit {
  readonly #windows: Lru<string, Window>;
  readonly #usesMax: number;

  constructor(usesMax: number, keysMax = 20_000) {
    this.#usesMax = usesMax;
    this.#windows = new Lru(keysMax);
  }

  /** True if the next use would be one too many. */
  isUsedUp(key: string, nowMs: number): boolean {
    const open = this.#windows.get(key);
    return open !== undefined && nowMs < open.endsAtMs && open.used >= this.#usesMax;
  }

  /** Counts a use. Null: it is allowed; else whole seconds until the next is. */
  use(key: string, nowMs: number): number | null {
    const open = this.#windows.get(key);
    const window = open === undefined || nowMs >= open.endsAtMs ? { endsAtMs: nowMs + WINDOW_MS, used: 0 } : open;
    if (window !== open) this.#windows.set(key, window);
    window.used++;
    return window.used <= this.#usesMax ? null : Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1_000));
  }
}

/** The first 48 bits of an IPv6 network, as providers give them to one customer; of an IPv4 address, itself. */
export const siteOf = (network: string): string => network.split(":").slice(0, 3).join(":");

/**
 * The network of an address, as one household or server has it: an IPv4 address, or the first 64 bits of an IPv6 address. Some
 * proxies add the port that the client came from; with it each connection would be a network of its own.
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
