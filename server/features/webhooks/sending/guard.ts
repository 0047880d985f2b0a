import { isIP } from "node:net";
import { isPublicAddress } from "./address.ts";
import type { Resolve, ResolvedAddress } from "./resolver.ts";

/** A delivery must not or cannot go there; the message is for the merchant. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/**
 * Where a name may be delivered to at this moment. One address that is not public refuses them all: a name that leads
 * both ways is either a mistake or an attack (§6.1.5).
 */
export async function resolveAddresses(
  resolve: Resolve,
  name: string,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(name, signal);
  if (addresses.length === 0) throw new Refused(`the name ${name} has no address in DNS`);
  for (const { address, port, listed } of addresses) {
    const allowed = listed ? isLoopback(address) : port === 443 && isPublicAddress(address);
    if (!allowed) throw new Refused(`the name ${name} leads to ${address}, which is not a public address`);
  }
  return addresses;
}

const isLoopback = (address: string): boolean =>
  address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
