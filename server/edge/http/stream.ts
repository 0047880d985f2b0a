import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** A reader that takes nothing for this long has gone. */
const STALLED_MS = 60_000;

/**
 * Writes the rest of an answer as fast as its reader takes it, and ends it. An error, or a reader that takes nothing, resets
 * the connection: neither a client nor a proxy takes a part for the whole.
 */
export async function writeRest(raw: ServerResponse, rest: AsyncIterable<string | Uint8Array>): Promise<void> {
  const gone = new AbortController();
  raw.once("close", () => gone.abort());
  try {
    for await (const part of rest) {
      if (raw.destroyed) return;
      if (part === "" || raw.write(part)) continue;
      const stalled = setTimeout(() => gone.abort(), STALLED_MS);
      await once(raw, "drain", { signal: gone.signal }).finally(() => clearTimeout(stalled));
    }
    raw.end();
  } catch (error) {
    // A reader that hung up, or stalled, is no failure of the service.
    const isReader = error instanceof Error && error.name === "AbortError";
    raw.socket?.resetAndDestroy();
    if (!isReader) throw error;
  }
}
