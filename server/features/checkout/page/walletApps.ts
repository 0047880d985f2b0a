import { randomInt } from "node:crypto";
import { ICON_PATH } from "../paying/transactionRequest.ts";
import { type CheckoutView, stateOf } from "./checkout.ts";

/**
 * The addresses at which a wallet app may answer a page on the same phone, by the Mobile Wallet Adapter. The page may
 * connect only there, so the server chooses: random ports for each page, as the protocol wants.
 */
export interface WalletApps {
  readonly ports: readonly number[];
  /** The identity that an app shows to its user. It adds the site's address itself. */
  readonly identity: { readonly name: string; readonly icon: string };
}

/** Each try of a page uses a port of its own. */
const PORTS = 4;
/**
 * The upper part of the protocol's range, which begins at 49,152. Linux, and so Android, uses ports up to 60,999 or
 * 61,000 for outgoing connections, and an app cannot listen on a port in use.
 */
const [PORT_MIN, PORT_MAX] = [61_001, 65_535];
/** The states in which a page can pay. */
const PAYABLE: ReadonlySet<string> = new Set(["waiting", "held", "in_flight"]);

/** Returns null if the browser cannot ask an app, or the page has nothing to pay. */
export const draftWalletApps = (view: CheckoutView, userAgent: string | undefined): WalletApps | null =>
  PAYABLE.has(stateOf(view)) ? walletAppsOf(view.business.name, userAgent) : null;

/** Returns null if the browser cannot ask an app. `name` is what the app calls the site. */
export function walletAppsOf(name: string, userAgent: string | undefined): WalletApps | null {
  if (!canOpenApps(userAgent ?? "")) return null;
  const ports = new Set<number>();
  while (ports.size < PORTS) ports.add(randomInt(PORT_MIN, PORT_MAX + 1));
  return { ports: [...ports], identity: { name, icon: ICON_PATH.slice(1) } };
}

/** Chromium on Android, by its user agent. A view inside another app does not count: it may be unable to open apps. */
export const canOpenApps = (userAgent: string): boolean =>
  /Android/.test(userAgent) &&
  /Chrome\/\d/.test(userAgent) &&
  !/; wv\)|Version\/[\d.]+ Chrome|Phantom|Solflare|Backpack/i.test(userAgent);

/**
 * Addresses to which the page's policy lets it connect: the apps' ports, at their one path. A plain request to the
 * same place makes the browser ask for its permission, so http is allowed too.
 */
export const addressesOf = ({ ports }: WalletApps): string[] =>
  ports.flatMap((port) => ["ws", "http"].map((scheme) => `${scheme}://localhost:${port}/solana-wallet`));
