import type { Tone } from "@holdfast/ui/badge.tsx";
import type { Verification } from "../api/schema.ts";

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

/** What confirm would answer, in a word's colour and in words: which terms differ, and an amount by how much. */
export function explainVerification({ outcome, reason, rules }: Verification): readonly [Tone, string] {
  const [tone, text] = OUTCOMES[outcome];
  if (reason === null) return [tone, text];
  const differing = reason === "mismatch" ? rules.filter(({ verdict }) => verdict === "fail").map(difference) : [];
  return [tone, [REASONS[reason], ...differing].join(" ")];
}

function difference({ rule, expected, found }: Rule): string {
  if (rule !== "amount" || found === null)
    return `${RULE_TEXTS[rule]}: ${expected} was asked for, and ${found ?? "nothing"} was found.`;
  const less = BigInt(expected) - BigInt(found);
  const by = less > 0n ? `${less} less` : `${-less} more`;
  return `The amount is ${found}, and ${expected} was asked for: ${by}, in the asset's smallest unit.`;
}
