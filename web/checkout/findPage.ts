import { connectWallet } from "@holdfast/wallet/signing.ts";
import type { Wallet } from "@holdfast/wallet/wallet.ts";
import { findWallets } from "@holdfast/wallet/walletStandard.ts";
import { announce } from "./announce.ts";
import { localizeTimes } from "./clock.ts";
import type { LiveData } from "./data.ts";
import { element } from "./element.ts";
import { loadWallets } from "./ownWallets.ts";
import { endText, fill } from "./walletText.ts";

/** The data of the page that finds payments. */
export type FindData = Pick<LiveData, "cluster" | "demo" | "locale" | "timeFormat" | "texts"> & {
  readonly page: "find";
};

/**
 * Offers the wallets of this browser: the address that one gives is looked for like a pasted one. An address is the same on
 * all networks, so it does not matter which one a wallet is on.
 */
export function openFinder(data: FindData): void {
  const { texts } = data;
  const list = document.getElementById("wallets");
  if (list === null) return;
  localizeTimes(document, data);
  // The demo wallet has its play money since it paid.
  void loadWallets(data, async () => undefined);
  findWallets(data.cluster, ({ here, elsewhere }) =>
    list.replaceChildren(
      ...[...here, ...elsewhere].map((wallet) => {
        const button = element("button", { type: "button", textContent: fill(texts.listOf, { wallet: wallet.name }) });
        button.addEventListener("click", () => void connect(wallet, texts));
        return button;
      }),
    ),
  );
}

async function connect(wallet: Wallet, texts: FindData["texts"]): Promise<void> {
  say(fill(texts.connecting, { wallet: wallet.name }));
  const chain = wallet.chains.find((one) => one.startsWith("solana:"))!;
  const connected = await connectWallet(wallet, chain, null);
  if ("account" in connected) location.assign(`/pay?query=${encodeURIComponent(connected.account.address)}`);
  else say(endText(texts, connected.ending, wallet.name));
}

function say(text: string): void {
  const progress = document.getElementById("progress");
  if (progress !== null) progress.textContent = text;
  announce(text);
}
