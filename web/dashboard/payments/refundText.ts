import * as texts from "../catalogue/index.ts";
import type { ShownToken } from "../objects/amount.tsx";
import type { RefundResult } from "./money.ts";
import { type Followed, stageOf } from "./stage.ts";

/** Says the outcome of a refund before it is signed: the buyer's total, and the place of the rest. */
export function resultText(
  payment: Followed,
  { total, rest }: RefundResult,
  { show }: Pick<ShownToken, "show">,
  isOurs: boolean,
): string {
  const labels = texts.refund.result;
  if (rest === "0") return labels.all(show(total));
  const stage = stageOf(payment);
  if (stage === "disputed") return labels.partOfDisputed(show(total), show(rest));
  if (stage === "lapsed") return labels.partOfLapsed(show(total), show(rest));
  if (stage === "decided" && isOurs) return labels.partOfDecided(show(total), show(rest));
  return (isOurs ? labels.part : labels.partOfUnmatched)(show(total), show(rest));
}
