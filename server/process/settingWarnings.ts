import { isLoopback } from "../lib/loopback.ts";
import type { Config } from "./config.ts";

/** Shorter tokens can be guessed by trying. */
const TOKEN_CHARACTERS_MIN = 16;

type Warned = Pick<
  Config,
  "apiUrl" | "checkoutUrl" | "dashboardUrl" | "addressHeader" | "metricsToken" | "webhookDevHosts" | "webhookCaFile"
>;

/** Warnings about settings with which a process starts though something will not work; a sentence each, for the log. */
export function settingWarnings({
  apiUrl,
  checkoutUrl,
  dashboardUrl,
  addressHeader,
  metricsToken,
  webhookDevHosts,
  webhookCaFile,
}: Warned): string[] {
  const isHere = (url: string): boolean => isLoopback(new URL(url).hostname);
  const isPublic = [apiUrl, checkoutUrl].some((url) => !isHere(url));
  const forTests = [
    ...(webhookDevHosts.size > 0 ? ["WEBHOOK_DEV_HOSTS"] : []),
    ...(webhookCaFile === null ? [] : ["WEBHOOK_CA_FILE"]),
  ];
  return [
    ...(checkoutUrl.startsWith("https:") && addressHeader === null
      ? ["CLIENT_ADDRESS_HEADER is not set though a proxy serves the checkout: all buyers share the limits of one."]
      : []),
    ...(isPublic && isHere(dashboardUrl)
      ? [
          `DASHBOARD_URL is not set to a public address though other addresses are: nobody can sign in to the dashboard except at ${dashboardUrl} on this machine. Set it to the https address under which the proxy passes /dashboard.`,
        ]
      : []),
    ...(isPublic && new URL(dashboardUrl).hostname === new URL(checkoutUrl).hostname
      ? [
          "DASHBOARD_URL and CHECKOUT_URL have one host: a fault of a buyer's page could act in the dashboard. Give the dashboard a host of its own.",
        ]
      : []),
    ...(metricsToken !== null && metricsToken.length < TOKEN_CHARACTERS_MIN
      ? [`METRICS_TOKEN is shorter than ${TOKEN_CHARACTERS_MIN} characters: others can guess it.`]
      : []),
    ...(isPublic && forTests.length > 0
      ? [`${forTests.join(" and ")} for development and tests is set though an address is public: webhooks trust it.`]
      : []),
  ];
}
