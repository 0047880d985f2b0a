/** Texts of the pages of intents, payments and transactions. */
export const payments = {
  intent: "Payment intent",
  intentStatuses: {
    requires_payment: "Requires payment",
    paid: "Paid",
    expired: "Expired",
    canceled: "Canceled",
  },
  /** The intent stays paid, whatever happens to its payment. */
  paidAs: (state: string) => `Paid · ${state.toLowerCase()}`,
  reference: "Reference",
  description: "Description",
  returnUrl: "Return URL",
  price: "Price",
  quote: "Quote",
  quoteOf: (rate: string, source: string) => `${rate} (${source}).`,
  refundsIn: (unit: string) => `Refunds are in ${unit}, not in the price's currency.`,
  asset: "Asset",
  recipient: "Recipient",
  protection: "Protection period",
  paymentId: "paymentId",
  payment: "Payment",
  canceled: "Canceled",
  objectText: "As the API shows it now.",

  unboundTitle: "No payment with this address",
  unboundText: (environment: string) =>
    `{address} is not bound to an intent in ${environment}. If its terms differed, or a fork removed it, an event below says so.`,
  roles: { primary: "Primary", duplicate: "Duplicate: the intent was already paid" },
  unknownSignature: "Not known",
  deadline: "Dispute deadline",
  disputed: "Disputed",
  resolveBy: "Decision deadline",
  arbiter: "Arbiter",
  checked: "Last checked",

  states: {
    refunded: "Refunded",
    partlyRefunded: "Partly refunded",
    released: "Released",
    decided: "Decided",
    disputed: "In dispute",
    protectedInPart: "Protected, partly refunded",
    protected: "Protected",
  },
  outcomes: {
    released_by_sender: "The buyer released it.",
    settled: "It was not disputed in time.",
    resolved: "The arbiter decided.",
    refunded_by_recipient: "The recipient refunded it.",
    refunded_unresolved: "The arbiter did not decide in time.",
  },
  refundedText: (amount: string) => `${amount} went back to the buyer, the last part on {time}.`,
  releasedText: (amount: string) => `${amount} went to the recipient on {time}.`,
  releasedInPart: (amount: string, refunded: string) =>
    `${amount} went to the recipient on {time}, and ${refunded} went back to the buyer.`,
  decidedText: (amount: string, refund: string, rest: string) =>
    `Of ${amount}, ${refund} goes to the buyer and ${rest} to the recipient. The service sends what has not left yet; so can anyone else.`,
  disputedText: (rest: string) =>
    `The buyer disputed it on {disputedAt}. The arbiter {arbiter} has until {resolveBy} to decide who gets ${rest}. If nobody decides by then, anyone can send it back to the buyer. Until then, the recipient can refund it and the buyer can release it.`,
  settleableText: (rest: string) =>
    `The dispute deadline has passed, and ${rest} is due to the recipient. The service sends it; so can anyone else.`,
  protectedText: (rest: string) =>
    `The buyer can dispute it until {deadline}. If it is not disputed, ${rest} then goes to the recipient.`,

  timeline: {
    title: "Timeline",
    text: "Each line is an event.",
    viewAll: "View all events",
    empty: { title: "No events", text: "Events are removed after a time that the deployment sets." },
    onlyLatest: (count: string) => `Only the latest ${count} events are shown.`,
    news: (event: string) => `New: ${event}`,
  },
  requests: {
    title: "Requests",
    text: (days: number) => `The latest requests of the last ${days} days.`,
    viewAll: "View all requests",
    empty: { title: "No requests", text: "No recent request was about this object." },
  },
  deliveries: {
    title: "Deliveries",
    text: (count: string) => `The latest ${count} to each endpoint.`,
    empty: { title: "No deliveries", text: "No endpoint of this environment received an event about this object." },
  },

  transaction: "Transaction",
  unknownTitle: "No transaction found",
  unknownText: (environment: string) =>
    `No transaction with this signature paid an intent of this business in ${environment}. A transaction that was just sent may take a moment.`,
  chain: {
    landed: "The transaction is on chain and succeeded.",
    failed: "The transaction failed on chain. Nothing was paid.",
    not_confirmed: "The transaction is on its way and not confirmed yet.",
    not_found: "The chain does not know the transaction, at least not yet.",
    unavailable: "The chain cannot be read now. What the service knows is shown. Refresh the page shortly.",
  },
  resultFor: (reference: string) => `Result for ${reference}`,
  notBound: "Not bound",
  rules: "Rules",
  rule: "Rule",
  verdict: "Verdict",
  expected: "Expected",
  found: "Found",
  failedRule: (expected: string, found: string | null) => `Expected ${expected}, found ${found ?? "nothing"}`,
  otherIntent: "Should it have paid another intent?",
  check: "Check",

  ruleTexts: {
    found: "The chain knows the transaction",
    confirmed: "The transaction is confirmed",
    succeeded: "The transaction succeeded",
    payment_id: "The transaction made a payment with the intent's paymentId",
    recipient: "The recipient is the intent's",
    amount: "The amount is the intent's",
    asset: "The asset is the intent's",
    protection_period: "The protection period is the intent's",
  },
  verdicts: { pass: "Pass", fail: "Fail", unknown: "Unknown" },
  verifications: {
    bound: "The transaction pays this intent. The service binds it within moments; confirming binds it at once.",
    duplicate: "The intent is already paid. This is recorded as another payment of it. Usually it should be refunded.",
    already_recorded: "The transaction is recorded as a payment of this intent.",
    signature_unverified: "The transaction does not pay this intent.",
  },
  reasons: {
    not_found: "The chain does not know the transaction, at least not yet.",
    not_confirmed: "The transaction is not confirmed yet. Refresh the page in a few seconds.",
    failed: "The transaction failed on chain. Nothing was paid. The buyer may send another.",
    no_payment_for_intent: "The transaction made no payment for this intent.",
    mismatch: "A payment was made that does not match the intent's terms, so it is not bound.",
  },
  amountDiffers: (expected: string, found: string | null) =>
    `The amount is ${found ?? "missing"}; expected ${expected}.`,
  amountDiffersBy: (expected: string, found: string, by: string, isLess: boolean) =>
    `The amount is ${found}; expected ${expected}: ${by} ${isLess ? "less" : "more"}.`,
  ruleDiffers: (rule: string, expected: string, found: string | null) =>
    `${rule}: expected ${expected}, found ${found ?? "nothing"}.`,
} as const;
