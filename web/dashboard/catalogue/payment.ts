const UNDECIDED =
  "If nobody decides by then, anyone can send it back to the buyer. Until it is decided, you can refund it and the buyer can release it.";

/** Texts of the page of one payment, its refund apart. */
export const payment = {
  title: (reference: string) => `Payment of ${reference}`,
  up: "Payments",
  receipt: "Receipt",
  copyLink: "Copy receipt link",
  paidOn: (reference: string) => `${reference}, paid on {time}.`,
  duplicate: "Duplicate",
  late: "Late",

  /** The sentence below the amount, by the stage of the payment. */
  stages: {
    protected: (rest: string) => `${rest} is yours in {wait}, if the buyer does not dispute it.`,
    settleable: (rest: string) =>
      `The dispute deadline has passed. ${rest} is yours; the service sends it, and so can anyone else.`,
    disputed: (rest: string) => `The buyer disputed it on {time}. ${rest} is frozen until the dispute ends.`,
    lapsed: (rest: string) => `The arbiter did not decide in time. Anyone can now send ${rest} back to the buyer.`,
    decided: "The parts that have not left yet are sent by the service; anyone else can send them too.",
    released: (amount: string) => `${amount} went to you on {time}.`,
    releasedInPart: (amount: string, refunded: string) =>
      `${amount} went to you on {time}, and ${refunded} went back to the buyer.`,
    refunded: (amount: string) => `${amount} went back to the buyer, the last part on {time}.`,
  },
  outcomes: {
    released_by_sender: "The buyer released it.",
    settled: "It was not disputed in time.",
    resolved: "The arbiter decided.",
    refunded_by_recipient: "You refunded it.",
    refunded_unresolved: "The arbiter did not decide in time.",
  },
  /** The sentences name who ends the dispute, and by when. */
  frozen: {
    chain: (rest: string) => `The arbiter {arbiter} has until {resolveBy} to decide who gets ${rest}. ${UNDECIDED}`,
    talking: (rest: string) =>
      `If you and the buyer do not agree by {at}, the arbiter {arbiter} can decide until {resolveBy} who gets ${rest}. ${UNDECIDED}`,
    deciding: (rest: string) =>
      `The arbiter {arbiter} is to decide by {at} who gets ${rest}. The chain lets the arbiter decide until {resolveBy}. ${UNDECIDED}`,
    agreed: (rest: string) =>
      `You and the buyer agreed that the buyer gets {total} in all, and can carry that out until {at}. If that fails, the arbiter {arbiter} decides who gets ${rest}.`,
    agreedLast: (rest: string) =>
      `You and the buyer agreed that the buyer gets {total} in all, and can carry that out until {at}. If that fails, anyone can send ${rest} back to the buyer.`,
  },
  /** By the side that acts next: by an agreement, or because the arbiter asked it. */
  turns: {
    agreed: { merchant: "Your refund is next.", buyer: "The buyer's release is next." },
    asked: {
      merchant: "The arbiter asked you a question: answer by {until}.",
      buyer: "The arbiter asked the buyer a question: the answer can come until {until}.",
    },
  },
  /** By the side whose part cannot leave. */
  held: {
    recipient: {
      memo_required:
        "It cannot be paid out: the recipient's token account asks for a memo with each transfer. Turn that off in the recipient's wallet (spl-token disable-required-transfer-memos); then the service sends it, and so can anyone else.",
      account_frozen:
        "It cannot be paid out: the token's issuer has frozen the recipient's token account. Ask the issuer; the service sends it once that is lifted.",
      account_missing:
        "It cannot be paid out: the recipient's wallet has no account for this token. Open one in that wallet; then the service sends it, and so can anyone else.",
      other: "It cannot be paid out: the network refuses the transfer to the recipient. The operator's log says why.",
    },
    sender: {
      memo_required:
        "The buyer's part cannot leave: their token account asks for a memo with each transfer. Their receipt tells them to turn that off.",
      account_frozen:
        "The buyer's part cannot leave: the token's issuer has frozen their token account. Their receipt says so.",
      account_missing:
        "The buyer's part cannot leave: their wallet has no account for this token any more. Their receipt says how to open one.",
      other: "The buyer's part cannot leave: the network refuses the transfer. The operator's log says why.",
    },
  },
  duplicateOf: "The intent was already paid by {payment}. Refund this payment, or accept it as a second order.",
  overLimit:
    "It was paid by a payment link whose seats were all taken. Refund it, or accept it beyond the limit. The buyer's receipt says so.",
  lateReasons: {
    paid_after_expiry: "It was paid after the intent had expired. Refund it, or accept it late.",
    found_after_expiry: "It was paid in time, but found after the intent had expired. Refund it, or accept it late.",
    paid_after_cancel: "It was paid after the intent had been canceled. Refund it, or accept it late.",
    found_after_cancel:
      "It was paid before the intent was canceled, but found afterwards. Refund it, or accept it late.",
  },
  allLeftTitle: "Pay the buyer back",
  allLeft: {
    whole:
      "All of it has left the escrow. To pay the buyer back, send to this address; such a transfer is outside these books.",
    part: "Your part has left the escrow. To pay more back, send to this address; such a transfer is outside these books.",
  },
  buyerAddress: "The buyer's address",

  where: {
    title: "Where the money is",
    who: "Who",
    due: "Due in all",
    sent: "Sent",
    toCome: "Still to come",
    when: "When",
    buyer: "The buyer",
    you: "You",
    recipient: "The recipient",
    undecided: "Not decided",
    returned: (amount: string) => `${amount} returned`,
    toBuyerOn: "to the buyer, the last part on {time}",
    toBuyer: "to the buyer",
    returning: (amount: string) => `${amount} on its way back`,
    bound: "decided; the buyer gets it",
    held: (amount: string) => `${amount} in escrow`,
    yoursFrom: "yours from {time}",
    theirsFrom: "the recipient's from {time}",
    yoursNow: "yours; the service sends it",
    theirsNow: "the recipient's; the service sends it",
    frozenUntil: "frozen until the dispute ends, by {time} at the latest",
    lapsed: "anyone can send it back to the buyer",
    released: (amount: string) => `${amount} released`,
    toYou: "to you",
    toYouOn: "to you, {time}",
    toRecipient: "to the recipient",
    toRecipientOn: "to the recipient, {time}",
    sentOn: "Sent on {time}",
    lastSentOn: "The last part on {time}",
    onItsWay: "On its way",
    fromOrReleased: "From {time}, or when the buyer releases it",
    now: "Now",
    ends: {
      chain: "By {time}, by the arbiter",
      talking: "From {time}, by the arbiter",
      deciding: "By {time}, by the arbiter",
      agreed: "By {time}, by you and the buyer",
      agreedLast: "By {time}, by you and the buyer",
    },
    nothing: "–",
  },

  timeline: {
    title: "Timeline",
    next: "Next",
    goesToYou: (amount: string) => `${amount} goes to you`,
    goesToRecipient: (amount: string) => `${amount} goes to the recipient`,
    goesBack: (amount: string) => `${amount} goes back to the buyer`,
    goesAsAgreed: (amount: string) => `${amount} goes as you and the buyer agreed`,
    arbiterDecides: (amount: string) => `The arbiter decides who gets ${amount}`,
    canGoBack: (amount: string) => `${amount} can go back to the buyer`,
    whens: {
      chain: "Until {time}",
      talking: "From {time}",
      deciding: "By {time}",
      agreed: "Until {time}",
      agreedLast: "Until {time}",
    },
    whys: {
      deadline: "By itself, if the buyer does not dispute it.",
      due: "The service sends it; so can anyone else.",
      lapsed: "The arbiter did not decide in time.",
      chain: "If the arbiter does not decide by then, anyone can send it back to the buyer.",
      talking:
        "You and the buyer can agree before that. If nobody decides by {resolveBy}, anyone can send it back to the buyer.",
      deciding: "If nobody decides by {resolveBy}, anyone can send it back to the buyer.",
      agreed: "If that fails, the arbiter decides.",
      agreedLast: "If that fails, anyone can send it back to the buyer.",
    },
    by: "By {sender}",
    inAll: (amount: string) => `${amount} has gone back in all.`,
  },

  events: {
    title: "Events and deliveries",
    notSent: "No endpoint",
    retryAt: "Retry at {time}",
    delivery: "Delivery",
    when: "When",
    viewAll: "View all events",
  },

  /** Of a payment that is bound to no intent. */
  unmatched: {
    title: "Payment that matches no order",
    badge: "Matches no order",
    note: {
      title: "Note",
      text: "Which order it belongs to, for your members. A note changes nothing: the order stays unpaid, and nothing is shipped.",
      label: "Note",
      dialogText: "Such as: belongs to order 1036, the buyer wrote on Monday.",
      add: "Add note",
      edit: "Edit note",
      remove: "Remove note",
      removed: "Note removed.",
      by: (name: string) => `By ${name}, {time}.`,
    },
    paidOn: "Paid on {time}. No intent is paid by it; its money is protected by the escrow all the same.",
    paid: "No intent is paid by it.",
    reasons: {
      terms_differ: "It names {intent}, but its terms differ. Refund it, or agree on it with the buyer.",
      unknown_payment_id:
        "Its number belongs to no intent of this business. Refund it if the wallet that is paid is yours.",
      closed: "It was closed before the service saw it, so only its end is known.",
    },
    othersWallet:
      "It names {intent}, but pays a wallet that is neither the intent's nor a saved recipient. You get nothing from it, so you have nothing to pay back.",
    differs: "What differs",
    names: { recipient: "Recipient", amount: "Amount", asset: "Asset", protectionPeriod: "Protection period" },
    term: "Term",
    order: "Order",
    paidTerm: "Payment",
    number: "Number",
  },

  details: {
    title: "Details",
    payment: "Payment",
    buyer: "Buyer",
    transaction: "Transaction",
  },
} as const;
