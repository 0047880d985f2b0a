import { randomBytes } from "node:crypto";
import { link, readFile, unlink, writeFile } from "node:fs/promises";
import { type KeyRing, newKeyRing, readKeyRing, showKeyRing } from "./secret.ts";

/** The file in DATA_DIR with the key ring of a local run. */
export const WEBHOOK_KEYS_NAME = "webhook-keys.json";

export interface KeySettings {
  /** WEBHOOK_KEYS: the ring itself. */
  readonly keys: string | null;
  /** WEBHOOK_KEYS_FILE: the path of a file with the ring. */
  readonly keysFile: string | null;
  /** The path at which a local run creates a ring at its first start if neither is set. Null if one of them must be set. */
  readonly localFile: string | null;
}

/**
 * Loads the keys that encrypt webhook secrets. Throws an error with instructions if there are none: no secret is
 * stored unencrypted.
 */
export async function loadKeyRing({ keys, keysFile, localFile }: KeySettings): Promise<KeyRing> {
  if (keys !== null) return readKeyRing(keys);
  const path = keysFile ?? localFile;
  if (path === null)
    throw new Error("Webhook secrets need a key to be kept under: set WEBHOOK_KEYS or WEBHOOK_KEYS_FILE.");
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" && keysFile === null) return null;
    throw new Error(`The webhook keys of ${path} cannot be read (${error.code}).`);
  });
  return text === null ? makeLocalRing(path) : readKeyRing(text);
}

/** Links the file into place, so that of two processes that start together, one creates the ring and both use it. */
async function makeLocalRing(path: string): Promise<KeyRing> {
  const fresh = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(fresh, `${JSON.stringify(showKeyRing(newKeyRing()), null, 2)}\n`, { mode: 0o600 });
  await link(fresh, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await unlink(fresh);
  return readKeyRing(await readFile(path, "utf8"));
}
