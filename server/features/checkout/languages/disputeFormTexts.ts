/** Every text of the form to open a dispute, as of the checkout (`pageTexts.ts`). "You" is the buyer. */
export const DISPUTE_FORM_ENGLISH = {
  title: (amount: string) => `Something is wrong: ${amount}`,
  back: "Back to the receipt",

  open: {
    title: "What is wrong?",
    lead: "Write it down while you remember it: this page keeps it on this device. Opening the dispute is one transaction, which freezes the money and says no more. You can open it until {time}.",
  },
  disputed: {
    title: "Your dispute is open",
    lead: "The chain shows it, and your money is frozen. What you wrote is on this device alone until you send it. Opened {time}.",
  },
  over: {
    title: "No dispute can be opened now",
    lead: "The receipt says where the money is, and what you can still do. What you wrote stays on this device.",
  },
  toCase: "Go to your dispute, and send it",
  ask: "A message to the shop is often the fastest way. The time to open a dispute runs on meanwhile.",
  askUnknown: "Ask the shop as well: a message is often the fastest way. The time to open a dispute runs on meanwhile.",

  reason: "Reason",
  reasonText: "Choose the one that fits best.",
  usualOutcome: "Usual outcome",
  reasons: {
    not_received: [
      "It did not arrive",
      "Nothing came, or only a part of it.",
      ["Note the date that the shop promised.", "Keep the tracking number, or the shop’s messages about the delivery."],
    ],
    not_as_described: [
      "It is not as described",
      "Broken, wrong, or different from what the shop promised.",
      [
        "Take a photo of what you received.",
        "Keep what the shop’s page promised, as a picture or a saved page.",
        "Keep the goods.",
      ],
    ],
    paid_twice: [
      "I paid twice",
      "Two payments for one order.",
      ["Note the address of the other payment: its receipt shows it.", "The shop can send this one back by itself."],
    ],
    returned_or_canceled: [
      "I returned or canceled it",
      "The shop has the goods back, or you canceled the order in time.",
      ["Keep the proof of posting.", "Keep the shop’s confirmation that you canceled."],
    ],
    other: [
      "Something else",
      "Your own words decide.",
      ["Say what you agreed with the shop, and what happened instead."],
    ],
  },
  text: "In your words",
  textHint: "What did you order, what happened, and when?",
  textMax: 5_000,
  want: "What do you want back?",
  wantText: "You can still agree on another amount with the shop.",
  all: (amount: string, isRest: boolean) => `${isRest ? "The rest" : "All of it"}: ${amount}`,
  part: "A part",
  partText: "You keep the goods, or some of them.",
  partLabel: (unit: string) => `Amount back in ${unit}`,
  copyDraft: "Copy what I wrote",
  deleteDraft: "Delete it from this device",

  happens: "What happens when you open the dispute",
  happensNow: "What happens now",
  frozen: "At once: the money is frozen",
  frozenNow: "The money is frozen",
  frozenText: (amount: string) => `${amount} stay in the escrow. Neither side can take them alone.`,
  shopCan: "At any time: the shop can send it back",
  shopCanText: "All of it or a part, without any act of yours. Never release the money for a promise.",
  arbiterCan: "If you do not agree: the arbiter can decide",
  talkFirst: "You and the shop talk first; your dispute’s page says until when.",
  arbiterCanText: "It can send the money to you or to the shop, or split it. Nobody can take its decision back.",
  lapses: "After 90 days: what is in the escrow goes back to you",
  lapsesText: "Only if nobody has decided by {time}.",
  button: "Open the dispute",
  signs: (wallet: string) =>
    `The wallet that paid, ${wallet}, signs one transaction. No money leaves it but the network’s fee, which is shown before.`,
  notSent: "What you wrote is not part of the transaction, and this page sends it to nobody.",
  needsScript:
    "Opening a dispute here needs JavaScript: switch it on, or open this page in the app of the wallet that paid.",

  script: {
    saved: "Saved on this device at {time}, and sent to nobody.",
    notSaved: "This browser keeps nothing. Copy your text before you leave this page.",
    deleted: "Deleted from this device.",
    count: "{count} of 5,000",
    partHint: "You want {part} back; the shop keeps {rest}.",
    partWrong: "Enter an amount above zero, of {amount} at most.",
    copyPayment: "Payment of {amount}: {payment}",
    copyReason: "Reason: {reason}",
    copyWanted: "I want back: {wanted}",
  },
} as const;
