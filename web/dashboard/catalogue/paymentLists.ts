import { objects } from "./objects.ts";

const paymentStatuses = {
  protected: "Protected",
  disputed: "Disputed",
  released: "Released",
  refunded: "Refunded",
} as const;
const intentStatuses = {
  requires_payment: "Awaiting payment",
  paid: "Paid",
  expired: "Expired",
  canceled: "Canceled",
} as const;
const amountFilters = {
  amount_min: { label: "Amount from", placeholder: "48.50" },
  amount_max: { label: "Amount to", placeholder: "48.50" },
} as const;
const timeFilters = { created_after: "Created after", created_before: "Created before" } as const;
const referencePrefix = { label: "Reference begins with", placeholder: "order-10" } as const;
const referencePart = { label: "Reference contains", placeholder: "1043" } as const;
const period = { label: "Protection period", choices: objects.periods } as const;

/** Texts of the lists of payments and payment intents. */
export const paymentLists = {
  search: "Order, amount, wallet, address, signature or ID",
  reference: "Reference",
  changed: "Changed",
  units: "units",

  payments: {
    title: "Payments",
    text: "What was paid to you, and where the money is now.",
    empty: { title: "No payments", text: "A payment appears here as soon as the chain shows it." },
    filters: {
      status: { label: "Status", choices: paymentStatuses },
      asset: "Token",
      reference_prefix: referencePrefix,
      reference_part: referencePart,
      ...amountFilters,
      protection_period: period,
      ...timeFilters,
      sender: { label: "Buyer's wallet", placeholder: "Address" },
      disputed: { label: "Dispute", choices: { true: "Was disputed", false: "Never disputed" } },
      late: { label: "Late", choices: { true: "Late", false: "Not late" } },
      over_limit: { label: "Limit of a payment link", choices: { true: "Over the limit", false: "Not over it" } },
      role: {
        label: "First or duplicate",
        choices: { primary: "First payment of its intent", duplicate: "Duplicate" },
      },
      intent: { label: "Intent", placeholder: "pi_test_…" },
    },
    views: {
      all: "All",
      ...paymentStatuses,
      late: "Late",
      duplicate: "Paid twice",
      overLimit: "Over the limit",
    },
    states: {
      ...paymentStatuses,
      partlyRefunded: "Partly refunded",
      decided: "Decided",
      protectedInPart: "Protected in part",
      duplicate: "Paid twice",
      late: "Paid late",
      overLimit: "Over the limit",
    },
    sender: "Paid by",
    created: "Paid on",
    left: "Period left",
    due: "Due now",
    ended: "Ended {time}",
    leaving: "Being sent",
    atMost: (wait: string) => `At most ${wait}`,
  },

  intents: {
    title: "Payment intents",
    text: "What you asked buyers to pay. An intent is paid once; its payment is on the list of payments.",
    empty: { title: "No payment intents", text: "An intent appears here as soon as you create it." },
    filters: {
      status: { label: "Status", choices: intentStatuses },
      asset: "Token",
      merchant_reference: { label: "Reference", placeholder: "order-1041" },
      reference_prefix: referencePrefix,
      reference_part: referencePart,
      ...amountFilters,
      protection_period: period,
      ...timeFilters,
    },
    views: { all: "All", ...intentStatuses },
    statuses: intentStatuses,
    receipt: "View receipt",
    checkout: { title: "Checkout page", text: "Send this address to the buyer. Anyone who has it can pay, once." },
    payments: {
      title: "Payments",
      viewAll: "View in the list",
      empty: { title: "No payments", text: "No payment of this intent was found on chain yet." },
    },
  },

  unmatched: {
    title: "Payments that match no order",
    text: "Money that paid none of your intents: its terms differ, or its number belongs to no intent. Refund it, or agree on it with the buyer.",
    all: "All payments",
    link: "Payments that match no order",
    differs: (terms: string) => `Differs: ${terms.toLowerCase()}`,
    noOrder: "No order has its number",
    empty: {
      title: "None in the escrow",
      text: "All money in the escrow pays one of your intents.",
    },
    states: { open: "In the escrow", ended: "Ended" },
    emptyEnded: {
      title: "None has ended",
      text: "Payments that matched no order and were released or refunded appear here.",
    },
    hasMore: "Only the first 50 are shown. Others appear as these are refunded or released.",
  },

  /** A wait in its two largest units. */
  waits: {
    days: (days: number, hours: number) => `${days} d ${hours} h`,
    hours: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
    minutes: (minutes: number) => `${minutes} min`,
  },
} as const;
