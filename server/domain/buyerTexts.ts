/** The texts of emails to buyers (§4.22), from plain texts alone: one object for each language. */

/** The business's quoted words, the page that confirms or ends emails, and the first day on which the address is erased. */
export interface BuyerFrame {
  readonly shop: string;
  readonly line: string | null;
  readonly consent: string;
  readonly erasedFrom: string;
}

/** What a payment's emails tell. */
interface BuyerFacts {
  readonly amount: string;
  readonly refunded: string;
  /** What the shop gets. */
  readonly rest: string;
  readonly until: string;
  /** The buyer can open a dispute until then. */
  readonly canObject: boolean;
  readonly isLate: boolean;
  readonly receipt: string;
}

interface BuyerText {
  readonly subject: string;
  readonly text: string;
}
type Told = (frame: BuyerFrame, facts: BuyerFacts) => BuyerText;

export interface BuyerTexts {
  readonly confirmation: (frame: BuyerFrame) => BuyerText;
  readonly paid: Told;
  readonly sent: Told;
  readonly deadline: Told;
  readonly refunded: Told;
  /** The end of every email after the confirmation: the business's line, the purpose, the end and the day of erasure. */
  readonly footer: (frame: BuyerFrame) => string;
}

export const BUYER_ENGLISH: BuyerTexts = {
  confirmation: ({ shop, consent, erasedFrom }) => ({
    subject: "Confirm your email address",
    text: `A payment to the shop ${shop} names this email address. Confirm it on this page to get your receipt, and to hear when the order was sent, when your protection ends, and of refunds and disputes:

${consent}

Until you confirm, no other email comes. If you do not know the payment, ignore this one, or press “Stop all emails” on the page: then none comes again.

Your address is kept for these emails alone, and erased a year after the payment has ended, on ${erasedFrom} or later.
`,
  }),
  paid: ({ shop }, { amount, until, canObject, isLate, receipt }) => ({
    subject: "You paid: your receipt",
    text: `You paid ${amount} to the shop ${shop}.${
      isLate ? " The payment came late: ask the shop whether it still sends your order." : ""
    }${canObject ? ` Until ${until} you can object, and the shop does not have the money.` : ""}

Keep your receipt${canObject ? ". With your wallet, you open a dispute there" : ""}:
${receipt}`,
  }),
  sent: ({ shop }, { until, canObject, receipt }) => ({
    subject: "Your order was sent",
    text: `The shop ${shop} says that your order was sent. What it recorded is on your receipt:
${receipt}${canObject ? `\n\nYou can object until ${until}.` : ""}`,
  }),
  deadline: ({ shop }, { rest, until, receipt }) => ({
    subject: "Your protection ends soon",
    text: `Your protection ends on ${until}. After that, the shop ${shop} gets ${rest}.

If all is well, you need not do anything. If something is wrong, open a dispute before that time:
${receipt}`,
  }),
  refunded: ({ shop }, { amount, refunded, receipt }) => ({
    subject: "You got a refund",
    text: `${refunded} of the ${amount} that you paid to the shop ${shop} went back to your wallet.

${receipt}`,
  }),
  footer: ({ shop, line, consent, erasedFrom }) =>
    `${line === null ? "" : `The shop writes: ${line}\n\n`}You get this email because you confirmed your address for news of payments. This one was to the shop ${shop}. End these emails here. Remove this link before you answer or forward this email: whoever has it can end them, too.
${consent}
Your address is kept for them alone, and erased a year after the payment has ended, on ${erasedFrom} or later.
`,
};
