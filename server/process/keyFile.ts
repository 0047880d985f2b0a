import { readFile } from "node:fs/promises";

/** Reads the 64 bytes of a Solana key file. Its errors name the file and never quote it, unlike those of JSON.parse. */
export async function readKeyFile(path: string, name: string): Promise<Uint8Array> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${name} ${path} cannot be read (${error.code}).`);
  });
  const bytes = parseKey(text);
  if (bytes === null) throw new Error(`${name} ${path} is not a JSON array of 64 bytes.`);
  return bytes;
}

function parseKey(text: string): Uint8Array | null {
  try {
    const bytes: unknown = JSON.parse(text);
    const isKey =
      Array.isArray(bytes) &&
      bytes.length === 64 &&
      bytes.every((one) => Number.isInteger(one) && one >= 0 && one < 256);
    return isKey ? Uint8Array.from(bytes) : null;
  } catch {
    return null;
  }
}
