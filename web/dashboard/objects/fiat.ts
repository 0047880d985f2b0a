/** A value in a currency, exact: the places that it has. */
export function fiatText(value: string, currency: string): string {
  const places = value.split(".")[1]?.length ?? 0;
  const format = new Intl.NumberFormat(undefined, {
    ...{ style: "currency", currency, currencyDisplay: "code" },
    ...{ minimumFractionDigits: places, maximumFractionDigits: places },
  } as const);
  // The value is a text: values exceed the exact range of JavaScript numbers.
  return format.format(value as Intl.StringNumericLiteral);
}
