import type { Tone } from "@holdfast/ui/badge.tsx";
import type { Verification } from "../api/schema.ts";
import * as texts from "../catalogue/index.ts";
import type { ShowAmount } from "../objects/amount.tsx";
import { periodText } from "../objects/periods.ts";

type Rule = Verification["rules"][number];

export const VERDICT_TONES: Readonly<Record<Rule["verdict"], Tone>> = { pass: "good", fail: "bad", unknown: "neutral" };

const TONES: Readonly<Record<Verification["outcome"], Tone>> = {
  bound: "good",
  duplicate: "wait",
  already_recorded: "good",
  signature_unverified: "bad",
};

/** The assets that a verification names: the intent's, and the transaction's. */
export const assetsOf = (rules: readonly Rule[]): string[] => {
  const { expected, found } = rules.find(({ rule }) => rule === "asset") ?? { expected: null, found: null };
  return [...new Set([expected, found].filter((asset) => asset !== null))];
};

/** Shows both values of each rule for a reader: amounts in their token, periods in words. */
export function showRules(rules: readonly Rule[], showAmount: ShowAmount): Rule[] {
  const asset = rules.find(({ rule }) => rule === "asset");
  const ofAsset = (amount: string, mint: string | null | undefined) => (mint ? showAmount(amount, mint) : amount);
  return rules.map((one) => {
    const { rule, expected, found } = one;
    if (rule === "protection_period")
      return { ...one, expected: periodText(expected), found: found === null ? null : periodText(found) };
    if (rule !== "amount") return one;
    return {
      ...one,
      expected: ofAsset(expected, asset?.expected),
      found: found === null ? null : ofAsset(found, asset?.found ?? asset?.expected),
    };
  });
}

/** Explains the answer of confirm, with its tone: the terms that differ, and the difference of an amount. */
export function explainVerification(
  { outcome, reason, rules }: Verification,
  showAmount: ShowAmount,
): readonly [Tone, string] {
  const tone = TONES[outcome];
  if (reason === null) return [tone, texts.payments.verifications[outcome]];
  const shown = showRules(rules, showAmount);
  const differing = rules.flatMap((rule, place) =>
    reason === "mismatch" && rule.verdict === "fail"
      ? [difference(shown[place]!, differenceOfAmount(rule, rules, showAmount))]
      : [],
  );
  return [tone, [texts.payments.reasons[reason], ...differing].join(" ")];
}

interface Difference {
  readonly by: string;
  readonly isLess: boolean;
}

function difference({ rule, expected, found }: Rule, amount: Difference | null): string {
  if (rule !== "amount") return texts.payments.ruleDiffers(texts.payments.ruleTexts[rule], expected, found);
  if (amount === null || found === null) return texts.payments.amountDiffers(expected, found);
  return texts.payments.amountDiffersBy(expected, found, amount.by, amount.isLess);
}

/** Returns the difference of two amounts; null for amounts of two tokens. */
function differenceOfAmount(
  { rule, expected, found }: Rule,
  rules: readonly Rule[],
  showAmount: ShowAmount,
): Difference | null {
  const [asset, other] = assetsOf(rules);
  if (rule !== "amount" || found === null || asset === undefined || other !== undefined) return null;
  const less = BigInt(expected) - BigInt(found);
  return { by: showAmount(String(less > 0n ? less : -less), asset), isLess: less > 0n };
}
