import { rename, writeFile } from "node:fs/promises";

/** Writes a file that only its owner may read, whole or not at all. */
export async function writePrivate(path: string, value: unknown): Promise<void> {
  const fresh = `${path}.new`;
  await writeFile(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await rename(fresh, path);
}
