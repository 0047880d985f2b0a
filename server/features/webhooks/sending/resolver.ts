import { Resolver } from "node:dns/promises";

/** A resolved address of a name, and the port to dial there: 443, except for names that a developer listed. */
export interface ResolvedAddress {
  readonly address: string;
  readonly port: number;
  /** True if WEBHOOK_DEV_HOSTS lists the name, which may then have a loopback address. */
  readonly listed: boolean;
}

/** Resolves a name. Returns nothing if the name does not exist or has no address. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly ResolvedAddress[]>;

const PORT = 443;
const QUERY_MS = 2_500;
const QUERY_TRIES = 2;
// The name does not exist, or has no such record: an answer, not a failure.
const NOT_FOUND = new Set(["ENODATA", "ENOTFOUND"]);

export interface DnsOptions {
  /** The DNS servers; null for those in the machine's settings. */
  readonly servers: readonly string[] | null;
  /** The time limit of one query; each is made twice. */
  readonly queryMs: number;
}

/**
 * Asks DNS servers for A and AAAA records. The system's own resolver is not used, since it reads /etc/hosts and tries
 * search domains. Nothing is cached. If one of the two queries fails, the other's addresses suffice, since only
 * addresses that were returned and checked are dialled. Throws the server's error if both fail.
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
      const failure = answers.find((answer) => answer.status === "rejected" && !NOT_FOUND.has(answer.reason.code));
      if (addresses.length === 0 && failure?.status === "rejected") throw failure.reason;
      return addresses.map((address) => ({ address, port: PORT, listed: false }));
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };

/** Asks the DNS servers in the machine's settings. */
export const resolveByDns: Resolve = createResolve({ servers: null, queryMs: QUERY_MS });

/** Resolves the TXT records of a name; empty if there are none. Throws the server's error. */
export type ResolveTexts = (name: string) => Promise<readonly string[]>;

/** More records than any real name has. Further ones are ignored. */
const TEXTS_MAX = 100;

export const createResolveTexts =
  ({ servers, queryMs }: DnsOptions): ResolveTexts =>
  async (name) => {
    const resolver = new Resolver({ timeout: queryMs, tries: QUERY_TRIES });
    if (servers !== null) resolver.setServers(servers);
    try {
      // A record is one text in pieces of 255 bytes.
      return (await resolver.resolveTxt(name)).slice(0, TEXTS_MAX).map((pieces) => pieces.join(""));
    } catch (error) {
      if (error instanceof Error && "code" in error && NOT_FOUND.has(String(error.code))) return [];
      throw error;
    }
  };

/** Asks the machine's DNS servers, except about a listed name or one below it, which nobody else owns. */
export const textsWithDevHosts = (hosts: DevHosts): ResolveTexts => {
  const resolve = createResolveTexts({ servers: null, queryMs: QUERY_MS });
  return async (name) => ([...hosts.keys()].some((host) => name.endsWith(`.${host}`)) ? [] : resolve(name));
};

/** The loopback address and port that stand in for each listed name (§6.1.7). */
export type DevHosts = ReadonlyMap<string, { readonly address: string; readonly port: number }>;

const LOOPBACK = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}):(\d{1,5})$|^\[(::1)\]:(\d{1,5})$/;

/** Parses `{ "hooks.shop-demo.com": "127.0.0.1:8443" }`. Throws an error that names the form if the text has another. */
export function readDevHosts(text: string): DevHosts {
  const wrong = (what: string) => new Error(`${what}.`);
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

/** Returns the loopback address of a listed name, and resolves every other name. */
export const withDevHosts =
  (hosts: DevHosts, resolve: Resolve): Resolve =>
  async (name, signal) => {
    const host = hosts.get(name);
    return host === undefined ? resolve(name, signal) : [{ ...host, listed: true }];
  };
