import { plural } from "./plural.ts";

/** Texts of values in the business's reporting currency. */
export const values = {
  title: (currency: string) => `Value in ${currency}`,
  text: "What each movement was worth on its day. It never changes later, and no payment depends on it.",
  kinds: { payment: "Paid", release: "Released", refund: "Refunded" },
  kind: "Movement",
  amount: "Amount",
  value: "Value",
  rate: "Rate",
  source: "Source",
  waits: (day: string) => `Waits for ${day}'s rate`,
  noRates: "Your operator has set no rates",
  before: (currency: string) => `Paid before ${currency} was chosen`,
  noneIn: (currency: string) => `No value in ${currency}`,
  sources: { par: "Token at par", ecb: "European Central Bank", file: "Rates of this deployment" },
  of: (source: string, day: string) => `${source}, ${day}`,
  without: (count: number) => plural(count, { one: "# payment without a value", other: "# payments without a value" }),
} as const;
