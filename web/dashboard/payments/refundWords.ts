import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import type { RefundResult } from "./money.ts";
import { type Followed, stageOf } from "./stage.ts";

/** Says the outcome of a refund before it is signed: the buyer's total, and the place of the rest. */
export function resultWords(
  payment: Followed,
  { total, rest }: RefundResult,
  { show }: Pick<ShownToken, "show">,
  isOurs: boolean,
): string {
  const words = texts.refund.result;
  if (rest === "0") return words.all(show(total));
  const stage = stageOf(payment);
  if (stage === "disputed") return words.partOfDisputed(show(total), show(rest));
  if (stage === "lapsed") return words.partOfLapsed(show(total), show(rest));
  if (stage === "decided" && isOurs) return words.partOfDecided(show(total), show(rest));
  return (isOurs ? words.part : words.partOfUnmatched)(show(total), show(rest));
}

/** Lamports as SOL, exactly. */
export function solOf(lamports: bigint): string {
  const [whole, fraction] = [lamports / 1_000_000_000n, lamports % 1_000_000_000n];
  const places = String(fraction).padStart(9, "0").replace(/0+$/, "");
  return places === "" ? String(whole) : `${whole}.${places}`;
}
