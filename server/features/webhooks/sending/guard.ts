import { isIP } from "node:net";
import type { ErrorClass } from "../webhook.ts";
import { isPublicAddress } from "./address.ts";
import type { Resolve, ResolvedAddress } from "./resolver.ts";

/** A delivery failed by a rule of ours or by what the receiver did; the message is for the merchant. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly errorClass: ErrorClass;

  constructor(message: string, errorClass: ErrorClass) {
    super(message);
    this.errorClass = errorClass;
  }
}

/**
 * The addresses that a delivery to this name may go to now (§6.1.5). One address that is not public refuses them all: a
 * name that leads both to the internet and inside is a mistake or an attack. Throws {@link DeliveryError}.
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
