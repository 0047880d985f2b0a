import { DISPUTE_TEXTS } from "@holdfast/ui/disputeTexts.ts";
import { WALLET_TEXTS } from "@holdfast/ui/walletTexts.ts";
import { ACTION_ENGLISH } from "../languages/actionTexts.ts";

/** Every text of the buyer's case, as of the checkout (`page/catalogue.ts`). "You" is the buyer. */
export const CASE_ENGLISH = {
  title: (amount: string) => `Dispute about ${amount}`,
  back: "Back to the receipt",

  proofTitle: "Show that you paid",
  proofOpen: "The dispute is open, and the money is frozen. Say what is wrong next.",
  proofText:
    "Your wallet signs a text once. For 30 days this browser then shows your order and how to reach the shop, and you can read and write in a dispute about this payment. The signature moves no money, and binds you to nothing.",
  proofWallet: (wallet: string) => `The wallet that paid, ${wallet}, signs.`,
  proofPanel: "Sign with your wallet",
  proofSmart: "A smart wallet, or a wallet of several signers",
  proofSmartText:
    "It signs this text as a memo on chain, alone or together with the opening of a dispute. You have seven days. Then enter the signature of that transaction.",
  proofSmartMake: "Show the memo",
  proofMemo: "Memo",
  proofBytes: "Transaction (base64)",
  proofPlain: "Instructions (JSON)",
  proofLanded: "Signature of the transaction",
  proofLandedSend: "Check it",
  needsScript:
    "Proving and writing here need JavaScript: switch it on, or open this page in the app of the wallet that paid.",

  noCase: "No dispute is open",
  noCaseText: "You can write once a dispute is open. Open one on the receipt.",

  turns: {
    buyer: "Your turn",
    merchant: "The shop’s turn",
    arbiter: "The arbiter decides",
    nobody: "Nothing to do",
  },
  unsaid: "Nobody has read a word of yours yet. Say what is wrong below.",
  unsent: "What you wrote is on this device alone, and nobody has read it. Sign, then send it.",
  until: "until",
  nobodyWrites: "Nobody writes to you. Look again by",
  calendar: "Add the dates to your calendar",
  dates: {
    buyer: "your turn ends",
    merchant: "the shop’s turn ends",
    arbiter: "last moment for the arbiter’s decision",
    nobody: "",
  },
  left: (time: string) => `${time} left`,
  silence: {
    unsaid:
      "Say what is wrong: the shop knows only that you opened a dispute. If nobody writes a word, the arbiter decides without any.",
    talkingBuyer:
      "Accept an offer, make one, or write what the arbiter should know. If you do nothing, the arbiter decides on what stands here.",
    talkingMerchant:
      "It can answer, make an offer, or send the money back. If it does nothing, the arbiter decides on what stands here.",
    askedBuyer:
      "The arbiter has asked both of you a question. If you do not answer, the arbiter decides on what stands here.",
    askedMerchant:
      "The arbiter has asked both of you a question. You have answered it, and the shop has not. You may write again until then.",
    askedBuyerAlone:
      "The arbiter has asked you a question. If you do not answer, the arbiter decides on what stands here.",
    askedMerchantAlone: "The arbiter has asked the shop a question. You may write until then, too.",
    replyBuyer:
      "The shop has answered the arbiter's question, and you can reply. If you do not, the arbiter decides on what stands here.",
    replyMerchant: "You have answered the arbiter's question, and the shop can reply. You may write again until then.",
    deciding:
      "The arbiter reads what both of you wrote. If nobody decides within 90 days of the opening, all of it goes back to you.",
    agreedMerchant:
      "You have agreed, and the shop’s refund comes next. If the chain does not show the agreement by then, the arbiter decides.",
    agreedBuyer:
      "You have agreed, and your release comes next. If the chain does not show the agreement by then, the arbiter decides.",
    decided: "The arbiter has decided. The receipt shows who gets what.",
    paused:
      "The network took the opening of the dispute back. The dispute goes on when the network shows it again; your text is kept.",
    closed: "This dispute has ended. The receipt shows who got what.",
  },
  track: {
    ...DISPUTE_TEXTS.track,
    openedText: "This froze the money.",
    decideBy: (by: string) => `By ${by}, if you do not agree`,
    decideLater: "If you do not agree",
    lapseText: "all goes back to you.",
    from: "From",
  },

  usualOutcome: "Usual outcome",
  asks: {
    both: {
      until: "Both sides can answer until",
      was: "Both sides could answer until",
      ended: "Both sides were to have time until",
    },
    buyer: {
      until: "You can answer until",
      was: "You could answer until",
      ended: "You were to have time until",
    },
    merchant: {
      until: "The shop can answer until",
      was: "The shop could answer until",
      ended: "The shop was to have time until",
    },
  },
  questionEndedBy: "; the decision ended that on",

  talk: "What was said",
  you: "You",
  shop: "The shop",
  openedDispute: "You opened the dispute on chain",
  wrote: "wrote",
  erased: "Erased on",
  allErased: "The texts and files of this dispute were erased on",
  asked: (amount: string) => `Asked for ${amount} in all.`,
  reasons: {
    not_received: "It did not arrive.",
    not_as_described: "It is not as described.",
    paid_twice: "Paid twice.",
    returned_or_canceled: "Returned or canceled.",
    other: "Another reason.",
    not_given: "No reason is given yet.",
  },
  releaseAsked:
    "Does the shop ask you to release the money? This would end your dispute and pay the shop. No shop needs it to refund you.",
  offerOfYou: "Your offer",
  offerOfShop: "The shop’s offer",
  offerStatus: DISPUTE_TEXTS.offerStatuses,
  toYou: "to you",
  toShop: "to the shop",
  openUntil: "Open until",
  gain: (now: string, total: string) => `${now} more (${total} in all)`,
  had: (total: string) => `${total} in all, which you have already`,
  accept: (amount: string) => `Accept: get ${amount}`,
  decline: "Decline",
  withdraw: "Withdraw",
  acceptText:
    "Accepting ends the dispute with these amounts. Your wallet signs your agreement now; the money moves once the shop has refunded your part and you have released the rest.",

  files: "Files",
  file: DISPUTE_TEXTS.files,

  opening: "Say what is wrong",
  openingText:
    "The shop reads it first, and the arbiter the same if you do not agree. It is sent once, and cannot be changed.",
  reason: "Reason",
  want: (unit: string) => `You want back (${unit})`,
  wantMore: (amount: string) => `Beside the ${amount} that are yours already.`,
  text: "In your words",
  sendOpening: "Send to the shop",
  answer: "Add to the dispute",
  answerText: "The shop and the arbiter read it. It cannot be changed once sent.",
  neverRelease: "Never release the money for a promise.",
  sendAnswer: "Send",
  offer: "Make an offer",
  offerText:
    "The amount that you have in the end. Your wallet signs it, and the shop can then accept it. It is open for seven days.",
  offerAmount: (unit: string) => `You get in all (${unit})`,
  offerHas: (amount: string) => `${amount} of it are yours already.`,
  offerSentence: "A sentence to the shop (optional)",
  sendOffer: "Sign and send the offer",
  askArbiter: "Ask for the arbiter",
  askArbiterText:
    "If both of you ask, talking ends, and the arbiter decides on what stands here. You cannot take it back.",
  askArbiterLast: "The shop has asked. If you ask too, talking ends now, and you cannot take it back.",
  askArbiterSure: "Yes, ask for the arbiter",
  askedArbiter: "You have asked for the arbiter.",

  agreed: (amount: string) => `Agreed: you get ${amount}`,
  agreementFailed: (amount: string) =>
    `You both agreed that you get ${amount}. The chain did not show it in time, so the agreement failed, and the decision is the arbiter’s.`,
  agreedRest: (amount: string) => `The shop gets ${amount}.`,
  waitsRefund: "The shop is next: it refunds your part on chain. Then you release the rest here.",
  waitsRefundAlone: "The shop is next: it refunds all of it on chain. You need not sign anything more.",
  waitsRelease: "You are next: the shop has refunded your part on chain. Release the rest, as agreed.",
  waitsReleaseAlone: "You are next: you agreed to get nothing back, and releasing pays the shop all of it.",
  release: "Release the rest, as agreed",
  releaseText: "Pays the shop its part of the agreement. This cannot be undone.",
  releaseAnyway: "Release the money",
  releaseAnywayText: "Ends your dispute, and the shop is paid. No shop needs this to send your money back.",

  facts: "Facts",
  factsText: "From the chain and the order. The shop and the arbiter see the same.",
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
  linkSent: "Open the link that we send to",
  emailsGo: "Emails go to",
  removeEmail: "Remove",

  browsers: "Browsers with access",
  browsersText: "Each proved the wallet. End those that you do not know.",
  thisBrowser: "This browser",
  since: "since",
  end: "End",

  script: {
    ...WALLET_TEXTS,
    ...ACTION_ENGLISH,
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
    fileSending: DISPUTE_TEXTS.sending.file,
    fileSent: "{name}: sent.",
    fileSize: DISPUTE_TEXTS.sending.size,
    fileUnread: DISPUTE_TEXTS.sending.unread,
    fileInsecure: DISPUTE_TEXTS.sending.insecure,
    saved: "Kept on this device until you send it.",
    chooseWallet: "Choose the wallet that signs:",
    emailConfirmed: "Your email address is confirmed.",
  },
} as const;

export type CaseCatalogue = typeof CASE_ENGLISH;
