import { plural } from "./plural.ts";

const payments = (count: number) => plural(count, { one: "# payment", other: "# payments" });

export const home = {
  title: "Home",
  needs: (count: number, isMore: boolean) =>
    isMore
      ? `More than ${count} things need you now. The most urgent is on top.`
      : plural(count, {
          one: "One thing needs you now.",
          other: "# things need you now. The most urgent is on top.",
        }),
  nothing: "Nothing needs you.",
  nextRelease: (day: string) => `Nothing needs you. The next release is on ${day}.`,
  needsTitle: "Needs you now",
  emptyTitle: "No payments yet",
  emptyText: "Once a buyer pays an intent, this page shows what is in escrow and when it is released to you.",
  emptyAction: "Create an API key",

  matters: {
    books_differ: "The books and the chain differ",
    checkouts_held: "New checkouts are held",
    payouts_behind: "Payouts are behind",
    keeper_low: "The keeper's wallet is low",
    sponsor_low: "A sponsor's wallet is low",
    dispute: (reference: string) => `${reference} is in dispute`,
    question: (reference: string) => `The arbiter has a question about ${reference}`,
    reply: (reference: string) => `The buyer has answered the arbiter about ${reference}`,
    offer: (reference: string) => `You can accept the buyer's offer for ${reference}`,
    agreement: (reference: string) => `Refund ${reference} as agreed`,
    duplicate: (reference: string) => `${reference} was paid twice`,
    over_limit: (reference: string) => `${reference} is over the limit of its link`,
    unmatched: (amount: string) => `${amount} match no order`,
    endpoint_failing: "Your webhook fails",
    deployment_changed: "The arbiter or the program was changed",
  },
  matterTexts: {
    books_differ: (amount: string) => `${amount} in question. The page Books names what differs.`,
    checkouts_held: (changed: string) =>
      `${changed} Buyers cannot start a payment until the operator of this deployment has confirmed it. Earlier payments are not affected.`,
    payouts_behind: "The keeper has not sent what is due. Check its wallet and the log.",
    keeper_low: (address: string, sol: string) => `${address} holds ${sol} SOL. Once it is empty, nothing is paid out.`,
    sponsor_low: (address: string, sol: string) =>
      `${address} holds ${sol} SOL. Once it is empty, buyers without SOL cannot pay.`,
    dispute: (amount: string) =>
      `${amount}. You can write, make an offer, or send the money back by then. Unless both sides agree, the arbiter decides.`,
    question: (amount: string) =>
      `${amount}. You can answer by then. If you do not, the arbiter decides on what stands there.`,
    reply: (amount: string) =>
      `${amount}. You can reply by then. If you do not, the arbiter decides on what stands there.`,
    offer: (amount: string) =>
      `${amount}. You can accept it until then, or until the arbiter decides if that is sooner.`,
    agreement:
      "You and the buyer agreed, and your refund is the next step. If the chain does not show the agreement by then, it fails, and the arbiter decides.",
    duplicate: (amount: string) => `${amount} came again. Refund it if the buyer did not mean to pay twice.`,
    over_limit: (amount: string) => `${amount}. All seats were taken. Refund it if you cannot deliver.`,
    unmatched: {
      terms_differ: "Its terms differ from those of the order. Refund it, or it is released to its recipient.",
      unknown_payment_id: "No order has its payment ID. Refund it, or it is released to its recipient.",
    },
    endpoint_failing: (url: string, error: string) => `${url}: ${error}. Its events wait, in order.`,
    deployment_changed: "The operator has confirmed it. Earlier payments keep the arbiter they were made with.",
  },
  changed: {
    arbiter: "The arbiter of new payments was changed.",
    upgrade_authority: "The upgrade authority of the program was changed.",
    program: "The program was changed.",
  },
  notRead: "The program or its operator account cannot be read.",
  unknownError: "every attempt fails",
  open: "Open",
  openNamed: (title: string) => `Open: ${title}`,
  left: {
    days: (days: number, hours: number) => `${plural(days, { one: "# day", other: "# days" })} ${hours} h left`,
    hours: (hours: number, minutes: number) => `${hours} h ${minutes} min left`,
    minutes: (minutes: number) => `${minutes} min left`,
    none: "Due now",
  },
  since: "Since",

  money: "Money",
  inEscrow: "Waiting in escrow",
  token: "Token",
  moreTokens: "Tokens with fewer payments are not shown.",
  releases: "Released to you by day, if no one objects. Days are in UTC.",
  releasesChart: (amount: string) => `Releases of the next 30 days: ${amount}. The table has the same figures.`,
  releasesTable: "Releases of the next 30 days",
  onDay: (amount: string, day: string) => `${amount} on ${day}`,
  showReleases: "Show releases as a table",
  today: "Today",
  next7: "Next 7 days",
  next30: "Next 30 days",
  overdue: "Past its date",
  held: (count: number) => plural(count, { one: "In # dispute, no date yet", other: "In # disputes, no date yet" }),
  decided: "Decided, leaves next",
  returning: "On its way back to buyers",
  releasedThisWeek: "Released this week",
  refundedThisWeek: "Refunded this week",
  sinceMonday: (count: number) => `${payments(count)} since Monday`,
  inDispute: "In dispute",
  ofPayments: payments,
  leaving: "Leaves next",
  leavingText: "Decided or past its date",

  paidThisWeek: "Paid this week",
  volume: "Paid by week. Weeks begin on Monday, in UTC.",
  latestWeeks: "Latest 12 weeks",
  weeksBefore: "The 12 weeks before",
  volumeChart: (amount: string) => `Paid by week, this week ${amount}. The table has the same figures.`,
  inWeek: (amount: string, day: string) => `${amount} in the week of ${day}`,
  volumeTable: "Paid by week",
  showVolume: "Show weeks as a table",
  day: "Day",
  week: "Week of",
  payments: "Payments",
} as const;
