import { type SecretCookie, secretCookie } from "../http/secretCookie.ts";

/**
 * Makes a cookie of the dashboard. With https it is a `__Host-` cookie, which no other host and no plain http can set.
 * Without https, on this machine alone, browsers do not accept that prefix.
 */
function staffCookie(dashboardUrl: string, of: "session" | "browser" | "company"): SecretCookie {
  const isSecure = new URL(dashboardUrl).protocol === "https:";
  return secretCookie(`${isSecure ? "__Host-" : ""}holdfast_${of}`, "/", isSecure);
}

/** The secret of a session (§13.1.7). */
export const sessionCookie = (dashboardUrl: string): SecretCookie => staffCookie(dashboardUrl, "session");

/** The secret of a browser in which a user has signed in before (§13.1.10). It does not sign in by itself. */
export const browserCookie = (dashboardUrl: string): SecretCookie => staffCookie(dashboardUrl, "browser");

/** The secret of a way to the company's provider and back (§13.24). */
export const companyCookie = (dashboardUrl: string): SecretCookie => staffCookie(dashboardUrl, "company");
