import {
  createKeyPairFromPrivateKeyBytes,
  getAddressFromPublicKey,
  getBase58Decoder,
  getBase58Encoder,
  getPublicKeyFromAddress,
  type SignatureBytes,
  signBytes,
  verifySignature,
} from "@solana/kit";
import { canonicalJson } from "./terms.ts";

type Members = Readonly<Record<string, unknown>>;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
export const base64UrlOf = (bytes: ArrayLike<number>): string =>
  btoa(String.fromCharCode(...Array.from(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
export const encodeText = (text: string): string => base64UrlOf(bytesOf(text));

/** The bytes of base64url without padding; null if it is none, or not the only spelling of its bytes. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) return null;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return base64UrlOf(bytes) === text ? bytes : null;
  } catch {
    // A length that base64 does not have.
    return null;
  }
}

/** Parses an object in canonical JSON in base64url; null for anything else. Another spelling would be another text. */
export function parseCanonical(text: string): Members | null {
  const bytes = decodeBase64Url(text);
  if (bytes === null) return null;
  try {
    const json = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && canonicalJson(value as never) === json ? (value as Members) : null;
  } catch {
    // It is not UTF-8, not JSON, or has no canonical form.
    return null;
  }
}

/** The multicodec of an Ed25519 key, in front of the key's bytes. */
const ED25519 = [0xed, 0x01];
const KID = /^did:key:(z[1-9A-HJ-NP-Za-km-z]{40,60})#\1$/;

/** The key as a DID URL, which holds it whole: nobody has to be asked for it. */
async function kidOf(publicKey: Parameters<typeof getAddressFromPublicKey>[0]): Promise<string> {
  const key = getBase58Encoder().encode(await getAddressFromPublicKey(publicKey));
  const id = `z${getBase58Decoder().decode(Uint8Array.from([...ED25519, ...key]))}`;
  return `did:key:${id}#${id}`;
}

async function verifyUnder(kid: string, signature: Uint8Array, input: string): Promise<boolean> {
  const [, id = ""] = KID.exec(kid) ?? [];
  const bytes = getBase58Encoder().encode(id.slice(1));
  if (bytes.length !== 34 || ED25519.some((byte, at) => bytes[at] !== byte)) return false;
  try {
    const key = await getPublicKeyFromAddress(getBase58Decoder().decode(bytes.slice(2)) as never);
    return await verifySignature(key, signature as SignatureBytes, bytesOf(input));
  } catch {
    // A key that is no point of the curve has signed nothing.
    return false;
  }
}

/** Signs an object as a compact JWS (RFC 7515) over its canonical JSON, with an Ed25519 key of 32 secret bytes. */
export async function signJws(payload: object, secret: Uint8Array): Promise<string> {
  const { privateKey, publicKey } = await createKeyPairFromPrivateKeyBytes(secret);
  const header = encodeText(canonicalJson({ alg: "EdDSA", kid: await kidOf(publicKey) }));
  const input = `${header}.${encodeText(canonicalJson(payload as never))}`;
  return `${input}.${base64UrlOf(await signBytes(privateKey, bytesOf(input)))}`;
}

/** Parses a compact JWS that the key of its header has signed; null for anything else. */
export async function parseSignedJws(jws: string): Promise<{ readonly kid: string; readonly payload: Members } | null> {
  const [header = "", body = "", signed = "", ...others] = jws.split(".");
  const [head, payload, signature] = [parseCanonical(header), parseCanonical(body), decodeBase64Url(signed)];
  if (head === null || payload === null || signature?.length !== 64 || others.length > 0) return null;
  const { alg, kid, ...more } = head;
  if (alg !== "EdDSA" || typeof kid !== "string" || Object.keys(more).length > 0) return null;
  return (await verifyUnder(kid, signature, `${header}.${body}`)) ? { kid, payload } : null;
}
