import { isIP } from "node:net";
import type { ErrorClass } from "../webhook.ts";
import { isPublicAddress } from "./address.ts";
import type { Resolve, ResolvedAddress } from "./resolver.ts";

/** A delivery failed because of one of our rules or of the receiver; the message is for the merchant. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly errorClass: ErrorClass;

  constructor(message: string, errorClass: ErrorClass) {
    super(message);
    this.errorClass = errorClass;
  }
}

/**
 * The addresses to which a delivery to this name may go now (§6.1.5). One address that is not public makes it refuse
 * them all: a name for both the internet and the inside is a mistake or an attack. Throws {@link DeliveryError}.
 */
export async function resolveAddresses(
  resolve: Resolve,
  name: string,
  signal: AbortSignal,
): Promise<readonly ResolvedAddress[]> {
  const addresses = await resolve(name, signal);
  if (addresses.length === 0) throw new DeliveryError(`the name ${name} has no address in DNS`, "dns");
  for (const { address, port, listed } of addresses) {
    const allowed = listed ? isLoopback(address) : port === 443 && isPublicAddress(address);
    if (!allowed)
      throw new DeliveryError(`the name ${name} leads to ${address}, which is not a public address`, "address");
  }
  return addresses;
}

const isLoopback = (address: string): boolean =>
  address === "::1" || (isIP(address) === 4 && address.startsWith("127."));
