import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A key and a certificate, as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority of the test's own, and certificates under it. */
export interface Authority {
  /** PEM of the authority, for WEBHOOK_CA_FILE. */
  readonly ca: string;
  issue(names: readonly string[], options?: { readonly notAfter?: Date }): Certificate;
}

// DER by hand: Node.js makes keys and signatures, but no certificates.
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
};
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const integer = (bytes: Uint8Array) => der(0x02, bytes);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const time = (at: Date) => der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));
const COMMON_NAME = "550403";
const BASIC_CONSTRAINTS = "551d13";
const SUBJECT_ALT_NAME = "551d11";
const TRUE = Buffer.from([0x01, 0x01, 0xff]);

const nameOf = (text: string) => sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(text)))));
const DAY_MS = 86_400_000;

function certify(
  subject: string,
  publicKey: KeyObject,
  issuer: { readonly name: string; readonly key: KeyObject },
  extension: Uint8Array,
  notAfter: Date,
): string {
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(8)]);
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serial),
    ECDSA_SHA256,
    nameOf(issuer.name),
    sequence(time(new Date(notAfter.getTime() - 60 * DAY_MS)), time(notAfter)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = sign("sha256", body, issuer.key);
  const whole = sequence(body, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g)!;
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}

export function createAuthority(): Authority {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const issuer = { name: "Test authority", key: privateKey };
  const inAMonth = new Date(Date.now() + 30 * DAY_MS);
  const isAuthority = sequence(oid(BASIC_CONSTRAINTS), TRUE, der(0x04, sequence(TRUE)));
  return {
    ca: certify(issuer.name, createPublicKey(privateKey), issuer, isAuthority, inAMonth),
    issue: (names, { notAfter = inAMonth } = {}) => {
      const pair = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
      const alternatives = names.map((name) => der(0x82, Buffer.from(name)));
      const extension = sequence(oid(SUBJECT_ALT_NAME), der(0x04, sequence(...alternatives)));
      return {
        key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
        cert: certify(names[0]!, pair.publicKey, issuer, extension, notAfter),
      };
    },
  };
}
