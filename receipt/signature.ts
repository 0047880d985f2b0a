import { base64UrlOf, canonicalJson, decodeBase64Url, encodeText, parseCanonical } from "@holdfast/escrow-client";
import { isObject, type Receipt, type SignedReceipt } from "./receipt.ts";

/** A public key of a deployment, as a JWK (RFC 8037) with the times between which it signed. */
export interface PublicKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly alg: "EdDSA";
  readonly use: "sig";
  /** The thumbprint of the key (RFC 7638). */
  readonly kid: string;
  readonly x: string;
  readonly createdAt: string;
  /** The time of its end; null: it still signs. */
  readonly retiredAt: string | null;
}

/** A deployment as it publishes itself at `/.well-known/holdfast.json`. */
export interface DeploymentKeys {
  readonly object: "deployment";
  readonly v: 1;
  readonly issuer: string;
  readonly keys: readonly PublicKey[];
  readonly environments: Readonly<Record<string, Receipt["chain"]>>;
}

/** An Ed25519 key pair in base64url: `d` is the secret. */
export interface SigningKey {
  readonly kid: string;
  readonly x: string;
  readonly d: string;
}

const ED25519 = { name: "Ed25519" } as const;
const OKP = { kty: "OKP", crv: "Ed25519" } as const;
/** No other kind of JWS can pass for a receipt's. */
const TYPE = "holdfast-receipt+jws";

export async function createSigningKey(): Promise<SigningKey> {
  const { privateKey } = (await crypto.subtle.generateKey(ED25519, true, ["sign", "verify"])) as CryptoKeyPair;
  const { x, d } = await crypto.subtle.exportKey("jwk", privateKey);
  const thumbprint = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson({ ...OKP, x: x! })));
  return { kid: base64UrlOf(new Uint8Array(thumbprint)), x: x!, d: d! };
}
type CryptoKeyPair = { readonly privateKey: Parameters<typeof crypto.subtle.sign>[1] };

export async function signReceipt(receipt: Receipt, { kid, x, d }: SigningKey): Promise<SignedReceipt> {
  const key = await crypto.subtle.importKey("jwk", { ...OKP, x, d }, ED25519, false, ["sign"]);
  const header = encodeText(canonicalJson({ alg: "EdDSA", kid, typ: TYPE }));
  const payload = encodeText(canonicalJson(receipt as never));
  const signature = await crypto.subtle.sign(ED25519, key, new TextEncoder().encode(`${header}.${payload}`));
  return { ...receipt, signature: { protected: header, payload, signature: base64UrlOf(new Uint8Array(signature)) } };
}

/** A JWS of a receipt, with its payload and header parsed; null if it is none. */
export interface ParsedJws {
  readonly kid: string;
  readonly signed: Readonly<Record<string, unknown>>;
  readonly input: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

export function parseJws(value: unknown): ParsedJws | null {
  if (!isObject(value)) return null;
  const { protected: header, payload, signature, ...others } = value;
  if (typeof header !== "string" || typeof payload !== "string" || typeof signature !== "string") return null;
  if (Object.keys(others).length > 0) return null;
  const bytes = decodeBase64Url(signature);
  const [protectedHeader, signed] = [parseCanonical(header), parseCanonical(payload)];
  if (bytes === null || protectedHeader === null || signed === null) return null;
  // Neither another algorithm nor critical extensions.
  const { alg, kid, typ, ...more } = protectedHeader;
  if (alg !== "EdDSA" || typ !== TYPE || typeof kid !== "string" || Object.keys(more).length > 0) return null;
  return { kid, signed, input: `${header}.${payload}`, signature: bytes };
}

/** True if the key made the signature. */
export async function isSignedBy({ x }: Pick<PublicKey, "x">, { input, signature }: ParsedJws): Promise<boolean> {
  const key = await crypto.subtle.importKey("jwk", { ...OKP, x }, ED25519, false, ["verify"]).catch(() => null);
  // A key that is no point of the curve has signed nothing.
  return key !== null && crypto.subtle.verify(ED25519, key, signature, new TextEncoder().encode(input));
}

/** The document of a deployment's keys; null for anything else. */
export function parseDeploymentKeys(value: unknown): DeploymentKeys | null {
  if (!isObject(value) || value.object !== "deployment" || value.v !== 1 || typeof value.issuer !== "string")
    return null;
  const { keys, environments } = value;
  const isKey = (one: unknown): boolean =>
    isObject(one) && typeof one.kid === "string" && typeof one.x === "string" && isTimeOrNull(one.retiredAt);
  return Array.isArray(keys) &&
    keys.every(isKey) &&
    isObject(environments) &&
    Object.values(environments).every(isObject)
    ? (value as unknown as DeploymentKeys)
    : null;
}

const isTimeOrNull = (value: unknown): boolean =>
  value === null || (typeof value === "string" && !Number.isNaN(Date.parse(value)));
