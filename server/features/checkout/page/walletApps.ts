import { randomInt } from "node:crypto";
import { ICON_PATH } from "../paying/transactionRequest.ts";
import { type CheckoutView, stateOf } from "./checkout.ts";

/**
 * Where a wallet's app may answer a page on the same phone, by the Mobile Wallet Adapter. The page may connect there and nowhere
 * else on the phone, so the server chooses: other ports for each page, of those that the protocol leaves to chance.
 */
export interface WalletApps {
  readonly ports: readonly number[];
  /** What an app shows of who asks; it adds the site's address by itself. */
  readonly identity: { readonly name: string; readonly icon: string };
}

/** A port for each try of a page, in turn. */
const PORTS = 4;
/**
 * The upper part of the protocol's range, which begins at 49,152. Linux, Android's too, gives outgoing connections the ports up
 * to 60,999 or 61,000, and no app can listen on a port that one of them holds.
 */
const [PORT_MIN, PORT_MAX] = [61_001, 65_535];
/** Of the first page to the last state: nothing is paid by a page that shows another. */
const PAYABLE: ReadonlySet<string> = new Set(["waiting", "held", "in_flight"]);

/** Null: the browser is none in which an app can be asked, or the page has nothing to pay. */
export function draftWalletApps(view: CheckoutView, userAgent: string | undefined): WalletApps | null {
  if (!canOpenApps(userAgent ?? "") || !PAYABLE.has(stateOf(view))) return null;
  const ports = new Set<number>();
  while (ports.size < PORTS) ports.add(randomInt(PORT_MIN, PORT_MAX + 1));
  return { ports: [...ports], identity: { name: view.business.name, icon: ICON_PATH.slice(1) } };
}

/** Chromium on Android, as far as it says so itself: not the view that an app shows pages in, which may open no other app. */
export const canOpenApps = (userAgent: string): boolean =>
  /Android/.test(userAgent) &&
  /Chrome\/\d/.test(userAgent) &&
  !/; wv\)|Version\/[\d.]+ Chrome|Phantom|Solflare|Backpack/i.test(userAgent);

/**
 * What the page's policy lets it connect to: the apps' ports, at their one path. The browser's question whether it may is brought
 * about by a plain request to the same place.
 */
export const addressesOf = ({ ports }: WalletApps): string[] =>
  ports.flatMap((port) => ["ws", "http"].map((scheme) => `${scheme}://localhost:${port}/solana-wallet`));
