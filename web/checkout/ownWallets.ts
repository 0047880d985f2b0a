import type { LiveData } from "./data.ts";

type WalletData = Pick<LiveData, "demo" | "mobile" | "cluster" | "texts">;
type Fund = (account: string) => Promise<unknown>;

/** Loads wallets that only some pages have, each in a separate file. `fund`: gives the demo wallet play money; null: none. */
export async function loadWallets({ demo, mobile, cluster, texts }: WalletData, fund: Fund | null): Promise<void> {
  if (demo && fund !== null)
    await import("@holdfast/wallet/demoWallet.ts").then(({ registerDemoWallet }) =>
      registerDemoWallet({ name: texts.demo ?? "Demo wallet", cluster, fund }),
    );
  if (mobile !== null)
    await import("@holdfast/wallet/mobileWallet.ts").then(({ registerMobileWallet }) =>
      registerMobileWallet({ cluster, mobile, texts }),
    );
}
