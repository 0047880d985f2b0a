import { createPublicKey, verify } from "node:crypto";
import { bytesOfAddress, isPlainKey } from "../../../domain/addresses.ts";

/** The start of an Ed25519 key in the form of RFC 8410. */
const SPKI_START = Buffer.from("302a300506032b6570032100", "hex");
const SIGNATURE_BYTES = 64;

/** Returns true if the key of a wallet signed these bytes. The account of a smart wallet has no key. */
export function isSignedBy(address: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (!isPlainKey(address) || signature.length !== SIGNATURE_BYTES) return false;
  const der = Buffer.concat([SPKI_START, bytesOfAddress(address)]);
  return verify(null, bytes, createPublicKey({ key: der, format: "der", type: "spki" }), signature);
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const CHARACTERS_MAX = 8_192;

/** Parses base64 of a request; null if it is none. */
export const parseBase64 = (text: string | null): Uint8Array | null =>
  text !== null && text.length > 0 && text.length <= CHARACTERS_MAX && BASE64.test(text)
    ? Buffer.from(text, "base64")
    : null;
