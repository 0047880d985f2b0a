import { inOne, priceText, rateText, type ShownAmount, amountText as textOfToken } from "@holdfast/ui/amount.ts";
import { type SolRate, worthOf } from "@holdfast/ui/worth.ts";
import type { CostEstimate } from "../../../chain/builder.ts";
import { symbolOf } from "../../../domain/tokens.ts";
import { type Intent, readPrice, readQuote } from "../../intents/intent.ts";
import type { LateReason } from "../../payments/payment.ts";
import type { Catalogue } from "../languages/language.ts";
import type { CheckoutView } from "./checkout.ts";

/** Names an amount as every page does (`web/ui/amount.ts`). */
export const amountText = (texts: Catalogue, amount: string, asset: string, decimals: number | null): ShownAmount =>
  textOfToken(texts, amount, { symbol: symbolOf(asset), decimals });
export { periodText } from "../../../edge/buyer/text.ts";
export { inOne, priceText };

/** The order by its reference; one that is more than a number names itself. */
export const orderText = (texts: Catalogue, reference: string): string =>
  /^#?[\d-]+$/.test(reference) ? texts.order(reference) : reference;

/** The price of an amount in words, with the rate that made it; null without one. */
export function pricedText(
  texts: Catalogue,
  { price, quote }: Pick<Intent, "price" | "quote">,
  asset: string,
): { readonly price: string; readonly note: string } | null {
  const [shown, made] = [readPrice(price), readQuote(quote)];
  if (shown === null || made === null) return null;
  // The rate is of whole tokens, whatever unit the amount is shown in.
  const unit = symbolOf(asset) ?? texts.tokens;
  const rate = rateText(texts.locale, shown.currency, made.rate, unit);
  return { price: priceText(texts.locale, shown), note: texts.pricedAt(rate, unit) };
}

/** "0.0051": an estimate has no more than two digits that count. */
const solOf = (texts: Catalogue, lamports: bigint): string =>
  new Intl.NumberFormat(texts.locale, { maximumSignificantDigits: 2 }).format(Number(lamports) / 1e9);

/** The network's cost, if it is known before a wallet is: "0.0051 SOL (about €0.77)". */
export function costText(texts: Catalogue, view: Pick<CheckoutView, "cost" | "solRate" | "business">): string {
  const { cost } = view;
  if (cost === null) return texts.costLater;
  const rate = solRateOf(view);
  const value = rate === null ? "" : texts.script.costWorth.replace("{value}", worthOf(texts, rate, cost.lamports));
  const all = `${solOf(texts, cost.lamports)} SOL${value}`;
  return (cost.maySponsor ? texts.costUnlessSponsored : texts.costAbout)(all, `${solOf(texts, cost.backLamports)} SOL`);
}

/** The part of the network's cost that comes back, and its times. The script fills in the exact sums. */
export const costMore = (texts: Catalogue, cost: CostEstimate): string =>
  texts.script.costMore
    .replace("{back}", solOf(texts, cost.backLamports))
    .replace("{later}", solOf(texts, cost.lamports - cost.backLamports - cost.tombstoneLamports));

/** What one SOL is worth in the business's currency, where both are known. */
export const solRateOf = ({ solRate, business }: Pick<CheckoutView, "solRate" | "business">): SolRate | null =>
  solRate === null || business.reportingCurrency === null
    ? null
    : { currency: business.reportingCurrency, rate: Number(solRate) };

const unitOf = (texts: Catalogue, count: number, unit: "day" | "hour" | "minute"): string =>
  new Intl.NumberFormat(texts.locale, { style: "unit", unit, unitDisplay: "long" }).format(count);

/** "2 days 4 hours", "23 hours 59 minutes", "4 minutes". The page's script counts down in the same form. */
export function timeLeftText(texts: Catalogue, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return texts.lessThanAMinute;
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60), minutes % 60];
  if (days > 0) return join([unitOf(texts, days, "day"), hours > 0 && unitOf(texts, hours, "hour")]);
  return join([hours > 0 && unitOf(texts, hours, "hour"), rest > 0 && unitOf(texts, rest, "minute")]);
}
const join = (parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join(" ");

/** "Sat, 28 Nov 2026, 23:40 UTC"; the page's script shows it in the reader's time zone. */
export const timeText = (texts: Catalogue, time: Date): string =>
  new Intl.DateTimeFormat(texts.locale, { ...TIME_FORMAT, timeZone: "UTC" }).format(time);
export const TIME_FORMAT = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

/** A reason why a shop may not deliver: a payment in time that was found later is as good as any other (§3.1.8). */
export const lateTextOf = <Text>(
  late: Readonly<Record<Exclude<LateReason, "found_after_expiry">, Text>>,
  reason: LateReason | null,
) => (reason === null || reason === "found_after_expiry" ? null : late[reason]);
