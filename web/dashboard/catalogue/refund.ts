/** Texts of the refund of a payment. */
export const refund = {
  button: "Refund",
  title: "Refund",
  amountOf: "Amount to refund",
  all: "All that is in escrow",
  part: "A part",
  partAmount: (unit: string) => `Part to refund, in ${unit}`,
  invalid: (most: string) => `Enter an amount up to ${most}, in figures with a point, such as 16.00.`,
  nothingLeft: "Nothing is left that could be refunded.",
  submit: (amount: string) => `Refund ${amount}`,

  /** The outcome, which the page says before the signature. */
  result: {
    all: (back: string) => `After this the buyer has all ${back} back and nothing stays in escrow.`,
    part: (back: string, rest: string) => `After this the buyer has ${back} back and ${rest} stays in escrow for you.`,
    partOfDisputed: (back: string, rest: string) =>
      `After this the buyer has ${back} back and ${rest} stays frozen until the dispute is decided.`,
    partOfLapsed: (back: string, rest: string) =>
      `After this the buyer has ${back} back, and anyone can still send the other ${rest} to the buyer.`,
    partOfDecided: (back: string, rest: string) =>
      `After this the buyer has ${back} back and ${rest} is on its way to you.`,
    partOfUnmatched: (back: string, rest: string) =>
      `After this the buyer has ${back} back and ${rest} stays in escrow for the recipient.`,
  },
  final:
    "A refund cannot be taken back, and needs nothing from the buyer. It is in the token, also for a price in a currency.",

  signer: "Signed by the wallet that is paid, {recipient}.",
  connected: "Connected",
  wallet: "Wallet",
  noWallet:
    "No wallet was found in this browser. Open this page where the wallet is installed, or use a multisignature wallet below.",
  local: "On this local chain, a command refunds as the demo recipient:",
  localCommand: (intent: string, total: string) => `npm run pay -- ${intent} --refund ${total}`,
  elsewhere: (wallet: string) => `${wallet} is on another network. Switch its network and load this page again.`,
  otherWallet: (wallet: string) =>
    `${wallet} gave this page the account {account}. Only {recipient} can refund this payment. Choose it in the wallet, then try again.`,
  noAccount: (wallet: string) =>
    `${wallet} gave this page no account. Choose {recipient} in the wallet, then try again.`,

  steps: {
    connecting: (wallet: string) => `Connecting ${wallet}`,
    preparing: "Preparing the transaction",
    confirming: (wallet: string, cost: string) => `Confirm in ${wallet}. It costs the wallet ${cost} SOL.`,
    confirmingWithAccount: (wallet: string, cost: string, account: string) =>
      `Confirm in ${wallet}. It costs the wallet ${cost} SOL, of which ${account} SOL is for a token account of the buyer.`,
    sending: "Sending",
    sent: "Sent. This page shows the refund once the chain has it, usually within seconds.",
  },
  done: (back: string) => `Refunded. The buyer has ${back} back in all, or gets it now.`,
  rejected: "You declined in the wallet. Nothing was refunded.",
  walletFailed: (reason: string) => `The wallet could not finish, and nothing was refunded: ${reason}`,
  unexpected: (reason: string) =>
    `The transaction is not the refund that this page shows (${reason}). The wallet was not asked. Report this to the operator of the deployment.`,
  otherCost: "its cost is not that of the token account that it makes",
  left: (seconds: number) => `${seconds} seconds left. If the wallet takes longer, you press once more.`,
  tooLate: "The wallet took too long for the chain. Nothing was refunded and nothing will be; press again.",
  failed: "The chain refused it. Nothing was refunded.",
  unknown:
    "It is not certain whether the refund was sent. It may be on its way: this page says so once it no longer can be.",

  multisig: {
    title: "Multisignature wallet",
    text: "Prepares the transaction for a multisignature wallet. Its members sign it there; this page shows the refund once the chain has it.",
    prepare: "Prepare unsigned transaction",
    transaction: "Unsigned transaction, base64",
    transactionText: "It must be sent within half a minute. Slower wallets make their own from the instructions.",
    instructions: "Instructions",
  },
} as const;
