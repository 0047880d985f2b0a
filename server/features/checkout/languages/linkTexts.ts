/** Every text of the page of a payment link. Figures come from Intl. */
export const LINK_ENGLISH = {
  amount: "Amount",
  amountInvalid: (decimals: number) => `Enter an amount above 0, such as 25, with at most ${decimals} decimal places.`,
  continue: (amount: string) => `Pay ${amount}`,
  continueOpen: "Continue",
  next: "Nothing is paid yet. The next page shows what you pay, and asks your wallet.",
  left: (left: string, all: string) => `${left} of ${all} seats are left. One is yours once you have signed.`,
  held: "All seats are taken right now. Some are not paid yet: one may become free within minutes.",
  until: "Payable until {time}",
  protection: (period: string) =>
    `Your money waits in an escrow for ${period}, in which you can open a dispute. Then the shop is paid.`,

  states: {
    full: { title: "All seats are taken", text: "Do not pay any more. Ask the shop if there will be others." },
    expired: { title: "The time to pay is over", text: "Do not pay any more. Ask the shop for a new link." },
    closed: { title: "The shop has closed this link", text: "Please do not pay. Ask the shop for a new link." },
  },
  priced: (unit: string) =>
    `You pay in ${unit}. The next page shows how much that is by the rate of that moment, and until when it holds. Refunds are in ${unit}.`,
  unpriced:
    "The price cannot be converted into tokens right now, so you cannot pay yet. Nothing was taken from you. Please try again soon.",
  refused: "The shop cannot be paid by this link right now. Nothing was taken from you. Ask the shop.",
  tooManyToday:
    "Too many orders were started by this link from your network today. Nothing was taken from you. Come back tomorrow, or ask the shop.",
  notFoundText: "There is no payment link under this address. Check it, or ask the shop for a new one.",
} as const;
