import { generateKeyPairSync } from "node:crypto";
import { addressOfKey } from "../../../domain/addresses.ts";

/** The address of an unused wallet. */
export function newWalletAddress(): string {
  const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return addressOfKey(Buffer.concat([Buffer.alloc(32), Buffer.from(x!, "base64url")]));
}
