// How wallets and pages of the Wallet Standard find each other: https://github.com/wallet-standard/wallet-standard
import type { Wallet } from "./wallet.ts";

interface AppApi {
  register(...wallets: Wallet[]): () => void;
}

/** Calls with all wallets that can pay on the cluster, now and whenever one more registers. */
export function findWallets(cluster: string, onChange: (wallets: readonly Wallet[]) => void): void {
  const found: Wallet[] = [];
  const api: AppApi = Object.freeze({
    register: (...wallets: Wallet[]) => {
      // One name once: a wallet may register again, and a page with two of one name could not be chosen from.
      const fresh = wallets.filter(
        (wallet) => canPay(wallet, cluster) && !found.some(({ name }) => name === wallet.name),
      );
      found.push(...fresh);
      if (fresh.length > 0) onChange(found);
      return () => undefined;
    },
  });
  addEventListener("wallet-standard:register-wallet", (event) =>
    (event as CustomEvent<(api: AppApi) => void>).detail(api),
  );
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: api }));
}

const canPay = ({ chains, features }: Wallet, cluster: string): boolean =>
  chains.includes(cluster) &&
  features["standard:connect"] !== undefined &&
  (features["solana:signTransaction"] !== undefined || features["solana:signAndSendTransaction"] !== undefined);

/** For wallets of our own: announces a wallet to all scripts of this page. */
export function registerWallet(wallet: Wallet): void {
  const callback = ({ register }: AppApi) => register(wallet);
  dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: callback }));
  addEventListener("wallet-standard:app-ready", (event) => callback((event as CustomEvent<AppApi>).detail));
}
