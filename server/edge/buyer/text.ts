import { type AmountTexts, amountText, inOne } from "@holdfast/ui/amount.ts";
import { PROTECTION_SECONDS, type ProtectionPeriod } from "../../domain/terms.ts";
import { symbolOf } from "../../domain/tokens.ts";

/** A mint may have up to 255 decimals: a longer amount is shown in smallest units, or no wallet could show it. */
const FIGURE_CHARACTERS_MAX = 22;

/** "12.50 USDC" as on every page, or smallest units if the token's decimals are unknown, or too many. */
export function tokensInWords(texts: AmountTexts, asset: string, amount: string, decimals: number | null): string {
  const shown = amountText(texts, amount, { symbol: symbolOf(asset), decimals });
  return decimals === null || shown.figure.length > FIGURE_CHARACTERS_MAX
    ? `${amount} ${texts.smallestUnits}`
    : inOne(shown);
}

/** "7 days", "1 hour". */
export function periodText({ locale }: Pick<AmountTexts, "locale">, period: ProtectionPeriod): string {
  const hours = PROTECTION_SECONDS[period] / 3_600;
  const [count, unit] = hours < 24 ? [hours, "hour"] : [hours / 24, "day"];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
