import type { Commitment } from "../../chain/consensus.ts";
import type { UnverifiedReason } from "../../domain/errors.ts";
import type { JsonText } from "../../domain/show.ts";
import { mismatches, TERMS, type Term } from "../../domain/terms.ts";
import type { Outcome } from "./decide/decision.ts";
import type { IntentTerms } from "./decide/queries.ts";
import type { Examination } from "./examination.ts";

/** §4.11: the rule of each term, by the term's name in the API. */
const RULE_OF_TERM: Readonly<Record<Term, RuleName>> = {
  recipient: "recipient",
  amount: "amount",
  asset: "asset",
  protectionPeriod: "protection_period",
};
/** The order in which rules are checked and shown (§4.11.1). */
export const RULES = [
  "found",
  "confirmed",
  "succeeded",
  "payment_id",
  "recipient",
  "amount",
  "asset",
  "protection_period",
] as const;
type RuleName = (typeof RULES)[number];
export const VERDICTS = ["pass", "fail", "unknown"] as const;

export interface Rule {
  readonly rule: RuleName;
  readonly verdict: (typeof VERDICTS)[number];
  readonly expected: string;
  /** The value on chain; null if it is unknown, or belongs to another intent. */
  readonly found: string | null;
}

/** The rules of a binding, each with its verdict (§4.11). Rules that could not be read are `unknown`. */
export function draftRules(intent: IntentTerms, examined: Examination, commitment: Commitment): Rule[] {
  const shown = shownPayment(intent, examined);
  const found = new Map<RuleName, string | null>();
  found.set("found", examined.kind === "not_found" ? "not_found" : "found");
  if (examined.kind !== "not_found")
    found.set("confirmed", examined.kind === "not_confirmed" ? "not_confirmed" : commitment);
  if (examined.kind === "failed" || examined.kind === "landed")
    found.set("succeeded", examined.kind === "failed" ? "failed" : "succeeded");
  if (examined.kind === "landed") {
    const isMade = shown !== null || examined.closings.length > 0;
    // The ids of the transaction's other payments belong to other intents.
    found.set("payment_id", isMade ? intent.paymentId : null);
    if (shown !== null) for (const term of TERMS) found.set(RULE_OF_TERM[term], shown.payment[term]);
  }
  const expected: Readonly<Record<RuleName, string>> = {
    found: "found",
    confirmed: commitment,
    succeeded: "succeeded",
    payment_id: intent.paymentId,
    recipient: intent.recipient,
    amount: intent.amount,
    asset: intent.asset,
    protection_period: intent.protectionPeriod,
  };
  return RULES.map((rule) => ({
    rule,
    verdict: !found.has(rule) ? "unknown" : found.get(rule) === expected[rule] ? "pass" : "fail",
    expected: expected[rule],
    found: found.get(rule) ?? null,
  }));
}

/** The payment by which confirm would decide: the first that matches, else the first of the intent. */
function shownPayment(intent: IntentTerms, examined: Examination) {
  if (examined.kind !== "landed") return null;
  const matching = examined.payments.find(({ payment }) => mismatches(intent, payment).length === 0);
  return matching ?? examined.payments[0] ?? null;
}

export interface Verification {
  readonly outcome: Outcome | "signature_unverified";
  readonly reason: UnverifiedReason | null;
  readonly rules: readonly Rule[];
}

/** §4.11. */
export const showVerification = ({ outcome, reason, rules }: Verification): JsonText =>
  JSON.stringify({ object: "verification", outcome, reason, rules }) as JsonText;
