import { formatUnits } from "../../domain/money.ts";
import { PROTECTION_SECONDS, type ProtectionPeriod } from "../../domain/terms.ts";
import { statusAt } from "../intents/intent.ts";
import { isSettleable } from "../payments/payment.ts";
import type { CheckoutView } from "./queries.ts";

/** The symbols of well-known tokens, by the address of their mint. */
const SYMBOLS: Readonly<Record<string, string>> = {
  EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: "USDC",
  "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU": "USDC",
  Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB: "USDT",
  HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr: "EURC",
  "2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo": "PYUSD",
  CXk2AMBfi3TwaEL2468s6zP8xq9NxTXjp9gjMgzeUynM: "PYUSD",
  So11111111111111111111111111111111111111112: "SOL",
};

/** "12.5 USDC"; smallest units where the token's decimals are unknown. */
export function amountInWords({ intent, decimals }: Pick<CheckoutView, "intent" | "decimals">): string {
  const symbol = SYMBOLS[intent.asset];
  if (decimals === null) return `${intent.amount} smallest units`;
  return `${formatUnits(intent.amount, decimals)} ${symbol ?? "tokens"}`;
}

/** "7 days", "1 hour". */
export function periodInWords(period: ProtectionPeriod): string {
  const hours = PROTECTION_SECONDS[period] / 3600;
  const [count, unit] = hours < 24 ? [hours, "hour"] : [hours / 24, "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** "23 h 59 min", "4 min", "less than a minute". */
function timeLeftInWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  const days = Math.floor(minutes / 1_440);
  const hours = Math.floor((minutes % 1_440) / 60);
  const parts = [
    days > 0 ? `${days} d` : "",
    hours > 0 ? `${hours} h` : "",
    days === 0 && minutes % 60 > 0 ? `${minutes % 60} min` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

export interface StatusMessage {
  readonly tone: "waiting" | "good" | "bad";
  readonly title: string;
  readonly text: string;
}

/** The status of the payment, in words for the buyer. */
export function statusMessage({ intent, payment, now }: CheckoutView): StatusMessage {
  const status = statusAt(intent, now);
  if (status === "requires_payment")
    return {
      tone: "waiting",
      title: "Waiting for payment",
      text: `Pay within ${timeLeftInWords(intent.expiresAt.getTime() - now.getTime())}.`,
    };
  if (status === "expired")
    return { tone: "bad", title: "Expired", text: "The time to pay has passed. Ask the merchant for a new link." };
  if (status === "canceled")
    return { tone: "bad", title: "Canceled", text: "The merchant canceled this request. Do not pay it." };
  if (payment === null) throw new Error(`The paid intent ${intent.id} has no payment.`);
  const isPartlyRefunded = payment.refundTotal !== "0";
  if (payment.status === "released")
    return {
      tone: "good",
      title: "Paid and settled",
      text: isPartlyRefunded
        ? "A part of the funds went back to the buyer, the rest to the merchant."
        : "The funds went to the merchant.",
    };
  if (payment.status === "refunded")
    return { tone: "good", title: "Refunded", text: "The funds went back to the buyer." };
  if (payment.outcome !== null)
    return {
      tone: "waiting",
      title: "Paid and decided",
      text: "It is decided who gets what; the funds are about to leave the escrow.",
    };
  if (payment.status === "disputed")
    return {
      tone: "waiting",
      title: "Paid, in dispute",
      text: "The funds stay in the escrow until the dispute is resolved.",
    };
  const left = payment.protectionDeadline.getTime() - now.getTime();
  return isSettleable(payment, now)
    ? {
        tone: "good",
        title: "Paid",
        text: "The protection period is over; the funds are about to settle to the merchant.",
      }
    : {
        tone: "good",
        title: "Paid and protected",
        text: isPartlyRefunded
          ? `A part goes back to the buyer, who may dispute the rest for another ${timeLeftInWords(left)}; then it settles to the merchant.`
          : `The buyer may dispute for another ${timeLeftInWords(left)}; then the funds settle to the merchant.`,
      };
}
