/** A value in a currency, with the places of its minor unit. */
export function fiatText(value: string, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency, currencyDisplay: "code" });
  // The value is a text: values exceed the exact range of JavaScript numbers.
  return format.format(value as Intl.StringNumericLiteral);
}

const WEEKDAY = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" });
const DAY_MS = 86_400_000;

/** The day whose rate decides a value of this time: that day of UTC, or the Monday after its weekend. */
export function rateDayOf(time: string): string {
  const at = Date.parse(time);
  const days = { 6: 2, 0: 1 }[new Date(at).getUTCDay()] ?? 0;
  return WEEKDAY.format(at + days * DAY_MS);
}
