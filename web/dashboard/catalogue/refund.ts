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
      `After this the buyer has ${back} back and ${rest} stays frozen until the buyer releases it or the arbiter decides.`,
    partOfLapsed: (back: string, rest: string) =>
      `After this the buyer has ${back} back, and anyone can still send the other ${rest} to the buyer.`,
    partOfDecided: (back: string, rest: string) =>
      `After this the buyer has ${back} back and ${rest} is on its way to you.`,
    partOfUnmatched: (back: string, rest: string) =>
      `After this the buyer has ${back} back and ${rest} stays in escrow for the recipient.`,
  },
  final: (unit: string) =>
    `A refund cannot be taken back, and needs nothing from the buyer. Amounts here are in ${unit}, even if the price was set in another currency, such as EUR.`,

  signer: "Signed by the wallet that is paid, {recipient}.",
  connected: "Connected",
  wallet: "Wallet",
  local: "On this local chain, a command refunds as the demo recipient:",
  localCommand: (intent: string, total: string) => `npm run pay -- ${intent} --refund ${total}`,

  nothing: "Nothing was refunded",
  done: (back: string, hasLeft: boolean) =>
    hasLeft ? `Refunded. The buyer has ${back} back in all.` : `Refunded. The buyer gets ${back} back in all now.`,
} as const;
