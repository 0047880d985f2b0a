/** What one SOL is worth in a currency. */
export interface SolRate {
  readonly currency: string;
  readonly rate: number;
}

/** "€0.77": the worth of an amount of SOL, no more exact than a rate of that day is. */
export const worthOf = (
  { locale }: { readonly locale: string },
  { currency, rate }: SolRate,
  lamports: bigint,
): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency, maximumSignificantDigits: 2 }).format(
    (Number(lamports) / 1e9) * rate,
  );
