import { BUYER_TEXTS } from "@holdfast/ui/disputeTexts.ts";

/** Every text of the buyer's page of a dispute, as of the checkout (`pageTexts.ts`). "You" is the buyer. */
export const DISPUTE_PAGE_ENGLISH = {
  ...BUYER_TEXTS,
  title: (amount: string) => `Dispute about ${amount}`,
  back: "Back to the receipt",

  proofTitle: "Show that you paid",
  proofOpen:
    "The dispute is open, and the money is frozen. If you have not said what is wrong yet and still can, do so next.",
  proofText:
    "Your wallet signs a text once. For 30 days this browser then shows your order and how to reach the shop, and you can read what was said in a dispute about this payment, and write while that is possible. The signature moves no money, and binds you to nothing.",
  proofWallet: (wallet: string) => `The wallet that paid, ${wallet}, signs.`,
  proofPanel: "Sign with your wallet",
  proofSmart: "A smart wallet, or a wallet of several signers",
  proofSmartText:
    "It signs this text as a memo on chain, alone or together with the opening of a dispute. You have seven days. Then enter the signature of that transaction.",
  proofSmartMake: "Show the memo",
  proofMemo: "Memo",
  proofPlain: "Instructions (JSON)",
  proofLanded: "Signature of the transaction",
  proofLandedSend: "Check it",
  needsScript:
    "Proving and writing here need JavaScript: switch it on, or open this page in the app of the wallet that paid.",

  noCase: "No dispute is open",
  noCaseText: "You can write once a dispute is open. Open one on the receipt.",

  unsent: "What you wrote is on this device alone, and nobody has read it. Sign, then send it.",
  /** For a buyer to whom nobody writes, by whose turn it is. */
  look: {
    buyer: "No email goes to you: look in each day. Your turn ends on {time}.",
    merchant: "No email goes to you: look in each day. The shop’s turn ends on {time}.",
    arbiter: "No email goes to you: look in each day. The arbiter means to decide by {time}.",
    lapse: "No email goes to you: look in each day. The arbiter can decide until {time}.",
  },
  calendar: "Add the dates to your calendar",
  dates: {
    buyer: "your turn ends",
    merchant: "the shop’s turn ends",
    arbiter: "the arbiter’s decision is due",
  },
  lapseDate: "If nobody has decided by then, what is in the escrow goes back to you.",

  usualOutcome: "Usual outcome",

  talk: "What was said",
  you: "You",
  shop: "The shop",
  allErased: "The texts and files of this dispute were erased on {time}",
  asked: (amount: string) => `Asked for ${amount} in all.`,
  releaseAsked:
    "Does the shop ask you to release the money? This would end your dispute and pay the shop. No shop needs it to refund you.",
  offerOfYou: "Your offer",
  offerOfShop: "The shop’s offer",
  toYou: "to you",
  toShop: "to the shop",
  openUntil: "Open until {time}",
  gain: (now: string, total: string) => `${now} more (${total} in all)`,
  had: (total: string) => `${total} in all, which you have already`,
  accept: (amount: string) => `Accept: get ${amount}`,
  acceptTexts: {
    both: "By accepting, you both agree on these amounts. Your wallet signs your agreement now; the money moves once the shop has refunded your part and you have released the rest.",
    refund:
      "By accepting, you both agree that you get everything. Your wallet signs your agreement now; the money moves once the shop has refunded it.",
    release:
      "By accepting, you both agree on these amounts. Your wallet signs your agreement now; the money moves once you have released it to the shop.",
  },

  opening: "Say what is wrong",
  openingText: "The shop and the arbiter read it. It is sent once, and cannot be changed.",
  reason: "Reason",
  want: (unit: string) => `You want back (${unit})`,
  wantMore: (amount: string) => `Beside the ${amount} that are yours already.`,
  text: "In your words",
  sendOpening: "Send to the shop",
  answer: "Add to the dispute",
  answerText: "The shop and the arbiter read it. It cannot be changed once sent.",
  neverRelease: "Never release the money for a promise.",
  sendAnswer: "Send",
  offerText:
    "The amount that you have in the end. Your wallet signs it, and the shop can then accept it. It is open for seven days.",
  offerAmount: (unit: string) => `You get in all (${unit})`,
  offerHas: (amount: string) => `${amount} of it are yours already.`,
  sendOffer: "Sign and send the offer",
  askSure: "Yes, ask for the arbiter",
  askUnwritten:
    "You have written nothing yet. Say first what is wrong: when talking ends, the arbiter decides, and you may not be able to write any more.",

  agreed: (amount: string) => `Agreed: you get ${amount}`,
  agreementFailed: (amount: string) =>
    `You both agreed that you get ${amount}. The chain did not show it by {time}, so the agreement failed.`,
  agreedRest: (amount: string) => `The shop gets ${amount}.`,
  waitsRefund: "The shop is next: it refunds your part on chain. Then you release the rest here.",
  waitsRefundAlone: "The shop is next: its refund gives you everything. You need not sign anything more.",
  waitsRelease: "You are next: the shop has refunded your part on chain. Release the rest, as agreed.",
  waitsReleaseAlone: "You are next: you agreed to get nothing back, and your release pays the shop.",
  release: "Release the rest, as agreed",
  releaseText: "Pays the shop its part of the agreement. This cannot be undone.",
  releaseAnyway: "Release the money",
  releaseAnywayText: "Ends your dispute, and the shop is paid. No shop needs this to send your money back.",

  facts: "Facts",
  factsText: "From the chain and the order. The shop and the arbiter see them, too.",
  paidAt: "Paid",
  openedAt: "Dispute opened",
  ordered: "Ordered",
  reference: "Order",
  inEscrow: "In the escrow",
  sentBack: "Sent back",
  sentBackDue: "Bound to you already",
  arbiter: "Arbiter",

  emails: "Emails about this dispute",
  emailsText:
    "We write when it is your turn, when the shop makes an offer and when the dispute ends. They quote nothing that was written.",
  email: "Email address",
  sendLink: "Send confirmation link",
  linkSent: "Open the link that we send to {email}",
  emailsGo: "Emails go to {email}",
  emailUnread: "You entered an email address, but it cannot be read now.",
  removeEmail: "Remove",

  browsers: "Browsers with access",
  browsersText: "Each proved the wallet. End those that you do not know.",
  thisBrowser: "This browser",
  since: "since {time}",
  end: "End",
  accessEnded: {
    title: "This browser’s access has ended",
    text: "Access lasts 30 days, and any browser that has it can end it. This changes nothing about your payment or the dispute. To read on, open this page again and sign with the wallet that paid.",
    open: "Open again with your wallet",
  },

  script: {
    proveWith: "Sign with {wallet}",
    proving: "Confirm the text in {wallet}. It moves no money.",
    checking: "Checking the signature …",
    binding: "Confirm the amounts in {wallet}. No money moves yet.",
    no_way: "{wallet} can sign neither texts nor transactions here. Use another wallet, or the way for smart wallets.",
    done: "Done.",
    amountWrong: "Enter an amount from zero to {amount}.",
    textMissing: "Write something first.",
    reasonMissing: "Choose a reason first.",
    fileMissing: "Choose a file first.",
    fileSent: "{name}: sent.",
    saved: "Kept on this device until you send it.",
    chooseWallet: "Choose the wallet that signs:",
    emailConfirmed: "Your email address is confirmed.",
  },
} as const;
