import { type FieldsOf, integer, nullable, table, text, time, word } from "../../../lib/columns.ts";

/** The parts of a dispute that are erased: all texts and files, a statement, a file, or the reasons of the decision. */
export type ErasedPart = "dispute" | "statement" | "file" | "reasons";

/** What was erased of a dispute, when and why (§17.6). It holds no text of the dispute. */
export const ERASURES = table("dispute_erasures", {
  businessId: word(),
  disputeId: word(),
  number: integer(),
  part: word<ErasedPart>(),
  /** The number of a statement, or the id of a file. */
  target: nullable(word()),
  cause: word<"retention" | "request">(),
  /** The operator's note of a request. */
  note: nullable(text()),
  /** The user at the command line, or `service`. */
  erasedBy: text(),
  erasedAt: time(),
});
export type Erasure = FieldsOf<typeof ERASURES.columns>;

/** An erasure that is asked for. */
export type WantedErasure = Pick<Erasure, "part" | "target" | "cause" | "note" | "erasedBy">;
