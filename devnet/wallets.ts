import { createPrivateKey, type KeyObject, randomBytes, sign } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Address,
  address,
  type SignatureBytes,
  type TransactionPartialSigner,
  type TransactionWithinSizeLimit,
} from "@solana/kit";
import { toBase58 } from "./ledger/base58.ts";

/** A key pair that signs by node:crypto, ten times faster than WebCrypto does one at a time. */
export interface LocalWallet {
  readonly address: Address;
  /** The 64 bytes of a solana-keygen file: seed, then public key. */
  readonly secret: Uint8Array;
  sign(bytes: Uint8Array): SignatureBytes;
  /** For kit's signing functions. */
  readonly signer: TransactionPartialSigner;
}

// The fixed heads of the DER forms of an Ed25519 private key.
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

function publicKeyOf(key: KeyObject): Uint8Array {
  const { x } = key.export({ format: "jwk" });
  return Buffer.from(x as string, "base64url");
}

/** The wallet of a 32-byte seed. */
function walletFromSeed(seed: Uint8Array): LocalWallet {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const publicKey = publicKeyOf(key);
  const own = address(toBase58(publicKey));
  const signBytes = (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, key)) as SignatureBytes;
  return {
    address: own,
    secret: Buffer.concat([seed, publicKey]),
    sign: signBytes,
    signer: {
      address: own,
      signTransactions: async (transactions: readonly (object & { messageBytes: object })[]) =>
        transactions.map(({ messageBytes }) => ({ [own]: signBytes(messageBytes as Uint8Array) })),
    } as TransactionPartialSigner & { readonly __size?: TransactionWithinSizeLimit },
  };
}

export const newWallet = (): LocalWallet => walletFromSeed(randomBytes(32));

/** Reads a solana-keygen file: a JSON array of 64 bytes. */
export function readWallet(path: string): LocalWallet {
  const bytes: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!Array.isArray(bytes) || bytes.length !== 64) throw new Error(`${path} is not a solana-keygen key file`);
  const wallet = walletFromSeed(Uint8Array.from(bytes as number[]).subarray(0, 32));
  if (Buffer.compare(wallet.secret, Uint8Array.from(bytes as number[])) !== 0) {
    throw new Error(`${path}: the public half does not belong to the private half`);
  }
  return wallet;
}

/** The wallet kept under this name in the folder, made on first use (mode 0600). */
export function keptWallet(folder: string, name: string): LocalWallet {
  const path = join(folder, `${name}.json`);
  try {
    return readWallet(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const wallet = newWallet();
  writeFileSync(path, `${JSON.stringify([...wallet.secret])}\n`, { mode: 0o600, flag: "wx" });
  return wallet;
}
