import { plural } from "./plural.ts";

const unit = (name: "minute" | "hour" | "day") =>
  new Intl.NumberFormat("en", { style: "unit", unit: name, unitDisplay: "long" });
const UNITS = { minute: unit("minute"), hour: unit("hour"), day: unit("day") };

export const profile = {
  title: "Profile",
  text: "The details that buyers see at the checkout, the time that they have to pay, and how your books are shown. They apply to test and live.",
  readOnly: "Owners and admins can edit the profile.",
  saved: "Profile saved. It applies from now on.",
  unchanged: "No changes to save.",
  nameHint: "Buyers see it at the checkout and in their wallet.",
  logo: "Logo",
  logoHint: (kilobytes: number) =>
    `A PNG, JPEG or WebP picture of at most ${kilobytes} kB and 1 megapixel. Buyers see it beside your name; it does not say that your domain is verified.`,
  logoTooLarge: (kilobytes: number) => `The logo has more than ${kilobytes} kB. Save it smaller.`,
  removeLogo: "Remove logo",
  logoRemoved: "Logo removed.",
  color: "Colour",
  colorHint: "Of the buttons on buyers' pages, in hex, such as #5b3a8c. Text on it must be readable.",
  support: "Support contact",
  supportHint: "An email address or an https:// page. Buyers contact you here first.",
  policy: "Refund policy",
  policyHint: (max: number) =>
    `Plain text, at most ${plural(max, { one: "# character", other: "# characters" })}. Payments refer to it by its SHA-256 hash.`,
  policySaved:
    "Payments refer to the saved policy by its SHA-256 hash: {hash}. A change applies to later payments only.",
  policyHash: "SHA-256 of the refund policy",
  returnUrl: "Return URL",
  returnUrlHint:
    "The page that a button opens after the payment. {intentId} and {merchantReference} are replaced with the values of the payment.",
  lifetime: "Time to pay",
  lifetimeHint: "A payment intent that is not paid within this time expires. Applies to new intents.",
  lifetimeDefault: "Deployment default",
  currency: "Reporting currency",
  currencyHint: "The books and exports show what payments were worth in it on their day. Applies from now on.",
  timeZone: "Time zone",
  timeZoneHint: "A name such as Europe/Berlin. Exports show days and times in it; without one, in UTC.",
  locale: "Language",
  localeHint:
    "Of buyers' pages, where neither a payment nor the buyer's browser names one that this service has: a tag such as de or pt-BR. Without one, English.",
  emails: "Emails to buyers",
  emailsText:
    "Buyers who gave an address and confirmed it get their receipt and news of their payment from this service. You may add your name, one line, and where answers go.",
  emailName: "Name in emails",
  emailNameHint: "Without one, the name above.",
  emailLine: "Line in emails",
  emailLineHint: "Plain text without links, such as your opening hours.",
  emailReplyTo: "Reply address",
  emailReplyToHint:
    "Answers to these emails go there, but for the one that asks a buyer to confirm the address. Without one, they go to the operator of this service.",
  duration: (count: number, name: keyof typeof UNITS) => UNITS[name].format(count),

  domain: {
    title: "Domain",
    text: "Buyers see your domain next to your name, marked as verified, once you have proven that it is yours.",
    none: "None",
    field: "Domain",
    fieldHint: "Without https:// and path. Buyers see letters other than a to z in their DNS form (xn--…).",
    add: "Add domain",
    states: { none: "None", claimed: "Not verified", proven: "Verified", failing: "Proof not found" },
    proven: "Buyers see it since {since}. We check it every day, last on {checked}. Keep the proof in place.",
    failing:
      "The proof can no longer be found. Buyers see the domain until {until}, or until another business verifies it. Put the proof back to keep it.",
    proofText: "To prove that the domain is yours, publish this text in one of these two places:",
    proof: "proof",
    file: "As a line of this file",
    record: "Or as a TXT record of this name",
    proofHint: "The file is read over https, without redirects. We also check automatically for one week.",
    lastCheck: "Last check, {time}: {problem}",
    check: "Check now",
    remove: "Remove domain",
    removeTitle: (domain: string) => `Remove ${domain}?`,
    removeText: "Buyers no longer see a domain. To show one again, you have to verify it again.",
    removed: "Domain removed.",
  },
} as const;
