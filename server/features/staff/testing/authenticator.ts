import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** The parts of an answer that a test falsifies. */
export interface Forgery {
  readonly origin?: string;
  readonly rpId?: string;
  /** False if the authenticator did not check its user. */
  readonly userVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly format?: string;
  readonly attestationStatement?: Buffer;
}

// biome-ignore lint/suspicious/noExplicitAny: the options as the service sends them.
type Options = any;

/** An authenticator in software with its browser: one passkey on P-256. */
export class Authenticator {
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #publicKey: KeyObject;
  readonly #id = randomBytes(16);
  #userHandle = "";
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#key = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /** The result of `navigator.credentials.create`, as JSON. */
  create(options: Options, forgery: Forgery = {}) {
    this.#userHandle = options.user.id;
    const { x, y } = this.#publicKey.export({ format: "jwk" });
    const coseKey = map([
      [int(1), int(2)],
      [int(3), int(-7)],
      [int(-1), int(1)],
      [int(-2), bytes(Buffer.from(x!, "base64url"))],
      [int(-3), bytes(Buffer.from(y!, "base64url"))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, coseKey]);
    const authData = Buffer.concat([this.#authenticatorData(options.rp.id, forgery, 0x40), credential]);
    const attestationObject = map([
      [text("fmt"), text(forgery.format ?? "none")],
      [text("attStmt"), forgery.attestationStatement ?? map([])],
      [text("authData"), bytes(authData)],
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData("webauthn.create", options.challenge, forgery),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** The result of `navigator.credentials.get`, as JSON. */
  get(options: Options, forgery: Forgery = {}) {
    const authenticatorData = this.#authenticatorData(options.rpId, forgery, 0);
    const clientDataJSON = this.#clientData("webauthn.get", options.challenge, forgery);
    const hash = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signature = sign("sha256", Buffer.concat([authenticatorData, hash]), this.#key);
    return this.#credential({
      clientDataJSON,
      authenticatorData: authenticatorData.toString("base64url"),
      signature: signature.toString("base64url"),
      userHandle: forgery.userHandle ?? this.#userHandle,
    });
  }

  #credential(response: Readonly<Record<string, unknown>>) {
    const id = this.#id.toString("base64url");
    return { id, rawId: id, type: "public-key", response, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Forgery): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
  }

  #authenticatorData(rpId: string, forgery: Forgery, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forgery.counter ?? ++this.#counter);
    const verified = forgery.userVerified === false ? 0 : 0x04;
    const hash = createHash("sha256")
      .update(forgery.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, Buffer.from([0x01 | verified | flags]), counter]);
  }
}

/** The part of CBOR that an authenticator writes. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
const int = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
export const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
export const text = (value: string): Buffer => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
export const list = (items: readonly Buffer[]): Buffer => Buffer.concat([head(4, items.length), ...items]);
export const map = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);
