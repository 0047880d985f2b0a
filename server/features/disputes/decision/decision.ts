import { createHash, randomBytes } from "node:crypto";
import { canonicalJson } from "@holdfast/receipt";
import { newDecisionId } from "../../../domain/ids.ts";
import { digits, type FieldsOf, nullable, other, smallint, table, text, time, word } from "../../../lib/columns.ts";
import type { Dispute } from "../dispute.ts";

/** Frozen records of one dispute: an arbiter may think again, and not for ever. */
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
  /** The record is null once it is erased. */
  record: nullable(text()),
  sha256: other<Buffer>("bytea"),
  createdAt: time(),
  erasedAt: nullable(time()),
});
/** A decision of a dispute that has not ended, so its record is not erased. */
export type FrozenDecision = FieldsOf<typeof DECISIONS.columns> & { readonly record: string };

/** The place and the evidence of a decision. */
export interface DecisionBasis {
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
  dispute: Pick<Dispute, "businessId" | "environment" | "id" | "payment">,
  { genesisHash, operator, arbiter, statements, files }: DecisionBasis,
  verdict: Verdict,
  { userId, number, now }: { readonly userId: string; readonly number: number; readonly now: Date },
): FrozenDecision {
  const { businessId, id: disputeId, payment } = dispute;
  const offerId = verdict.reasons === null ? verdict.offerId : null;
  const record = canonicalJson({
    ...{ v: 1, genesis: genesisHash, operator, payment, total: verdict.total, reasons: verdict.reasons },
    ...(offerId === null ? {} : { agreement: offerId }),
    ...{ statements, files, arbiter, time: now.toISOString(), salt: randomBytes(16).toString("hex") },
  });
  return {
    ...{
      businessId,
      disputeId,
      id: newDecisionId(dispute, now),
      number,
      userId,
      arbiter,
      total: verdict.total,
      offerId,
    },
    ...{ record, sha256: createHash("sha256").update(record, "utf8").digest(), createdAt: now, erasedAt: null },
  };
}

export const hashOf = ({ sha256 }: Pick<FrozenDecision, "sha256">): string => sha256.toString("hex");
