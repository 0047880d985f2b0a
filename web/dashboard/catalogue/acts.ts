import { WALLET_TEXTS } from "@holdfast/ui/walletTexts.ts";

/** Texts of every act on chain by a wallet of the browser. */
export const acts = {
  wallet: {
    ...WALLET_TEXTS,
    unexpected_bytes: `${WALLET_TEXTS.unexpected_bytes} Report this to the operator of the deployment.`,
  },
  confirming: (wallet: string, cost: string) => `Confirm in ${wallet}. It costs the wallet ${cost} SOL.`,
  account: (cost: string) => `Of these, ${cost} SOL is for a token account of the buyer.`,
  noWallet:
    "No wallet was found in this browser. Open this page where the wallet is installed, or use a multisignature wallet below.",
  elsewhere: (wallet: string) => `${wallet} is on another network. Switch its network and load this page again.`,
  multisig: {
    title: "Multisignature wallet",
    text: "Its members sign there, and may take their time; this page shows the result once the chain has it.",
    prepare: "Prepare instructions",
    instructions: "Instructions",
  },
} as const;
