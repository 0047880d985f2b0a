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

/**
 * Reads a figure that a person typed in a language's notation, as "1234.5". Null if it is none, or its signs do not stand
 * where the language has them: "24.50" is no figure where a point parts thousands.
 */
export function readFigure(locale: string, typed: string): string | null {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5);
  const signOf = (type: string) => blank(parts.find((one) => one.type === type)?.value ?? "");
  const [whole = "", fraction, ...rest] = blank(typed).trim().split(signOf("decimal"));
  const groups = whole.split(signOf("group"));
  const isGrouped = groups.length === 1 || /^\d{1,3}(,\d{3})+$/.test(groups.join(","));
  const figure = groups.join("") + (fraction === undefined ? "" : `.${fraction}`);
  return rest.length === 0 && isGrouped && /^\d+(\.\d+)?$/.test(figure) ? figure : null;
}

/** A keyboard has no other blank. */
const blank = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, " ");

/** "€48.50": a price, with the places of its currency. */
export const priceText = (locale: string | undefined, { currency, amount }: { currency: string; amount: string }) =>
  new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount as Intl.StringNumericLiteral);

/** "1 EUR = 1.1716 USDC": a rate in six digits. An amount is made at the whole one. */
export function rateText(locale: string | undefined, currency: string, rate: string, unit: string): string {
  const format = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 });
  return `1 ${currency} = ${format.format(rate as Intl.StringNumericLiteral)} ${unit}`;
}
