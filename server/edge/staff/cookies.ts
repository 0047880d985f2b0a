import type { IncomingMessage } from "node:http";

/** A cookie of the dashboard. The dashboard's address decides its name and attributes. */
export interface StaffCookie {
  /** Returns the secret of the request; null if it has none, or more than one. */
  read(request: IncomingMessage): string | null;
  /** Returns the header that keeps the secret in the browser for `seconds`. */
  set(secret: string, seconds: number): string;
  /** The header that deletes it. */
  readonly clear: string;
}

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Makes a cookie. With https it is a `__Host-` cookie, which no other host and no plain http can set. Without https, on
 * this machine alone, browsers do not accept that prefix. The browser never sends it with a request that another site
 * caused, and no script can read it.
 */
function staffCookie(dashboardUrl: string, of: "session" | "browser"): StaffCookie {
  const isSecure = new URL(dashboardUrl).protocol === "https:";
  const name = `${isSecure ? "__Host-" : ""}holdfast_${of}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
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

/** The secret of a session (§13.1.7). */
export const sessionCookie = (dashboardUrl: string): StaffCookie => staffCookie(dashboardUrl, "session");

/** The secret of a browser in which a user has signed in before (§13.1.10). It does not sign in by itself. */
export const browserCookie = (dashboardUrl: string): StaffCookie => staffCookie(dashboardUrl, "browser");
