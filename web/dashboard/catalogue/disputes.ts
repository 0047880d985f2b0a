import { DECISION_TEXTS, MERCHANT_TEXTS } from "@holdfast/ui/disputeTexts.ts";
import { plural } from "./plural.ts";

const turns = {
  merchant: "Your turn",
  buyer: "Buyer's turn",
  arbiter: "With the arbiter",
  nobody: "Nobody's turn",
} as const;

/** Texts of the list of disputes, the page of one, and deliveries. */
export const disputes = {
  title: "Disputes",
  text: "Payments that a buyer disputed, and what would settle them. The one that is due first is on top.",
  tabs: { ...turns, nobody: "Closed", all: "All" },
  turns,
  statuses: { agreed: "Agreed", decided: "Decided", paused: "Paused", closed: "Closed" },
  reasons: {
    not_received: "Did not arrive",
    not_as_described: "Not as described",
    paid_twice: "Paid twice",
    returned_or_canceled: "Returned or canceled",
    other: "Another reason",
    not_given: "No reason given",
  },
  columns: { turn: "Whose turn", order: "Order", reason: "Reason", offer: "Open offer", until: "Until" },
  rowOffers: {
    buyer: (amount: string) => `The buyer would take ${amount} in all`,
    merchant: (amount: string) => `You offer ${amount} back in all`,
  },
  empty: {
    merchant: { title: "Nothing waits for you", text: "A dispute that you are to answer appears here." },
    others: { title: "No disputes", text: "There are none of this kind." },
  },
  open: "Open the dispute",
  opensDispute: "The buyer disputed this payment.",

  disputeTitle: (reference: string) => `Dispute of ${reference}`,
  heading: (reference: string, amount: string) => `${reference} · ${amount}`,
  reasonIs: (reason: string | null) =>
    reason === null ? "The buyer has given no reason." : `The buyer’s reason: ${reason}.`,
  payment: "Payment",
  receipt: "Receipt",

  turn: { title: "Whose turn it is", left: "{wait} left" },
  /** As the merchant reads it. */
  side: MERCHANT_TEXTS,

  talk: {
    title: "What both sides said",
    faces: { buyer: "B", merchant: "Y", arbiter: "A" },
    sides: { buyer: "The buyer", merchant: "You", arbiter: "The arbiter" },
    asked: (amount: string) => `Asked for ${amount} back in all.`,
    olderOffers: "Only the newest ten offers are shown.",
  },
  offer: {
    to: (amount: string) => `${amount} to the buyer`,
    toYou: (amount: string) => `${amount} to you`,
    noText: "Offer",
    canAccept: "You can accept it",
    until: "Can be accepted until {time}.",
    accept: (amount: string) => `Accept: pay back ${amount}`,
    acceptTitle: "Accept the buyer's offer?",
    shares: (back: string, rest: string) => `The buyer gets ${back}, and you get ${rest}.`,
    acceptText:
      "This binds you, and you cannot take it back. Then you refund that amount, and the buyer releases the rest to you.",
    accepted: "Accepted. Both sides agree.",
    declined: "Offer declined.",
    withdrawn: "Offer withdrawn.",
    makeAnother: "Make another offer",
    dialogText: "The buyer can accept it until it ends. If the buyer accepts, it binds you.",
    replaces: "It replaces your open offer.",
    total: (unit: string) => `The buyer has in the end, in ${unit}`,
    totalHint: (most: string) => `At most ${most}.`,
    returnedHint: (least: string, most: string) => `From ${least}, which went back already, to ${most}.`,
    invalid: (least: string, most: string) =>
      `Enter an amount from ${least} to ${most}, in figures with a point, such as 16.00.`,
    ends: "It ends in",
    endings: { "1": "1 day", "3": "3 days", "7": "7 days", "14": "14 days" },
    submit: (amount: string) => `Offer ${amount} back`,
    submitEmpty: "Make offer",
    made: "Offer made.",
  },
  answer: {
    label: "Your answer",
    draft: "Draft",
    hint: "A draft is kept on this device; only you see it. Once sent, it cannot be changed.",
    send: "Send answer",
    sent: "Sent.",
    closed: "You cannot write now.",
    forbidden: "Your role reads disputes. Owners, admins and members with the role Disputes answer them.",
  },
  files: { sent: "Files sent.", unanswered: "The service could not be reached. Try again." },
  askTitle: "Ask for the arbiter?",
  agreement: {
    title: "What both agreed",
    failed: (amount: string) =>
      `Both sides agreed that the buyer has ${amount} in the end. The chain did not show it in time, so the agreement failed.`,
    signed: "What is signed",
    buyer: "The buyer's wallet signed on {time}",
    merchant: "You agreed on {time}",
    refundMissing: (amount: string) => `The refund of ${amount}, by the wallet that is paid`,
    refundDone: (amount: string) => `The refund of ${amount} in all is on chain`,
    releaseDone: (amount: string) => `The release of ${amount} to you is on chain`,
    releaseMissing: (amount: string) => `The release of ${amount} to you, by the buyer's wallet`,
    done: "Done",
    next: "Next",
    later: "Then",
    refund: (amount: string) => `Refund ${amount} as agreed`,
    noRefund: "An owner or admin opens this page to refund as agreed.",
  },
  decision: DECISION_TEXTS,
  decidedMore: (amount: string) => `More went back by your own refunds: the buyer has ${amount} in all.`,
  facts: {
    title: "Facts",
    text: "From the chain, the order and the deliveries that you recorded.",
    paid: "Paid",
    description: "Description",
    delivered: "Delivery, as you say",
    noDelivery: "Nothing recorded. Record it on the order's page.",
    sent: "sent {time}",
    arrived: "arrived {time}",
    buyer: "This buyer at your shop",
    earlier: (count: number, isMore: boolean) =>
      isMore
        ? `More than ${count} other payments`
        : plural(count, { one: "# other payment", other: "# other payments" }),
    disputed: (count: number) => (count === 0 ? "none disputed" : `${count} disputed`),
    requested: "Asked for",
    usual: "Usual outcome",
    statements: "Statements",
    counts: (yours: number, buyers: number) => `${yours} of yours, ${buyers} of the buyer`,
  },
  deliveries: {
    title: "Fulfillments",
    text: "Facts that you recorded about this order. Buyers and the arbiter see them as your word; nobody edits or deletes them.",
    record: "Record a delivery",
    recordText: "Fill in what you know. It cannot be changed once recorded.",
    carrier: "Carrier",
    number: "Tracking number",
    link: "Tracking link",
    linkHint: "An https address.",
    sentAt: "Sent on",
    deliveredAt: "Delivered on",
    recordedAt: "Recorded",
    recorded: "Recorded.",
    empty: { title: "Nothing recorded", text: "Carrier, tracking number and times of a delivery appear here." },
  },
} as const;
