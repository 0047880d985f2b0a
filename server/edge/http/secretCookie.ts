import type { IncomingMessage } from "node:http";

/** A cookie that holds a secret of a browser. */
export interface SecretCookie {
  /** Returns the secret of the request; null if it has none, or more than one. */
  read(request: Pick<IncomingMessage, "headers">): string | null;
  /** Returns the header that keeps the secret in the browser for `seconds`. */
  set(secret: string, seconds: number): string;
  /** The header that deletes it. */
  readonly clear: string;
}

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Makes a cookie for the paths below `path`. The browser never sends it with a request that another site caused, and no
 * script can read it. `isSecure`: only https sends it.
 */
export function secretCookie(name: string, path: string, isSecure: boolean): SecretCookie {
  const attributes = `Path=${path}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read: ({ headers }) => {
      const values = (headers.cookie ?? "")
        .split(";")
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${name}=`))
        .map((pair) => pair.slice(name.length + 1));
      return values.length === 1 && SECRET.test(values[0]!) ? values[0]! : null;
    },
    set: (secret, seconds) => `${name}=${secret}; ${attributes}; Max-Age=${seconds}`,
    clear: `${name}=; ${attributes}; Max-Age=0`,
  };
}
