import { createHash, randomBytes } from "node:crypto";
import { canonicalJson } from "@holdfast/escrow-client";
import type { LandedRuling } from "../../../chain/ruling.ts";
import { newDecisionId } from "../../../domain/ids.ts";
import {
  digits,
  type FieldsOf,
  nullable,
  other,
  slot,
  smallint,
  table,
  text,
  time,
  word,
} from "../../../lib/columns.ts";
import type { Dispute } from "../dispute.ts";

/** Characters of the reasons of a decision. */
export const REASONS_CHARACTERS_MAX = 10_000;
/** Frozen records of one case: an arbiter may think again, and not for ever. */
export const DECISIONS_MAX = 20;

/** A frozen record (§17.1). The one whose hash landed is the decision; it is never changed. */
export const DECISIONS = table("dispute_decisions", {
  businessId: word(),
  disputeId: word(),
  id: word(),
  number: smallint(),
  userId: word(),
  arbiter: word(),
  total: digits("numeric"),
  /** The agreement that it carries out, in place of reasons. */
  offerId: nullable(word()),
  record: text(),
  sha256: other<Buffer>("bytea"),
  createdAt: time(),
});
export type FrozenDecision = FieldsOf<typeof DECISIONS.columns>;

/**
 * What the memo of a ruling is: the hash of a frozen record; a text that is none; no memo at all; none that the arbiter
 * signed; more than one that the arbiter signed.
 */
export const RULING_MEMOS = ["record", "unknown", "none", "other_signer", "several"] as const;
export type RulingMemoKind = (typeof RULING_MEMOS)[number];

/** The ruling of a case as the chain shows it. */
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

/** The place and the evidence of a decision. */
export interface DecisionCase {
  readonly genesisHash: string;
  readonly operator: string;
  readonly arbiter: string;
  /** Salted hashes of the statements and of the files, oldest first, in hex digits. */
  readonly statements: readonly string[];
  readonly files: readonly string[];
}

/** What the arbiter decides: a total with reasons, or what both sides agreed on. */
export type Verdict =
  | { readonly total: string; readonly reasons: string }
  | { readonly total: string; readonly reasons: null; readonly offerId: string };

/** Freezes a record: in canonical JSON (RFC 8785), with a salt, so that nobody can guess reasons by their hash. */
export function draftDecision(
  { businessId, id: disputeId, payment }: Pick<Dispute, "businessId" | "id" | "payment">,
  { genesisHash, operator, arbiter, statements, files }: DecisionCase,
  verdict: Verdict,
  { userId, number, now }: { readonly userId: string; readonly number: number; readonly now: Date },
): FrozenDecision {
  const offerId = verdict.reasons === null ? verdict.offerId : null;
  const record = canonicalJson({
    ...{ v: 1, genesis: genesisHash, operator, payment, total: verdict.total, reasons: verdict.reasons },
    ...(offerId === null ? {} : { agreement: offerId }),
    ...{ statements, files, arbiter, time: now.toISOString(), salt: randomBytes(16).toString("hex") },
  });
  return {
    ...{ businessId, disputeId, id: newDecisionId(now), number, userId, arbiter, total: verdict.total, offerId },
    ...{ record, sha256: createHash("sha256").update(record, "utf8").digest(), createdAt: now },
  };
}

export const hashOf = ({ sha256 }: Pick<FrozenDecision, "sha256">): string => sha256.toString("hex");

/** The reasons of a frozen record; null for one that carries out an agreement. */
export const reasonsOf = (record: string): string | null =>
  (JSON.parse(record) as { readonly reasons: string | null }).reasons;

const HASH = /^[0-9a-f]{64}$/;
/** The hash that the memo of a ruling names; null if it is none. */
export const memoHash = ({ memo }: Pick<LandedRuling, "memo">): string | null =>
  memo.text !== null && HASH.test(memo.text) ? memo.text : null;

/**
 * The ruling of a case, with the frozen record of its memo if there is one. A record of another total is none of it: the
 * wallet signed something else.
 */
export function draftRuling(
  { businessId, id: disputeId }: Pick<Dispute, "businessId" | "id">,
  landed: LandedRuling,
  frozen: Pick<FrozenDecision, "id" | "offerId" | "total" | "arbiter"> | null,
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
