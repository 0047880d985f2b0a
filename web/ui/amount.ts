/** The texts next to a figure in the page's language, and its format of numbers. */
export interface AmountTexts {
  /** Undefined: the setting of the reader's browser. */
  readonly locale: string | undefined;
  /** The word for tokens without a known symbol. */
  readonly tokens: string;
  readonly smallestUnits: string;
}

export interface Token {
  /** The symbol; null for a token that only its address names. */
  readonly symbol: string | null;
  /** The decimals of its amounts; null while the chain has not shown them. */
  readonly decimals: number | null;
}

/** An amount with its unit, as two texts for a large figure. */
export interface ShownAmount {
  readonly figure: string;
  readonly unit: string;
}

/** The most decimals to show. An amount has at most 20 digits: with more decimals its zeros would be unreadable. */
const DECIMALS_MAX = 20;

/**
 * Writes an amount in the form of every page: two places at least for a currency, "24.50"; smallest units if the decimals
 * are unknown or too many.
 */
export function amountText(texts: AmountTexts, amount: string, { symbol, decimals }: Token): ShownAmount {
  const isReadable = decimals !== null && decimals <= DECIMALS_MAX;
  const places = isReadable ? decimals : 0;
  const placesMin = symbol === null || symbol === "SOL" ? 0 : 2;
  const format = new Intl.NumberFormat(texts.locale, {
    minimumFractionDigits: Math.min(placesMin, places),
    maximumFractionDigits: places,
  });
  // The figure is a text: amounts exceed the exact range of JavaScript numbers.
  const figure = format.format(`${BigInt(amount)}E-${places}` as Intl.StringNumericLiteral);
  return { figure, unit: isReadable ? (symbol ?? texts.tokens) : texts.smallestUnits };
}

/** The sentences for a total of which a part has moved before. */
export interface GainTexts {
  readonly gain: (now: string, total: string) => string;
  readonly had: (total: string) => string;
}

/** Says what moves now, then the total: "7.50 USDC more (12.00 USDC in all)". `before`: what is bound already. */
export function gainText(texts: GainTexts, total: string, before: string, show: (amount: string) => string): string {
  const now = BigInt(total) - BigInt(before);
  if (before === "0") return show(total);
  return now > 0n ? texts.gain(show(String(now)), show(total)) : texts.had(show(total));
}

export const inOne = ({ figure, unit }: ShownAmount): string => `${figure} ${unit}`;
