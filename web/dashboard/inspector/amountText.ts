/** Digits with a point or a comma before the fraction, perhaps with commas between thousands and a symbol behind. */
const AMOUNT = /^(\d{1,3}(?:,\d{3}){1,5}|\d{1,20})(?:[.,](\d{1,20}))?(?:\s*[A-Za-z]{2,10})?$/;

/** Returns the number of whole tokens in a text such as "48", "48,50" or "1,204.00 USDC"; null for any other text. */
export function amountIn(text: string): string | null {
  const [, whole, fraction] = AMOUNT.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const digits = whole.replaceAll(",", "");
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}
