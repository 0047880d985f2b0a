import type { LandedRuling } from "../../chain/port.ts";
import { digits, type FieldsOf, nullable, slot, table, time, word } from "../../lib/columns.ts";

/** Characters of the reasons of a decision. */
export const REASONS_CHARACTERS_MAX = 10_000;

/**
 * What the memo of a ruling is: the hash of a frozen record; a text that is none; no memo at all; none that the arbiter
 * signed; more than one that the arbiter signed.
 */
export const RULING_MEMOS = ["record", "unknown", "none", "other_signer", "several"] as const;
export type RulingMemoKind = (typeof RULING_MEMOS)[number];

/** The ruling of a dispute as the chain shows it. */
export const RULINGS = table("dispute_rulings", {
  businessId: word(),
  disputeId: word(),
  signature: word(),
  slot: slot(),
  arbiter: word(),
  total: digits("numeric"),
  memo: word<RulingMemoKind>(),
  decisionId: nullable(word()),
  offerId: nullable(word()),
  /** Hex digits; null unless the memo is a hash. */
  sha256: nullable(word()),
  ruledAt: time(),
});
export type Ruling = FieldsOf<typeof RULINGS.columns>;

/** The reasons of a frozen record; null for one that carries out an agreement. */
export const reasonsOf = (record: string): string | null =>
  (JSON.parse(record) as { readonly reasons: string | null }).reasons;

/** The ruling that has ended a dispute, as receipts have it. */
export interface ReceiptDecision extends Pick<Ruling, "memo" | "total" | "sha256" | "arbiter"> {
  readonly transaction: string;
  readonly ruledAtMs: number;
  /** The frozen record that its memo names; null if there is none. */
  readonly record: string | null;
  /** The time at which the record was erased; null if it was not. */
  readonly erasedAtMs: number | null;
}

const HASH = /^[0-9a-f]{64}$/;
/** The hash that the memo of a ruling names; null if it is none. */
export const memoHash = ({ memo }: Pick<LandedRuling, "memo">): string | null =>
  memo.text !== null && HASH.test(memo.text) ? memo.text : null;

/** The parts of a frozen record that its ruling is compared with. */
export interface FrozenParts {
  readonly id: string;
  readonly offerId: string | null;
  readonly total: string;
  readonly arbiter: string;
}

/**
 * The ruling of a dispute, with the frozen record of its memo if there is one. A record of another total is none of it: the
 * wallet signed something else.
 */
export function draftRuling(
  { businessId, id: disputeId }: { readonly businessId: string; readonly id: string },
  landed: LandedRuling,
  frozen: FrozenParts | null,
  transaction: { readonly signature: string; readonly slot: number; readonly ruledAt: Date },
): Ruling {
  const { arbiter, total, memo } = landed;
  const isIts = frozen !== null && frozen.total === total && frozen.arbiter === arbiter;
  return {
    ...{ businessId, disputeId, arbiter, total, ...transaction },
    memo: memo.kind !== "one" ? memo.kind : isIts ? "record" : "unknown",
    decisionId: isIts ? frozen.id : null,
    offerId: isIts ? frozen.offerId : null,
    sha256: memoHash(landed),
  };
}
