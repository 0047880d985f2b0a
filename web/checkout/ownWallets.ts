import type { LiveData } from "./data.ts";

type WalletData = Pick<LiveData, "demo" | "cluster" | "texts">;
type Fund = (account: string) => Promise<unknown>;

/** Loads the demo wallet, which only some pages have. `fund`: gives it play money; null: none. */
export async function loadWallets({ demo, cluster, texts }: WalletData, fund: Fund | null): Promise<void> {
  if (!demo || fund === null) return;
  const { registerDemoWallet } = await import("@holdfast/wallet/demoWallet.ts");
  registerDemoWallet({ name: texts.demo ?? "Demo wallet", cluster, fund });
}
