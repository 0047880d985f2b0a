import { isIP } from "node:net";
import { Lru } from "../../lib/lru.ts";

const WINDOW_MS = 60_000;

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/** Uses of keys in a minute, counted in this process alone. Its memory is bounded; keys that it forgets under a flood start again from zero. */
class Windows {
  readonly #windows: Lru<string, Window>;

  constructor(keysMax: number) {
    this.#windows = new Lru(keysMax);
  }

  open(key: string, nowMs: number): Window {
    const last = this.#windows.get(key);
    if (last !== undefined && nowMs < last.endsAtMs) return last;
    // All windows end together: a network has one share in each of those around it.
    const window = { endsAtMs: (Math.floor(nowMs / WINDOW_MS) + 1) * WINDOW_MS, used: 0 };
    this.#windows.set(key, window);
    return window;
  }
}

const secondsLeft = ({ endsAtMs }: Window, nowMs: number): number => Math.max(1, Math.ceil((endsAtMs - nowMs) / 1_000));

/** Limits the uses of a key in a minute. A deployment of several processes allows that many times more. */
export class MinuteLimit {
  readonly #windows: Windows;
  readonly #usesMax: number;
  readonly #nowMs: () => number;

  /** The clock is monotonic: one that is set back would make a window last for as long. Tests give their own. */
  constructor(usesMax: number, keysMax = 20_000, nowMs = () => performance.now()) {
    this.#usesMax = usesMax;
    this.#windows = new Windows(keysMax);
    this.#nowMs = nowMs;
  }

  /** Returns true if the next use would exceed the limit. */
  isUsedUp(key: string): boolean {
    return this.#windows.open(key, this.#nowMs()).used >= this.#usesMax;
  }

  /** Counts a use. Null: it is allowed; else whole seconds until the next one is. */
  use(key: string): number | null {
    const nowMs = this.#nowMs();
    const window = this.#windows.open(key, nowMs);
    window.used++;
    return window.used <= this.#usesMax ? null : secondsLeft(window, nowMs);
  }
}

/**
 * The uses that networks within each other have (§4.14.7). A network's first uses are its share, which its neighbours leave
 * to it. What it uses beyond that, it takes from what 56 and 48 bits have together.
 */
export interface Allowance {
  /** The uses of 64 bits of IPv6, or of an IPv4 address. */
  readonly max: number;
  readonly share: number;
  /** Beyond the shares, of 56 and of 48 bits; of 28 and of 24 bits of IPv4. */
  readonly wider: readonly [number, number];
  /** With the shares of 192 networks, of 56 bits; twice as much of 48: no 56 bits use up their 48. */
  readonly widest: readonly [number, number];
}

export function allowanceOf(max: number): Allowance {
  const share = Math.max(3, Math.ceil(max / 8));
  const wider = [2 * max, 4 * max] as const;
  return { max, share, wider, widest: [wider[0] + 192 * share, wider[1] + 384 * share] };
}

/** The uses of a wider network (0: of 56 bits, 1: of 48) that still leave one to a network within it. */
export const mostOf = ({ share, wider, widest }: Allowance, level: number, ownUses: number): number =>
  (ownUses > share ? wider : widest)[level]!;

/** Longer than every id and address. */
const SUBJECT_LENGTH_MAX = 100;

/** Limits the uses of networks in a minute by their allowances, counted in this process alone. */
export class NetworkLimit {
  readonly #windows: Windows;
  readonly #allowance: Allowance;

  constructor(max: number, keysMax = 40_000) {
    this.#allowance = allowanceOf(max);
    this.#windows = new Windows(keysMax);
  }

  /**
   * Counts a use for a subject, such as a payment. Null: it is allowed; else whole seconds until the next one is. A
   * refused use takes nothing from the network's neighbours.
   */
  use(network: string, subject = "", nowMs = performance.now()): number | null {
    // A stranger chooses the subject, which may be long and name nothing.
    const of = subject.slice(0, SUBJECT_LENGTH_MAX);
    const [own, ...wider] = networksOf(network).map((one) => this.#windows.open(`${one} ${of}`, nowMs));
    own!.used++;
    const full =
      own!.used > this.#allowance.max
        ? own
        : wider.find(({ used }, level) => used >= mostOf(this.#allowance, level, own!.used));
    if (full !== undefined) return secondsLeft(full, nowMs);
    for (const one of wider) one.used++;
    return null;
  }
}

/**
 * Returns a network and those around it, which one customer may have: 56 and 48 bits of IPv6, 28 and 24 of IPv4. Text that
 * is no network is alone.
 */
export function networksOf(network: string): readonly string[] {
  const groups = network.split(":");
  if (groups.length === 4) {
    const [site, last] = [groups.slice(0, 3).join(":"), Number.parseInt(groups[3]!, 16)];
    return [network, `${site}:${(last >> 8).toString(16)}/56`, `${site}/48`];
  }
  if (isIP(network) !== 4) return [network];
  const [start, last] = [
    network.slice(0, network.lastIndexOf(".")),
    Number(network.slice(network.lastIndexOf(".") + 1)),
  ];
  return [network, `${start}.${last >> 4}/28`, `${start}/24`];
}

/** Returns the first 48 bits of an IPv6 network, the most that one customer has; an IPv4 address unchanged. */
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
