const states = { open: "Open", full: "Full", expired: "Expired", closed: "Closed" } as const;

/** Texts of the page of payment links. */
export const links = {
  title: "Payment links",
  text: "Links that many buyers pay, each with a payment of their own: for an event, a product or a donation.",
  empty: {
    title: "No payment links",
    text: "A payment link appears here once you create it. Print it, or put it on a page.",
  },
  link: "Link",
  anyAmount: "The buyer names the amount",
  seats: "Paid seats",
  seatsOf: (paid: number, all: number) => `${paid} of ${all}`,
  paidOf: (paid: number, all: number) => `${paid} of ${all} seats paid`,
  noLimit: "No limit",
  states,
  never: "Never",
  actionsOf: (title: string) => `Actions for ${title}`,

  create: "New payment link",
  createTitle: "New payment link",
  createText: "Anyone with the link can pay it, as often as you allow.",
  submit: "Create link",
  titleLabel: "What is it for?",
  titleExample: "Workshop",
  titleHint: "The buyer reads it, and each payment's reference begins with it.",
  amountHint: "Leave it empty to let the buyer say how much.",
  limit: "How many may pay? (optional)",
  limitHint: "A seat is held for up to 150 seconds once a buyer's signed payment is handed in; paid seats are final.",
  locale: "Language of the pages (optional)",
  localeHint: "A tag such as de or pt-BR. Without one, each buyer's own.",
  hours: "Payable for",
  hoursChoices: { none: "No end", day: "1 day", week: "7 days", month: "30 days", year: "1 year" },

  readyTitle: "Your link is ready",
  code: "QR code of the payment link",
  share: "Show link",
  shareTitle: (title: string) => `Link of ${title}`,
  shareText:
    "Each buyer who opens it gets a payment of their own, which can be paid for 30 minutes, or for 15 minutes at a price whose token is not at par.",
  copy: "Copy link",
  print: "Print",
  payments: "View payments",

  close: "Close link",
  closeTitle: (title: string) => `Close ${title}?`,
  closeText:
    "Nobody can start a payment by it any more. What was paid stays as it is. A closed link cannot be opened again.",
  closed: "Payment link closed.",
} as const;
