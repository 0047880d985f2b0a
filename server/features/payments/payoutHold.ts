import { named, nullable, text, word } from "../../lib/columns.ts";

/** What keeps a due part in the escrow: the token account of who is paid, as a rule. */
export const HOLD_REASONS = ["memo_required", "account_frozen", "account_missing", "other"] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];

export interface PayoutHold {
  readonly side: "sender" | "recipient";
  readonly reason: HoldReason;
}

/** The keeper's columns of a payment that say it, in either table of payments. */
export const HOLD_COLUMNS = {
  refusal: named("keeper_refusal", nullable(text())),
  refusedSide: named("keeper_refused_side", nullable(word<PayoutHold["side"]>())),
};

const REASONS: readonly (readonly [pattern: RegExp, reason: HoldReason])[] = [
  [/^token program error 36\b/, "memo_required"],
  [/^(token program error 17|destination_frozen)\b/, "account_frozen"],
  [/^destination_missing\b/, "account_missing"],
];

/** The hold by the last try of the keeper; null if it was not refused. */
export function holdOf(row: {
  readonly refusal: string | null;
  readonly refusedSide: PayoutHold["side"] | null;
}): PayoutHold | null {
  const { refusal, refusedSide } = row;
  if (refusal === null || refusedSide === null) return null;
  const [, reason = "other"] = REASONS.find(([pattern]) => pattern.test(refusal)) ?? [];
  return { side: refusedSide, reason: reason as HoldReason };
}
