import { BUYER_TEXTS, DECISION_TEXTS } from "@holdfast/ui/disputeTexts.ts";

/** Every text of the receipt and of the page that finds it, as of the checkout (`pageTexts.ts`). "You" is the buyer. */
export const RECEIPT_ENGLISH = {
  title: (amount: string, shop: string) => `Receipt: ${amount} to ${shop}`,
  toNobody: (amount: string) => `Receipt: ${amount}`,
  unknownShop: "This receipt names no shop",
  keyless: "Is this your payment?",
  unlock: "Show the order and how to reach the shop, with the wallet that paid",
  provenThen: "Verified domain when you paid",
  unprovenThen: "No verified domain when you paid",
  paidAt: "paid on {time}",
  panel: "State of the payment",
  theShop: "the shop",

  states: {
    protected: {
      title: "Paid and protected",
      text: (inEscrow: string) => `The shop is not paid yet. ${inEscrow} wait in the escrow.`,
    },
    settling: {
      title: "The time to open a dispute is over",
      text: () => "Nobody objected, so the money is about to go to the shop.",
    },
    disputed: {
      title: "In dispute: your money is frozen",
      text: (inEscrow: string) => `${inEscrow} stay in the escrow. Neither side can take them alone.`,
    },
    lapsed: {
      title: "Your money comes back to you",
      text: () => "The dispute was not decided within 90 days.",
    },
    decided: {
      title: "It is decided who gets the money",
      text: () => "The money is about to leave the escrow.",
    },
    settled: { title: "The shop was paid", text: () => "Nothing of this payment is left in the escrow." },
    partly_refunded: {
      title: "The money was split",
      text: () => "Nothing of this payment is left in the escrow.",
    },
    refunded: {
      title: "You have your money back",
      text: () => "All of it went back to the wallet that paid.",
    },
    vanished: {
      title: "This payment vanished",
      text: () =>
        "The network dropped its transaction before it was final. The money is where it was before, in the wallet that paid. If the payment arrives again, this page shows it.",
    },
  },
  toBuyerTitle: (amount: string) => `${amount} come back to you`,
  toShopTitle: "The money goes to the shop",
  partSentTitle: (amount: string) => `The shop sent ${amount} back`,
  partSent: "They went to the wallet that paid. You can still open a dispute about the rest.",
  partDueTitle: (amount: string) => `The shop sends ${amount} back`,
  partDue: "They are about to leave the escrow. You can still open a dispute about the rest.",
  unmatchedTitle: "This payment matches no order",
  duplicateTitle: "This order was paid twice",
  lateTitle: "Paid late, and protected",

  /** Its kind in words, in every state. */
  facts: {
    primary: null,
    duplicate: "Another payment for the same order came first, so this one is too much.",
    unknown_payment_id:
      "This site knows no order with this payment’s number. The escrow protects the payment all the same.",
    terms_differ:
      "It names an order of this site, but not the order’s terms, such as the amount. It does not pay the order.",
    closed: "Its record on chain was closed before this site read it. Only its end is known.",
    vanished: null,
    overLimit: "It was paid after all seats were taken, so the shop may not deliver.",
  },
  late: {
    paid_after_expiry: "It came late: after the time to pay. The shop may not deliver.",
    paid_after_cancel: "It came late: after the shop had canceled. The shop may not deliver.",
    found_after_cancel:
      "You paid in time, but the network showed it only after the shop had canceled. The shop may not deliver.",
  },
  /** The advice while it is protected. */
  askBack:
    "Ask the shop to send it back. If it does not, open a dispute in time: then the money stays in the escrow until it is decided.",
  askLate: "Ask it before the time to open a dispute is over.",

  clocks: {
    protected: "The shop is paid in",
    disputed: "Ends at the latest in",
    agreed: "Time to carry it out",
  },
  began: { protected: "Paid {time}", disputed: "Dispute opened {time}", agreed: "Agreed {time}" },
  ends: "Until {time}",
  silence: {
    protected: "If you do nothing, the shop is paid then.",
    settling: "It usually leaves by itself within minutes. If it does not, anybody can send it.",
    disputed: "If nobody decides by then, what is in the escrow goes back to you.",
    agreed: "If the chain does not show it by then, the agreement fails, and the arbiter decides.",
    agreedLast: "If the chain does not show it by then, what is in the escrow goes back to you.",
    lapsed: "It usually leaves by itself within minutes. If it does not, anybody can send it.",
    decided: "It usually leaves by itself within minutes. If it does not, anybody can send it.",
  },
  nobodyWrites: "You get no email before then.",
  calendar: "Add this date to your calendar",
  calendarTitles: {
    protected: (what: string) => `Last moment to open a dispute: ${what}`,
    disputed: (what: string) => `If nobody has decided, what is in the escrow goes back to you now: ${what}`,
    agreed: (what: string) => `The time to carry out your agreement ends: ${what}`,
  },
  /** While a due part cannot leave. */
  heldSilence: "Until that is done, the money stays in the escrow.",
  heldStep: "Once it can leave.",
  held: {
    recipient: {
      memo_required:
        "It cannot leave now: the shop’s token account asks for a memo with each transfer. The shop has to turn that off; then it leaves by itself, or anybody sends it.",
      account_frozen:
        "It cannot leave now: the token’s issuer has frozen the shop’s token account. Only the issuer can lift that; then it leaves by itself.",
      account_missing:
        "It cannot leave now: the shop’s wallet has no account for this token. The shop, or anybody, can open one; then it leaves by itself, or anybody sends it.",
      other: "It cannot leave now: the network refuses the transfer to the shop. The operator of this site knows why.",
    },
    sender: {
      memo_required:
        "It cannot leave now: your wallet’s token account asks for a memo with each transfer. Turn that off in your wallet; then it leaves by itself, or send it here.",
      account_frozen:
        "It cannot leave now: the token’s issuer has frozen your wallet’s token account. Only the issuer can lift that; then it leaves by itself.",
      account_missing:
        "It cannot leave now: your wallet has no account for this token any more. Open one, by receiving any of this token; then it leaves by itself, or send it here.",
      other:
        "It cannot leave now: the network refuses the transfer to your wallet. Ask the shop to reach the operator of this site.",
    },
  },
  stillPossible: {
    settling:
      "You can no longer open a dispute. Until the money has left, the shop can still send it back: ask it now if something is wrong.",
    settled: "If something is wrong now, ask the shop. It can pay you back, but no longer by this escrow.",
    partly_refunded: "If something is wrong now, ask the shop. It can pay you back, but no longer by this escrow.",
  },

  money: "Where the money is",
  toYou: "went back to you",
  onTheWayToYou: "on the way back to you",
  inEscrow: "in the escrow",
  onTheWayToShop: "on the way to the shop",
  toShop: "went to the shop",

  somethingWrong: "Something is wrong",
  somethingWrongText: "Say what is wrong. Once your wallet has signed, the money is frozen and a dispute is open.",
  unsent: "What you wrote about your dispute is on this device alone, and nobody has read it.",
  sendIt: "Send it",
  sendBy: "Send it by {time}: after that, the arbiter decides, and you may not be able to write any more.",
  openCase: "Go to your dispute",
  openCaseText: "See what was said, whose turn it is, and what you can do.",
  ways: {
    release: ["Release the money now", "Pays the shop at once. This cannot be undone."],
    settle: ["Pay the shop now", "Anybody may hasten it, for the network’s fee."],
    refund_unresolved: [
      "Get your money back now",
      "Sends what is in the escrow to the wallet that paid, for the network’s fee.",
    ],
    pay_out_sender: ["Get your part now", "Anybody may hasten it, for the network’s fee."],
    pay_out_recipient: ["Send the shop’s part now", "Anybody may hasten it, for the network’s fee."],
    close: [
      "Get your deposit back",
      "Closes the payment’s record on chain. The network’s deposit goes to your wallet.",
    ],
  },
  releaseInDispute: "Ends your dispute, and the shop is paid. No shop needs this to send your money back.",
  /** For readers to whom an agreement is not told. */
  releaseIfAgreed: "Have you both agreed? Then release on your dispute’s page alone, once it says so.",
  hints: {
    protected: (wallet: string) =>
      `All is well? Then you need not do anything. Both buttons need the wallet that paid, ${wallet}.`,
    needed: (wallet: string) => `Both buttons need the wallet that paid, ${wallet}.`,
    disputed: (wallet: string) =>
      `The shop can send the money back at any time. Only the wallet that paid, ${wallet}, can release it.`,
    anybody: "Any wallet may do this, and the money goes where it is due.",
    deposit: (wallet: string) => `The deposit goes to the wallet that paid it, ${wallet}.`,
  },
  needsScript:
    "What can be done here needs JavaScript: switch it on, or open this page in the app of the wallet that paid.",

  next: "What happens next",
  happened: "What happened",
  paid: "You paid",
  paidText: (amount: string) => `${amount} went into an escrow on Solana that neither the shop nor this site can open.`,
  partBack: "The shop sent a part back",
  partBackText: (amount: string) => `${amount} are yours, whatever happens to the rest.`,
  objectUntil: "You can open a dispute until",
  objectText: "Nothing arrived, or not what you ordered? Say so here before then. Later you can only ask the shop.",
  thenPaid: (shop: string) => `Then ${shop} is paid`,
  thenPaidText: "This happens by itself.",
  undisputed: "The time to open a dispute is over",
  undisputedText: "Nobody opened one.",
  goesToShop: (amount: string, shop: string) => `${amount} go to ${shop}`,
  goesBack: (amount: string) => `${amount} go back to you`,
  goesText: "Usually by itself, within minutes.",
  disputed: "You opened a dispute",
  agreed: "You both agreed",
  agreedText: "Your dispute’s page says who is next.",
  agreedParts: (buyer: string, shop: string) => `You get ${buyer}, and the shop gets ${shop}.`,
  agreedNext: {
    shop: "The shop is next: it refunds your part.",
    you: "You are next: release the shop’s part on your dispute’s page.",
  },
  agreementFailed: "The agreement failed",
  agreementFailedText: "The chain did not show it in time.",
  arbiterDecides: BUYER_TEXTS.track.decide.title,
  arbiterDecidesElse: BUYER_TEXTS.track.decideElse.title,
  /** It holds after an agreement that failed, too: some readers are told of none. */
  arbiterDecidesUnless: "Unless you both carry out an agreement, the arbiter decides",
  arbiterDecidesText:
    "It can send the money to you, to the shop, or a part to each, and nowhere else. Nobody can take its decision back.",
  lapses: "If nobody has decided by then, what is in the escrow goes back to you",
  lapsed: "Nobody decided in time",
  lapsedText: "So all of the money is yours again.",
  outcomes: {
    released_by_sender: "You released the money",
    settled: "The time to open a dispute is over",
    resolved: BUYER_TEXTS.track.decided.title,
    refunded_by_recipient: "The shop gave it back",
    refunded_unresolved: "Nobody decided in time",
  },
  outcomeTexts: {
    released_by_sender: "The wallet that paid signed it.",
    settled: "Nobody opened one.",
    resolved: "Nobody can take the decision back.",
    refunded_by_recipient: "The shop signed it.",
    refunded_unresolved: "So all of the money is yours again.",
  },
  asAgreed: "As you both agreed.",
  wentToShop: (amount: string, shop: string) => `${amount} went to ${shop}`,
  wentBack: (amount: string) => `${amount} went back to you`,
  vanishedStep: "The network dropped the payment",
  vanishedText: "No money moved in the end.",

  decision: DECISION_TEXTS,
  decidedToYou: "to you",
  decidedToShop: "to the shop",
  decidedMore: (amount: string) => `The shop has given back more: ${amount} are yours in all.`,
  decidedWithReasons: "Reasons are shown only with this receipt’s full link.",
  reasonsErased: "The reasons were erased on {time}.",
  readCase: "Read the dispute",

  judgeIsShop: "This arbiter is the very account that the shop is paid to: the shop decides its own disputes.",

  details: "Details",
  paidBy: "Paid by",
  paidTo: "Paid to",
  payment: "Payment",
  transaction: "Transaction",
  arbiter: "Arbiter",
  token: "Token",
  terms: "Terms",
  termsLink: "The terms as this site showed them before the payment.",
  termsMatch: "Their fingerprint on chain matches.",
  termsDiffer: "Their fingerprint on chain matches, but the payment has other terms than the text.",
  termsUnknown: "The payment names a text that this site does not have.",
  termsNone: "The payment names no text.",
  program: "Program",
  operator: "Operator",
  printed: "This receipt’s address",
  printedAt: "As of",
  checked: "Checked",
  checkedAt: (slot: string) => `on chain, at slot ${slot}`,
  reference: "Order",
  order: "Order page",
  openOrder: "Open the checkout of this order",
  contact: "Contact",
  noContact: "The shop has named no contact here. Its confirmation of your order may have one.",
  delivery: "Delivery",
  trackAt: "Track the delivery at {host}",
  sentAt: "Sent {time}",
  deliveredAt: "Delivered {time}",
  signedAnswer: "The shop’s server signed its answer, SHA-256 {hash}",
  shopSays: "Said by the shop on {time}",
  explorer: "View in explorer",

  deposits: "The network’s deposits",
  depositsOfBuyer: "You left two deposits with the network when you paid.",
  depositsOfOther: "Another wallet left the network’s two deposits for you, so they go back to it: {wallet}.",
  depositsUnknown: "Two deposits were left with the network.",
  vaultBack: (sol: string | null) => `${sol ?? "The escrow’s deposit"} came back when the last part left the escrow.`,
  vaultComes: (sol: string | null) =>
    `${sol ?? "The escrow’s deposit"} comes back by itself when the last part leaves the escrow.`,
  recordBack: "Most of the rest came back when the payment’s record was closed.",
  recordDue: (sol: string | null) =>
    `${sol ?? "Most of the rest"} comes back when the payment’s record is closed, which anybody may do now.`,
  recordFrom: (sol: string | null) =>
    `${sol ?? "Most of the rest"} comes back when the payment’s record is closed, which anybody may do from {time}.`,
  recordLater: (sol: string | null) =>
    `${sol ?? "Most of the rest"} comes back when the payment’s record is closed, which anybody may do from 90 days after the last part has left.`,
  tombstone: (sol: string | null) =>
    `${sol ?? "A small part of the rest"} never comes back: it keeps the payment’s address from being used again. Neither does the network’s fee.`,
  about: (sol: string) => `About ${sol}`,
  shopAccount:
    "If the shop had no account for this token yet, your payment also opened it. That deposit stays with the shop’s account, and does not come back.",
  byThisMoment: "The figures are those of the network’s prices of this moment.",

  print: "Print or save as PDF",
  copy: "Copy link",
  copyAddress: "Copy",
  save: "Save the signed file",
  saveText:
    "Once the payment’s record is closed, the chain keeps only how it ended. The signed file keeps the rest: save it before.",
  keep: "This page’s address is your receipt. Keep it.",
  keepKey: "This page’s address is your receipt. Keep it: whoever has it can read your order here.",
  find: "Find a payment",

  unknownTitle: "Not known here yet",
  unknownText:
    "This site has seen no payment at this address. If it was just made, load this page again in a moment. If it is older, check the address: it may belong to another site.",

  findTitle: "Find your payment",
  findText:
    "Paste the signature of its transaction or its address: your wallet’s history shows both. The link or id of an order, or the address of the wallet that paid, will do too.",
  findLabel: "Signature, payment, order or wallet",
  findButton: "Find",
  findNothing: "Nothing was found here.",
  findNothingText:
    "Check that all of it was pasted. A transaction that was just sent may take a moment: try again then. It may also belong to another site.",
  findInvalid: "This is neither a signature nor an address nor an order.",
  findAway: "The network cannot be asked right now, and this site has not recorded it yet. Try again in a moment.",
  found: "Payments that were found",
  connect: "Or ask the wallet that paid",
  script: {
    nothing: "Nothing was changed",
    listOf: "Payments of {wallet}",
    demo: "Demo wallet",
  },
  foundMore: (count: string) => `The newest ${count} are shown.`,
  /** What a wallet says of a transaction that it asked for. */
  request: {
    label: "Protected payment",
    opens: (amount: string) => `Open a dispute about ${amount}`,
    releases: (amount: string) => `Release ${amount} to the shop`,
    endsDispute: (shop: string) => `This ends your dispute. The shop gets ${shop}, you get nothing back.`,
    endsDisputeKept: (shop: string, buyer: string) =>
      `This ends your dispute. The shop gets ${shop}, you keep ${buyer}.`,
    paysShop: (amount: string) => `Pay out ${amount} to the shop`,
    takesBack: (amount: string) => `Take ${amount} back to the buyer`,
    paysBuyer: (amount: string) => `Pay out ${amount} to the buyer`,
    closes: "Return the deposit of a payment",
  },
  foundStates: {
    protected: "Protected",
    settling: "Going to the shop",
    disputed: "In dispute",
    lapsed: "Going back",
    decided: "Decided",
    settled: "Paid to the shop",
    partly_refunded: "Split",
    refunded: "Refunded",
    vanished: "Vanished",
  },
} as const;
