/** Of this browser, or of one tab of it. */
type Place = "localStorage" | "sessionStorage";

/** Keeps a text; null deletes it. Returns false if a browser blocks its storage, or has none left: then nothing is kept. */
export function keep(place: Place, key: string, text: string | null): boolean {
  try {
    if (text === null) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
    return true;
  } catch {
    return false; // the page works without it
  }
}

/** Returns null if nothing is kept. */
export function kept(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    return null; // storage is blocked: nothing can have been kept
  }
}

/** Reads JSON that another version of the page may have written, or an extension changed; null for anything else. */
export function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null; // no JSON: the same as nothing
  }
}
