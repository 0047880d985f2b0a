import { plural } from "./plural.ts";

const payments = (count: number) => plural(count, { one: "# payment", other: "# payments" });

export const books = {
  title: "Books",
  text: "What came in, where it is now, and if the chain agrees. Days are in UTC.",
  checkAgain: "Check again",
  checking: "Checking",
  asked: "The check begins within seconds.",
  emptyTitle: "No payments yet",
  emptyText: "Once a buyer pays an intent, this page shows what came in and where it is.",

  period: "Period",
  fromStart: "From the start",
  otherDates: "Other dates",
  from: "First day",
  until: "Last day",
  show: "Apply",

  token: "Token",
  paid: "Paid",
  inEscrow: "In escrow",
  released: "Released",
  refunded: "Refunded",
  leaving: "On its way",
  vaults: "Vaults on chain",
  ofPayments: payments,
  priced: (sum: string, count: number) => `${sum} priced in ${payments(count)}`,
  toYou: (amount: string) => `${amount} to you`,
  toBuyers: (amount: string) => `${amount} to buyers`,
  ties: "Ties",
  tied: "Tied then",
  heldThen: (amount: string) => `${amount} by the books at {time}.`,
  differs: "Differs",
  notChecked: "Not checked yet",
  less: (amount: string) => `${amount} less than the books`,
  gifts: (amount: string) => `${amount} more, sent by others`,
  moreTokens: "Tokens with fewer payments are not shown.",

  /** Money that matched no order: it is in no sum above. */
  unmatched: (paid: string, released: string, refunded: string, count: number, isPart: boolean) =>
    `Matched no order, and in no sum above: ${isPart ? "at least " : ""}${paid} paid, ${released} released, ${refunded} refunded, ${payments(count)}.`,
  sum: "Paid = in escrow + released + refunded.",
  sumOfPeriod:
    "In escrow is what was there at the end of the period. A payment that went back in parts counts as refunded on the day of the latest part.",
  checked: "Last checked {time}.",
  neverChecked: "Not checked against the chain yet. The service does it every night.",
  slots: (count: number, symbol: string, from: string, to: string) =>
    plural(count, {
      one: `${symbol}: # vault, slot ${from}.`,
      other: from === to ? `${symbol}: # vaults, slot ${from}.` : `${symbol}: # vaults, slots ${from} to ${to}.`,
    }),
  costs: (spent: string, lent: string) =>
    `Network costs that this deployment paid for your buyers in this period: ${spent} SOL. Deposits that come back: ${lent} SOL.`,

  differences: "Differences",
  differencesText:
    "The books and the chain disagree here. Tell the operator of this deployment. The check is repeated every ten minutes until they agree.",
  giftsTitle: "Sent to vaults by others",
  giftsText: "Anyone can send tokens to a vault. It leaves with the payment, and changes nothing in the books.",
  moreFindings: "There are more than are shown here.",
  payment: "Payment",
  finding: "Finding",
  sumsOf: "Sums of the token",
  slot: "Slot",
  kinds: {
    vault_short: (amount: string) => `The vault holds ${amount} less than is still to leave.`,
    record_differs: (fields: string) => `The record on chain differs from the books in: ${fields}.`,
    record_missing: (amount: string) => `The chain has no record of it. ${amount} are still to leave by the books.`,
    sums_differ: (detail: string) => `The sums by day are not those of the payments: ${detail}.`,
    gift: (amount: string) => `The vault holds ${amount} more than is to leave.`,
  },
} as const;
