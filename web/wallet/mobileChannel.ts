// The encrypted channel to a wallet's app on the same phone, by version 1 of the Mobile Wallet Adapter:
// https://solana-mobile.github.io/mobile-wallet-adapter/spec/spec.html
type Bytes = Uint8Array<ArrayBuffer>;
/** The type has no name in the environment of the tests. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const CURVE = { namedCurve: "P-256" } as const;
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" } as const;
/** An uncompressed point of the curve. */
const POINT_BYTES = 65;
const SEQUENCE_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BITS = 256;
const KEY_BITS = 128;

/** The association of the two sides by the link that opened the wallet: its key is used once. */
export interface Association {
  /** The public key in the link, in base64 for addresses. */
  readonly token: string;
  readonly publicKey: Bytes;
  readonly privateKey: Key;
}

export async function newAssociation(): Promise<Association> {
  const pair = await crypto.subtle.generateKey({ ...CURVE, name: "ECDSA" }, false, ["sign"]);
  const publicKey = await pointOf(pair.publicKey);
  const token = btoa(String.fromCharCode(...publicKey))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  return { token, publicKey, privateKey: pair.privateKey };
}

export interface Hello {
  /** The page's first message. */
  readonly message: Bytes;
  /** Reads the wallet's answer. Throws if it is none. */
  readonly finish: (answer: Bytes) => Promise<{ readonly channel: Channel; readonly version: "v1" | "legacy" }>;
}

/**
 * Makes a key for one connection, signed by that of the link: this shows the wallet that the page which opened it is
 * asking.
 */
export async function newHello({ publicKey, privateKey }: Association): Promise<Hello> {
  const pair = await crypto.subtle.generateKey({ ...CURVE, name: "ECDH" }, false, ["deriveBits"]);
  const point = await pointOf(pair.publicKey);
  const signature = new Uint8Array(await crypto.subtle.sign(SIGNATURE, privateKey, point));
  return {
    message: Uint8Array.from([...point, ...signature]),
    finish: async (answer) => {
      const theirs = await crypto.subtle.importKey(
        "raw",
        answer.subarray(0, POINT_BYTES),
        { ...CURVE, name: "ECDH" },
        false,
        [],
      );
      const secret = await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, pair.privateKey, SECRET_BITS);
      const channel = new Channel(await deriveKey(secret, publicKey));
      // A wallet of the first version sends no more than its key.
      if (answer.length === POINT_BYTES) return { channel, version: "legacy" };
      const { v } = JSON.parse(await channel.open(answer.subarray(POINT_BYTES))) as { readonly v?: unknown };
      return { channel, version: v === "legacy" ? "legacy" : "v1" };
    },
  };
}

const pointOf = async (key: Key): Promise<Bytes> => new Uint8Array(await crypto.subtle.exportKey("raw", key));

async function deriveKey(secret: ArrayBuffer, salt: Bytes): Promise<Key> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt, info: new Uint8Array() };
  return crypto.subtle.deriveKey(derivation, key, { name: "AES-GCM", length: KEY_BITS }, false, ["encrypt", "decrypt"]);
}

/**
 * Encrypts and decrypts messages in order: each side numbers its own from 1, and a message with any other number is
 * refused.
 */
export class Channel {
  readonly #key: Key;
  #sent = 0;
  #received = 0;

  constructor(key: Key) {
    this.#key = key;
  }

  async seal(text: string): Promise<Bytes> {
    const sequence = new Uint8Array(SEQUENCE_BYTES);
    new DataView(sequence.buffer).setUint32(0, ++this.#sent);
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const sealed = await crypto.subtle.encrypt(algorithm(iv, sequence), this.#key, new TextEncoder().encode(text));
    return Uint8Array.from([...sequence, ...iv, ...new Uint8Array(sealed)]);
  }

  /** Throws if the message is not the next one, or not of the wallet that answered first. */
  async open(message: Bytes): Promise<string> {
    if (message.length < SEQUENCE_BYTES + IV_BYTES + TAG_BYTES) throw new Error("a message is too short");
    const sequence = message.subarray(0, SEQUENCE_BYTES);
    const number = new DataView(message.buffer, message.byteOffset).getUint32(0);
    if (number !== ++this.#received) throw new Error("a message is out of order");
    const iv = message.subarray(SEQUENCE_BYTES, SEQUENCE_BYTES + IV_BYTES);
    const sealed = message.subarray(SEQUENCE_BYTES + IV_BYTES);
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm(iv, sequence), this.#key, sealed));
  }
}

const algorithm = (iv: Bytes, additionalData: Bytes) =>
  ({ name: "AES-GCM", iv, additionalData, tagLength: 8 * TAG_BYTES }) as const;
