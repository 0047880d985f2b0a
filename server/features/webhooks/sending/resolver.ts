import { Resolver } from "node:dns/promises";

/** A checked-to-be address to dial, and the port there: 443, but for names a developer listed. */
export interface ResolvedAddress {
  readonly address: string;
  readonly port: number;
  /** Listed by WEBHOOK_DEV_HOSTS: it may be a loopback address. */
  readonly listed: boolean;
}

/** Where a name leads right now. An empty answer: the name does not exist or has no address. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;

const PORT = 443;
const QUERY_MS = 2_500;
const QUERY_TRIES = 2;
// The name is there without such a record, or is not there at all: an answer, not a failure.
const NOTHING = new Set(["ENODATA", "ENOTFOUND"]);

export interface DnsOptions {
  /** Null: those of the machine. */
  readonly servers: readonly string[] | null;
  /** How long one query may take; each is made twice. */
  readonly queryMs: number;
}

/**
 * Asks DNS servers for A and AAAA, by messages of our own: not by the system's look-up, which would read /etc/hosts and try
 * search domains. Nothing is kept from one look-up to the next. Either answer will do when the other query fails: only
 * addresses that were seen and checked are ever dialled. Throws the server's refusal when both fail.
 */
export const createResolve =
  ({ servers, queryMs }: DnsOptions): Resolve =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: queryMs, tries: QUERY_TRIES });
    if (servers !== null) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      const failure = answers.find((answer) => answer.status === "rejected" && !NOTHING.has(answer.reason.code));
      if (addresses.length === 0 && failure?.status === "rejected") throw failure.reason;
      return addresses.map((address) => ({ address, port: PORT, listed: false }));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };

/** By the machine's DNS servers. */
export const resolveByDns: Resolve = createResolve({ servers: null, queryMs: QUERY_MS });

/** By name: the loopback address and port that stand in for it (contract §8). */
export type DevHosts = ReadonlyMap<string, { readonly address: string; readonly port: number }>;

const LOOPBACK = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}):(\d{1,5})$|^\[(::1)\]:(\d{1,5})$/;

/** Reads `{ "hooks.shop-demo.com": "127.0.0.1:8443" }`; throws a sentence when it is anything else. */
export function readDevHosts(text: string): DevHosts {
  const wrong = (what: string) => new Error(`WEBHOOK_DEV_HOSTS ${what}.`);
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw wrong("is not valid JSON");
  }
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw wrong('must be an object such as {"hooks.shop-demo.com": "127.0.0.1:8443"}');
  const hosts = new Map<string, { address: string; port: number }>();
  for (const [name, value] of Object.entries(given)) {
    const match = LOOPBACK.exec(String(value));
    const address = match?.[1] ?? match?.[3];
    const port = Number(match?.[2] ?? match?.[4]);
    if (address === undefined || !(port >= 1 && port <= 65_535))
      throw wrong(`must give ${name} a loopback address and port, such as "127.0.0.1:8443"`);
    hosts.set(name.toLowerCase(), { address, port });
  }
  return hosts;
}

/** Listed names lead to their loopback address; all others are asked for as ever. */
export const withDevHosts =
  (hosts: DevHosts, resolve: Resolve): Resolve =>
  async (name, signal) => {
    const host = hosts.get(name);
    return host === undefined ? resolve(name, signal) : [{ ...host, listed: true }];
  };
