import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { findWallets } from "@holdfast/wallet/walletStandard.ts";
import type { LiveData } from "./data.ts";
import { element } from "./element.ts";

type WalletData = Pick<LiveData, "demo" | "cluster" | "texts">;
type Fund = (account: string) => Promise<unknown>;

/** Loads the demo wallet, which only some pages have. `fund`: gives it play money; null: none. */
export async function loadWallets({ demo, cluster, texts }: WalletData, fund: Fund | null): Promise<void> {
  if (!demo || fund === null) return;
  const { registerDemoWallet } = await import("@holdfast/wallet/demoWallet.ts");
  registerDemoWallet({ name: texts.demo ?? "Demo wallet", cluster, fund });
}

/** The wallets of this browser on the page's network, and those on another. */
export interface Wallets {
  readonly here: readonly Wallet[];
  readonly elsewhere: readonly Wallet[];
  /** True: more may still announce themselves, so the page does not say that there is none. */
  readonly isSearching: boolean;
}

export const NO_WALLETS: Wallets = { here: [], elsewhere: [], isSearching: true };
/** The page waits this long for the announcement of a wallet before it says that there is none. */
const SEARCH_MS = 800;

/** Calls back with the wallets now and at each change. `loading`: the page's own wallets, which load separately. */
export function searchWallets(cluster: string, loading: Promise<unknown>, onChange: (wallets: Wallets) => void): void {
  let wallets = NO_WALLETS;
  const change = (changes: Partial<Wallets>) => {
    wallets = { ...wallets, ...changes };
    onChange(wallets);
  };
  findWallets(cluster, change);
  const searched = new Promise((resolve) => setTimeout(resolve, SEARCH_MS));
  void Promise.allSettled([searched, loading]).then(() => change({ isSearching: false }));
}

/** The button that asks a wallet, with its icon. */
export function walletButton({ name, icon }: Wallet, label: string): HTMLButtonElement {
  const button = element("button", { type: "button" });
  button.dataset.wallet = name;
  button.append(iconOf(icon), label);
  return button;
}

/** Only an image inside the wallet's own data is shown: the page loads none from elsewhere. */
export const iconOf = (icon: string): Node =>
  icon.startsWith("data:image/") ? element("img", { src: icon, alt: "", width: 20, height: 20 }) : new Text("");
