import type { Tone } from "@holdfast/ui/badge.tsx";
import type { Verification } from "../api/schema.ts";
import type { ShowAmount } from "../objects/amount.tsx";
import { periodWords } from "../objects/terms.ts";

type Rule = Verification["rules"][number];

/** What each rule asks. */
export const RULE_TEXTS: Readonly<Record<Rule["rule"], string>> = {
  found: "The chain knows the transaction",
  confirmed: "It is confirmed",
  succeeded: "It succeeded",
  payment_id: "It made a payment with the intent's paymentId",
  recipient: "The recipient is the intent's",
  amount: "The amount is the intent's",
  asset: "The asset is the intent's",
  protection_period: "The protection period is the intent's",
};

export const VERDICTS: Readonly<Record<Rule["verdict"], readonly [Tone, string]>> = {
  pass: ["good", "Pass"],
  fail: ["bad", "Fail"],
  unknown: ["neutral", "Unknown"],
};

const OUTCOMES: Readonly<Record<Verification["outcome"], readonly [Tone, string]>> = {
  bound: ["good", "It pays this intent. The sweep binds it within moments; confirm binds it at once."],
  duplicate: ["wait", "The intent is paid already. This is recorded as a further payment of it: refund it, as a rule."],
  already_recorded: ["good", "It is recorded as a payment of this intent."],
  signature_unverified: ["bad", "It does not pay this intent."],
};

const REASONS: Readonly<Record<NonNullable<Verification["reason"]>, string>> = {
  not_found: "The chain does not know the transaction, or not yet.",
  not_confirmed: "The transaction is not confirmed yet. Look again in a few seconds.",
  failed: "The transaction failed on chain: nothing was paid. The buyer may send another.",
  no_payment_for_intent: "The transaction made no payment for this intent.",
  mismatch: "A payment was made, but not on the intent's terms, so it is not bound.",
};

/** The assets that a verification names: the intent's, and the one that was found. */
export const assetsOf = (rules: readonly Rule[]): string[] => {
  const { expected, found } = rules.find(({ rule }) => rule === "asset") ?? { expected: null, found: null };
  return [...new Set([expected, found].filter((asset) => asset !== null))];
};

/** Both values of each rule, as a reader has them: amounts in their token, periods in words. */
export function showRules(rules: readonly Rule[], showAmount: ShowAmount): Rule[] {
  const asset = rules.find(({ rule }) => rule === "asset");
  const ofAsset = (amount: string, mint: string | null | undefined) => (mint ? showAmount(amount, mint) : amount);
  return rules.map((one) => {
    const { rule, expected, found } = one;
    if (rule === "protection_period")
      return { ...one, expected: periodWords(expected), found: found === null ? null : periodWords(found) };
    if (rule !== "amount") return one;
    return {
      ...one,
      expected: ofAsset(expected, asset?.expected),
      found: found === null ? null : ofAsset(found, asset?.found ?? asset?.expected),
    };
  });
}

/** What confirm would answer, in a word's colour and in words: which terms differ, and an amount by how much. */
export function explainVerification(
  { outcome, reason, rules }: Verification,
  showAmount: ShowAmount,
): readonly [Tone, string] {
  const [tone, text] = OUTCOMES[outcome];
  if (reason === null) return [tone, text];
  const shown = showRules(rules, showAmount);
  const differing = rules.flatMap((rule, place) =>
    reason === "mismatch" && rule.verdict === "fail"
      ? [difference(shown[place]!, missing(rule, rules, showAmount))]
      : [],
  );
  return [tone, [REASONS[reason], ...differing].join(" ")];
}

const difference = ({ rule, expected, found }: Rule, by: string): string =>
  rule === "amount"
    ? `The amount is ${found ?? "not there"}, and ${expected} was asked for${by}.`
    : `${RULE_TEXTS[rule]}: ${expected} was asked for, and ${found ?? "nothing"} was found.`;

/** By how much an amount differs; nothing between amounts of two tokens. */
function missing({ rule, expected, found }: Rule, rules: readonly Rule[], showAmount: ShowAmount): string {
  const [asset, other] = assetsOf(rules);
  if (rule !== "amount" || found === null || asset === undefined || other !== undefined) return "";
  const less = BigInt(expected) - BigInt(found);
  return less > 0n ? `: ${showAmount(String(less), asset)} less` : `: ${showAmount(String(-less), asset)} more`;
}
