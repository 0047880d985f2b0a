import { createPrivateKey, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalSigner } from "../../features/disputes/decision/staff.ts";
import type { LocalChain } from "./chain.ts";

/** The start of an Ed25519 key in the form of RFC 8410. */
const PKCS8_START = Buffer.from("302e020100300506032b657004220420", "hex");
const SEED_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Signs rulings with the arbiter's key of the local chain: play money, so that developers can try the whole story. */
export const localArbiter = ({ wallets, walletsDir }: Pick<LocalChain, "wallets" | "walletsDir">): LocalSigner => ({
  arbiter: wallets.arbiter!,
  sign: async (transaction) => {
    const secret = Buffer.from(JSON.parse(await readFile(join(walletsDir, "arbiter.json"), "utf8")) as number[]);
    const der = Buffer.concat([PKCS8_START, secret.subarray(0, SEED_BYTES)]);
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const wire = Buffer.from(transaction, "base64");
    // The service built it with one signer: one byte for their number, the signature, and the message that is signed.
    const message = wire.subarray(1 + SIGNATURE_BYTES);
    return Buffer.concat([wire.subarray(0, 1), sign(null, message, key), message]).toString("base64");
  },
});
