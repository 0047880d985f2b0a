// The events by which wallets and pages of the Wallet Standard find each other:
// https://github.com/wallet-standard/wallet-standard
import type { Wallet } from "./wallet.ts";

export interface AppApi {
  register(...wallets: Wallet[]): () => void;
}

/** The wallets of this browser that can sign for Solana: those that support the page's network, and the others. */
interface FoundWallets {
  readonly here: readonly Wallet[];
  readonly elsewhere: readonly Wallet[];
}

/** Calls back with all wallets that can pay, now and whenever one more registers. */
export function findWallets(cluster: string, onChange: (wallets: FoundWallets) => void): void {
  const found: Wallet[] = [];
  const isHere = ({ chains }: Wallet) => chains.includes(cluster);
  const api: AppApi = Object.freeze({
    register: (...wallets: Wallet[]) => {
      // Lists each name once: a wallet may register again, and the user could not tell two of one name apart.
      const isKnown = (wallet: Wallet) =>
        found.some((known) => known.name === wallet.name && isHere(known) === isHere(wallet));
      const fresh = wallets.filter((wallet) => canPay(wallet) && !isKnown(wallet));
      found.push(...fresh);
      const here = found.filter(isHere);
      const elsewhere = found.filter(({ name }) => !here.some((one) => one.name === name));
      if (fresh.length > 0) onChange({ here, elsewhere });
      return () => undefined;
    },
  });
  addEventListener("wallet-standard:register-wallet", (event) =>
    (event as CustomEvent<(api: AppApi) => void>).detail(api),
  );
  dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: api }));
}

const canPay = ({ chains, features }: Wallet): boolean =>
  chains.some((chain) => chain.startsWith("solana:")) &&
  features["standard:connect"] !== undefined &&
  (features["solana:signTransaction"] !== undefined || features["solana:signAndSendTransaction"] !== undefined);
