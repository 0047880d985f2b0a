/**
 * Every text of the buyer's page, also of its script. Figures come from Intl. The script has no texts of its own: the page
 * hands it those of `script` as data. `{…}` marks a value, or a part of the page, that is filled in.
 */
export const PAGE_ENGLISH = {
  languages: "Language",
  to: (amount: string, business: string) => `${amount} to ${business}`,
  smallestUnits: "smallest units",
  tokens: "tokens",
  lessThanAMinute: "less than a minute",
  verified: "Verified domain",
  unproven: "This shop has not proven a domain. Check that it is the one you know.",
  order: (number: string) => `Order ${number}`,
  test: "Test payment",
  testHint: "No real money moves.",

  pricedAt: (rate: string, unit: string) => `at ${rate}. Refunds are in ${unit}.`,
  payWithin: "Pay within",
  pay: (amount: string) => `Pay ${amount}`,
  heldFor: (period: string) => `Held for ${period}. The shop is paid afterwards.`,
  costLater: "The network’s cost is shown before you sign.",
  costAbout: (cost: string, back: string) =>
    `Plus about ${cost} for the network. ${back} come back to your wallet by themselves.`,
  costUnlessSponsored: (cost: string, back: string) =>
    `You need no SOL: this site may pay the network’s cost. A wallet that has SOL pays about ${cost}. ${back} come back to your wallet by themselves.`,
  costWhy: "Why, and what comes back",
  otherWallet: "Another wallet",
  otherWalletHint: "Choose",
  phone: "Pay from your phone",
  phoneHint: "QR code",
  phoneText: "Scan it with the camera of a wallet’s app. The page you see here follows by itself.",
  phoneNeedsHttps:
    "A wallet’s app only accepts a code of an https address, and this site runs without. Pay in this browser instead.",
  openAppText: "Open this page in a wallet’s app. Its own browser shows the same, and its wallet can pay.",
  openIn: (wallet: string) => `Open in ${wallet}`,
  solanaPay: "Pay with a wallet’s app",
  cannotPay: "Waiting for your payment. This site cannot build it in the browser yet: ask the shop how to pay.",
  noScript: "Paying with a wallet in this browser needs JavaScript. Switch it on, or open this page in a wallet’s app.",
  or: "or",
  payAnyway: "You did not send it?",
  payAnywayHint: "Pay anyway",
  payAnywayText:
    "What was sent arrives soon or never, and this page shows either. Pay only if you know that nobody paid for you: a second payment has to be asked back from the shop.",

  protection: "How you are protected",
  payStep: "You pay. The shop is not paid yet.",
  payText: (amount: string) =>
    `Your ${amount} wait in an escrow on Solana that neither the shop nor this site can open.`,
  objectStep: (period: string) => `${period} to object`,
  objectText:
    "Nothing arrived, or not what you ordered? Open a dispute on your receipt within this time; it counts from your payment.",
  shopStep: "Then the shop is paid",
  shopText: "If all is well you need not do anything. You can also release the money earlier, on your receipt.",
  judge:
    "Disputes are decided by {arbiter}, who can send the money to you, to the shop, or a part to each, and nowhere else. If they do not decide within 90 days, you are refunded.",
  judgeIsShop:
    "This arbiter is the very account that the shop is paid to: the shop would decide its own disputes. Pay only if you trust it.",
  judgeIsOwn: "The shop itself decides disputes.",
  judgeUnknown: "the arbiter that this site names when you pay",
  rules: "By what rules?",
  rulesText:
    "The arbiter reads what both sides write and send, the shop’s refund policy, and the terms that your payment names. On this site it gives its reasons. You and the shop can agree at any time before.",
  reasonNames: {
    not_received: "It did not arrive",
    not_as_described: "It is not as described",
    paid_twice: "I paid twice",
    returned_or_canceled: "I returned or canceled it",
    other: "Something else",
  },
  rights: "This does not limit your statutory rights.",
  receipt: "Open your receipt",
  objectUntil: "You can object until",
  objectUntilText:
    "Until then your money waits in an escrow that neither the shop nor this site can open. If you do nothing, the shop is paid then.",
  keepReceipt: "Keep the receipt’s link: there you object, or release the money.",
  getEmails: "Get emails about this payment",

  details: "Details",
  recipient: "Recipient",
  token: "Token",
  paymentId: "Payment id",
  intent: "Intent",
  payment: "Payment",
  transaction: "Transaction",
  sender: "Paid by",
  arbiter: "Arbiter",
  program: "Program",
  operator: "Operator",
  openUntil: "Payable until",
  refundPolicy: "Refund policy",
  contact: "Contact the shop",
  backTo: "Back to {business}",
  leadsTo: (host: string) => `The button below leads to ${host}, which the shop has not proven to be its own.`,
  protectedBy: "Protected by Holdfast",
  runBy: "This site is run by {operator}",
  /** Of a payment that is final on chain. */
  irreversible: "This cannot be undone by the network.",

  states: {
    held: {
      title: "Payments are paused",
      text: "This site has to confirm a change on the network first. Nothing was taken from you. Try again later, or ask the shop.",
    },
    in_flight: {
      title: "On its way",
      text: "A payment was sent and waits for the network. Do not pay again; this page follows by itself.",
    },
    protected: { title: "Paid and protected", text: "The shop can see it." },
    settling: { title: "Paid", text: "The time to object is over. The money is about to go to the shop." },
    disputed: {
      title: "In dispute",
      text: "The dispute decides who gets what is in the escrow. Your receipt leads to the dispute’s page, which says who is next, and until when.",
    },
    decided: { title: "Decided", text: "It is decided who gets what. The money is about to leave the escrow." },
    settled: { title: "Paid and complete", text: "The money went to the shop." },
    partly_refunded: { title: "Paid, and refunded in part", text: "The money was split between you and the shop." },
    refunded: { title: "Refunded", text: "All the money went back to the wallet that paid." },
    expired: {
      title: "The time to pay is over",
      text: "Do not pay any more. Ask the shop for a new link. If you have paid already, this page will show it.",
    },
    canceled: {
      title: "Canceled by the shop",
      text: "Do not pay. If you have paid already, this page will show it, and you can ask the shop for your money.",
    },
  },
  reportedOver:
    "Somebody reported a payment that the network does not know, or cannot take. If you have just paid yourself, wait until this page no longer says so before you ask for a new link.",
  late: {
    paid_after_expiry: "The payment came late: after the time to pay. The shop may not deliver.",
    paid_after_cancel: "The payment came late: after the shop had canceled. The shop may not deliver.",
    found_after_cancel:
      "You paid in time, but the network showed it only after the shop had canceled. The shop may not deliver.",
  },
  overLimit:
    "It was paid after all seats were taken. The shop may not deliver, and can send the money back: ask it, or open a dispute in time.",
  mismatch:
    "A payment arrived that names this order but not its terms, such as the amount. It does not pay the order. If you sent it, its receipt says where the money is and who can send it back: look there before you pay again.",
  findPayment: "Find that payment",
  duplicateTitle: (count: number) => (count === 1 ? "Paid twice" : `Paid ${count + 1} times`),
  duplicateText: "Somebody paid this order again. Each receipt says how that money is sent back.",
  duplicate: "{amount} by {wallet}",
  partRefund: (amount: string) => `${amount} of your payment go back to you.`,
  partRefunded: (amount: string) => `${amount} of your payment went back to you.`,

  notFoundTitle: "Not found",
  notFoundText: "There is no payment under this address. Check the link, or ask the shop for a new one.",
  unavailableTitle: "One moment",
  unavailableText:
    "The service cannot answer right now. Nothing was taken from you. Load this page again in a little while.",
  tooManyText:
    "Too many requests came from your network. Nothing was taken from you. Wait a minute, then load this page again.",
  reload: "Load again",
  /** On a page that is open when the service refuses its states. */
  ended: {
    title: "This page is out of date",
    text: "The service no longer shows what stood here. Load the page again to see what holds now.",
    open: "Load again",
  },

  /** What a wallet says of the payment, in at most 80 characters with a name that is cut. */
  walletText: (amount: string, business: string, period: string) => `${amount} to ${business}, protected for ${period}`,

  script: {
    nothing: "Nothing was paid",
    confirmIn: "Confirm in {wallet}: {amount}, and {cost} SOL for the network.",
    confirmFree: "Confirm in {wallet}: {amount}. You need no SOL.",
    cost: "Plus {cost} SOL{worth} for the network. {back} SOL come back to your wallet by themselves.",
    costWorth: " (about {value})",
    costMore:
      "SOL is the network’s own money: the network’s fee and deposits are paid in SOL. {back} SOL come back to your wallet when the payment ends, and {later} SOL more when the payment’s record on chain is closed. Anybody may close the record from 90 days after the end of the payment. The rest does not come back. The exact sums are shown before you sign.",
    sponsored: "No SOL needed: the network’s cost is paid for you.",
    payWith: "Pay with {wallet}",
    noOther: "No other wallet was found in this browser. Install one, and it appears here.",
    noWallet: "No wallet in this browser",
    noWalletHint: "Install a Solana wallet, or pay from your phone.",
    walletElsewhere: "{wallet} is on another network",
    walletElsewhereHint: "Switch its network and load this page again, or pay another way.",
    arbiterChanged: "The arbiter has changed or was not known. Read who decides disputes now, and press again to pay.",
    otherTab: "Another tab is paying this order right now. Finish there, or go on here if you closed it.",
    lost: "The connection is gone. Your payment is not lost: this page asks again by itself.",
    leftInDoubt: "The network can still take it for {seconds} seconds.",
    notArrived:
      "The network did not get the payment in time, so nothing was paid and nothing will be. You can pay again.",
    payAgain: "Pay again with {wallet}",
    sent: "Sent. This page follows it by itself; do not pay again.",
    unknown: "It is not certain whether the payment was sent. Wait until this page knows; do not pay again before.",
    reported:
      "Somebody reported a payment that the network does not know, or cannot take. You can pay. If you have just paid yourself, wait until this page no longer says so.",
    mayBePaid:
      "A payment may already be on its way. If it arrives, a second one has to be asked back from the shop. Press again only if you are sure that nothing was sent.",
    payAnyway: "Pay anyway with {wallet}",
    notSent: "You did not send it? Pay anyway with {wallet}",
    earlierTry: "An earlier payment may still be on its way.",
    lessThanAMinute: "less than a minute",
    demo: "Demo wallet",
    demoHint: "Play money of the local chain",
  },
} as const;
