import type { IncomingMessage } from "node:http";

/** A cookie of the dashboard: its name and attributes by the dashboard's address. */
export interface StaffCookie {
  /** The secret that the request brings; null where it brings none, or more than one. */
  read(request: IncomingMessage): string | null;
  /** The header that keeps the secret in the browser for so long. */
  set(secret: string, seconds: number): string;
  /** The header that takes it out. */
  readonly clear: string;
}

/** 256 bits in base64url. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * By https a `__Host-` cookie, which no other host and no plain http can set. Without https, on this machine alone, browsers
 * take no such prefix. It never leaves with a request that another site caused, and no script can read it.
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

/** By which a browser is known in which somebody signed in before (§13.1.10). It signs nobody in. */
export const browserCookie = (dashboardUrl: string): StaffCookie => staffCookie(dashboardUrl, "browser");
