/** Each event type in a sentence, and as a step of its payment. Without a step the sentence stands there. */
const eventTypes = {
  "payment_intent.created": { text: "The intent was created.", step: "Payment intent created" },
  "payment_intent.paid": { text: "The intent was paid.", step: "The intent is paid" },
  "payment_intent.paid_late": { text: "The intent was paid late.", step: "The intent is paid, late" },
  "payment_intent.duplicate_payment": {
    text: "Another payment of a paid intent was found.",
    step: "Another payment of a paid intent",
  },
  "payment_intent.payment_mismatch": {
    text: "A payment was found that does not match the intent's terms. It is not bound.",
    step: "A payment that does not match the intent",
  },
  "payment_intent.expired": { text: "The intent expired unpaid.", step: "The intent expired" },
  "payment_intent.canceled": { text: "The intent was canceled.", step: "The intent was canceled" },
  "payment.protected": { text: "The payment is protected. The buyer may dispute it.", step: "Paid and protected" },
  "payment.disputed": { text: "The buyer disputed the payment.", step: "The buyer opened a dispute" },
  "payment.released": {
    text: "The payment was paid out, with funds to the recipient.",
    step: "All of it has left the escrow",
  },
  "payment.refunded": {
    text: "The payment was paid out. All funds went back to the buyer.",
    step: "All of it went back to the buyer",
  },
  "payment.partially_refunded": {
    text: "A part of the payment went back to the buyer.",
    step: "A part went back to the buyer",
  },
  "payment.decided": {
    text: "The split of the payment is decided. A part has not been sent yet.",
    step: "The split is decided",
  },
  "payment.settleable": {
    text: "The deadline passed. The payment can be settled.",
    step: "The dispute deadline passed",
  },
  "payment.reverted": {
    text: "The chain dropped the payment before it was final.",
    step: "The chain dropped it before it was final",
  },
  "dispute.opened": {
    text: "A dispute was recorded. The merchant is to answer it.",
    step: "The dispute can be answered",
  },
  "dispute.updated": { text: "A dispute changed." },
  "dispute.decided": { text: "The arbiter ruled on a dispute.", step: "The arbiter ruled on the dispute" },
  "dispute.closed": { text: "A dispute was closed.", step: "The dispute is closed" },
  "webhook_endpoint.disabled": { text: "An endpoint was disabled after five deliveries in a row were abandoned." },
  "events.restored": { text: "The service was restored from a copy. The sequence has a gap." },
} as const;

/** Each change that a `dispute.updated` tells, in a sentence without its point. */
const disputeChanges = {
  landedAgain: "The chain shows the dispute again",
  reverted: "The chain dropped a step of the dispute before it was final",
  opening: "The buyer said what is wrong",
  decision: "The arbiter's decision was read",
  agreement: "Both sides agreed",
  failure: "The agreement failed",
  refund: "The next step of the agreement changed",
  deciding: "Talking ended, and the arbiter decides",
  statement: "A text was sent",
  file: "A file was sent",
  question: "The arbiter asked a question",
  questionEnd: "The time to answer the arbiter's question ended",
  offer: "An offer was made",
  offers: "An offer was made, declined or withdrawn, or it expired",
  asked: "A side asked for the arbiter",
  other: "The dispute changed",
} as const;

/** Texts about objects that pages of several folders show. */
export const objects = {
  eventTypes,
  disputeChanges,
  requests: {
    request: "Request",
  },
  deliveries: {
    changed: "Changed",
    response: "Last response",
    attempts: "Attempts",
    nextAttempt: "Next attempt",
  },
  deliveryStatuses: { pending: "Pending", succeeded: "Succeeded", abandoned: "Abandoned" },
  errorClasses: {
    redirect: "Redirect (3xx)",
    client_error: "Client error (4xx)",
    server_error: "Server error (5xx)",
    timeout: "Timeout",
    dns: "DNS lookup failed",
    address: "Address not allowed",
    connection: "Connection failed",
    tls: "TLS failed",
    protocol: "Not HTTP",
    other: "No response",
  },
  periods: {
    oneHour: "1 hour",
    oneDay: "1 day",
    threeDays: "3 days",
    sevenDays: "7 days",
    fourteenDays: "14 days",
    thirtyDays: "30 days",
  },
  gain: (now: string, total: string) => `${now} more (${total} in all)`,
  had: (total: string) => `nothing more (${total} in all)`,
  tokens: "tokens",
  units: "smallest units",
  unitsOf: (asset: string) => `smallest units of ${asset}`,
  explorer: "View on Solana Explorer",
  explainTransaction: "Explain this transaction",
} as const;
