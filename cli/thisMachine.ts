import { lookup } from "node:dns/promises";
import { isLoopback } from "@holdfast/receipt/loopback";

/** Looks a name up as this machine's programs do, by `/etc/hosts` and DNS. */
export type FindAddresses = (hostname: string) => Promise<readonly string[]>;

const askSystem: FindAddresses = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

/** The addresses of every interface, which a server listens on; a client reaches this machine by them. */
const UNSPECIFIED: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "::1" };

/**
 * The loopback addresses of a host that is this machine; null if it is another. A name is this machine if it resolves to
 * loopback alone, as those of `/etc/hosts`; `*.localhost` is without a look-up, since not every system knows it.
 */
export async function findThisMachine(
  hostname: string,
  find: FindAddresses = askSystem,
): Promise<readonly string[] | null> {
  const everywhere = UNSPECIFIED[hostname];
  if (everywhere !== undefined) return [everywhere];
  if (/(^|\.)localhost$/.test(hostname)) return ["127.0.0.1", "::1"];
  if (isLoopback(hostname)) return [hostname.replace(/^\[|\]$/g, "")];
  const addresses = await find(hostname).catch(() => []);
  return addresses.length > 0 && addresses.every(isLoopback) ? addresses : null;
}
