/**
 * The sentences of every use of a wallet, by its step or ending, for buyers and staff. `{nothing}` is the page's own, such as
 * "Nothing was paid".
 */
export const WALLET_TEXTS = {
  connecting: "Asking {wallet} for your account …",
  preparing: "Preparing the transaction …",
  sending: "Sending …",
  left: "{seconds} seconds left. If your wallet takes longer, you press once more.",
  sent: "Sent. This page shows it once the network has it.",
  unknown: "It is not certain whether it was sent. It may be on its way: this page says so once it no longer can be.",
  too_late: "Your wallet took too long for the network. {nothing} and nothing will be: press again.",
  failed: "The network refused it. {nothing}.",
  rejected: "You declined in the wallet. {nothing}.",
  no_account: "The wallet gave no Solana account. Unlock it, and allow this site to see it. {nothing}.",
  wrong_network: "{wallet} is on another network than this payment. Switch it, and press again. {nothing}.",
  other_wallet: "This needs the wallet {needed}. {wallet} gave {given}: switch its account, and press again.",
  wallet_failed: "The wallet could not finish ({reason}). {nothing}.",
  unexpected_bytes: "Stopped: what the wallet was to sign is not what this page shows ({reason}). {nothing}.",
  no_answer: "The network cannot be reached right now. {nothing}; try again in a moment.",
} as const;
