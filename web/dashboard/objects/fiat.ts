/** A value in a currency, with the places of its minor unit. */
export function fiatText(value: string, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: "currency", currency, currencyDisplay: "code" });
  // The value is a text: values exceed the exact range of JavaScript numbers.
  return format.format(value as Intl.StringNumericLiteral);
}
