import type { Config } from "./config.ts";
import { isLoopback } from "./loopback.ts";

/** Warnings about settings with which a process starts though something will not work; a sentence each, for the log. */
export function settingWarnings({
  apiUrl,
  checkoutUrl,
  dashboardUrl,
  addressHeader,
}: Pick<Config, "apiUrl" | "checkoutUrl" | "dashboardUrl" | "addressHeader">): string[] {
  const isPublic = [apiUrl, checkoutUrl].some((url) => !isLoopback(url));
  return [
    ...(checkoutUrl.startsWith("https:") && addressHeader === null
      ? ["CLIENT_ADDRESS_HEADER is not set though a proxy serves the checkout: all buyers share the limits of one."]
      : []),
    ...(isPublic && isLoopback(dashboardUrl)
      ? [
          `DASHBOARD_URL is not set to a public address though other addresses are: nobody can sign in to the dashboard except at ${dashboardUrl} on this machine. Set it to the https address under which the proxy passes /dashboard.`,
        ]
      : []),
  ];
}
