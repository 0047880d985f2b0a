/** Every text of the pages about emails to a buyer. */
export const EMAIL_ENGLISH = {
  enterTitle: "Emails about this payment",
  enterText:
    "You get your receipt, and hear when the order was sent, 48 hours before your protection ends, and of refunds and disputes. Nothing else: no advertising.",
  label: "Your email address",
  enter: "Send me a link",
  invalid: "Enter one email address, such as kim@example.com.",
  kept: "It is kept encrypted, shown to nobody, and erased a year after the payment has ended.",
  enteredTitle: "Look into your mailbox",
  enteredText:
    "An email asks you to confirm the address, unless it is confirmed already; one a day does at most. If you ended emails to it before, the page of an earlier email allows them again.",
  back: "Back to the payment",
  notPaidText:
    "Emails begin with a payment, and this order has none, or its address stays: the shop named it, or its mailbox is confirmed.",

  consentTitle: "Emails about your payments",
  states: {
    none: "Your address is not confirmed. Until it is, nothing is sent to it but requests to confirm it, one a day at most.",
    confirmed: "Your address is confirmed. You get emails about payments that name it.",
    stopped:
      "Emails to your address have ended: none comes any more, from no shop here. The address was erased from every payment that emails were for. A code that is made from it stays, so that later payments send none.",
  },
  confirm: "Confirm",
  allow: "Allow emails of later payments",
  stop: "Stop all emails",
  stopText:
    "Stop ends all emails about payments to this address, from every shop here, and erases it from those payments. Orders that name it later keep it encrypted until 30 days after they expire, or a year after their payment has ended.",
  tooMany: "Too many addresses were entered. Try again tomorrow.",
  badKeyTitle: "This link does not work",
  badKeyText: "Open it from the email again, as a whole.",
} as const;
