import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { findWallets } from "@holdfast/wallet/walletStandard.ts";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { StaffBusiness } from "../api/schema.ts";
import { useTenant } from "../shell/tenant.ts";

type FoundWallets = Parameters<Parameters<typeof findWallets>[1]>[0];
const NONE: FoundWallets = { here: [], elsewhere: [] };

interface Store {
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => FoundWallets;
}

/** The wallets of each network that was asked for. They register once, for as long as the page is open. */
const stores = new Map<string, Store>();

function storeOf(cluster: string): Store {
  const known = stores.get(cluster);
  if (known !== undefined) return known;
  let wallets = NONE;
  const listeners = new Set<() => void>();
  const store: Store = {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read: () => wallets,
  };
  stores.set(cluster, store);
  findWallets(cluster, (found) => {
    wallets = found;
    for (const listener of listeners) listener();
  });
  return store;
}

/** The wallets of this browser on a network, and those that are on another. */
export function useWallets(cluster: string): FoundWallets {
  const { subscribe, read } = storeOf(cluster);
  return useSyncExternalStore(subscribe, read);
}

/** The name of the environment's chain in wallets. */
export function useCluster(): string {
  const { business, environment } = useTenant();
  return walletCluster(business.clusters[environment]);
}

/** The name in wallets of a public cluster, or of a chain that is not public. */
export function walletCluster(cluster: StaffBusiness["clusters"]["test"]): string {
  if (cluster === null) return "solana:localnet";
  return cluster === "mainnet-beta" ? "solana:mainnet" : `solana:${cluster}`;
}

/** True if the wallet has let this page see the account before: it is asked without a question to its user. */
export function useIsConnected(wallet: Wallet | undefined, address: string): boolean {
  const [connected, setConnected] = useState<Wallet | null>(null);
  useEffect(() => {
    setConnected(null);
    if (wallet === undefined) return;
    let isCurrent = true;
    wallet.features["standard:connect"]!.connect({ silent: true }).then(
      ({ accounts }) => {
        if (isCurrent && accounts.some((account) => account.address === address)) setConnected(wallet);
      },
      // A wallet that does not know this page refuses. Its user is asked once the refund is.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [wallet, address]);
  return wallet !== undefined && connected === wallet;
}
