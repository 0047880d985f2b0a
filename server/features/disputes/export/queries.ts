import { type FieldsOf, omit } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { selected } from "../../../store/table.ts";
import { DECISIONS } from "../decision/decision.ts";
import { type Dispute, OFFERS } from "../dispute.ts";
import { FILES } from "../files/file.ts";
import { QUESTIONS } from "../question.ts";
import { STATEMENTS } from "../statement.ts";

const STATEMENT = omit(STATEMENTS.columns, "businessId", "disputeId", "ofSide", "day", "ofDay");
const OFFER = omit(OFFERS.columns, "businessId", "disputeId");
const FILE = omit(FILES.columns, "businessId", "disputeId", "ofSide");
const QUESTION = omit(QUESTIONS.columns, "businessId", "disputeId");
const DECISION = omit(DECISIONS.columns, "businessId", "disputeId");

export type ExportedStatement = FieldsOf<typeof STATEMENT>;
export type ExportedFile = FieldsOf<typeof FILE>;
export type ExportedDecision = FieldsOf<typeof DECISION>;

/** All that a dispute holds, with salts and signatures, each kind in the order in which it was sent. */
export interface DisputeParts {
  readonly statements: readonly ExportedStatement[];
  readonly files: readonly ExportedFile[];
  readonly questions: readonly FieldsOf<typeof QUESTION>[];
  readonly offers: readonly FieldsOf<typeof OFFER>[];
  /** The frozen record of its ruling; null without one. */
  readonly decision: ExportedDecision | null;
}

export async function readParts(db: Db, { businessId, id, ruling }: Dispute): Promise<DisputeParts> {
  const ofDispute = sql`business_id = ${businessId} and dispute_id = ${id}`;
  return {
    statements: await db.rows(sql`
      select ${selected(STATEMENT, "s")} from dispute_statements s where ${ofDispute} order by number`),
    files: await db.rows(sql`select ${selected(FILE, "f")} from dispute_files f where ${ofDispute} order by number`),
    questions: await db.rows(sql`
      select ${selected(QUESTION, "q")} from dispute_questions q where ${ofDispute} order by number`),
    offers: await db.rows(sql`select ${selected(OFFER, "o")} from dispute_offers o where ${ofDispute} order by number`),
    decision: await db.row(sql`
      select ${selected(DECISION, "f")} from dispute_decisions f
      where ${ofDispute} and id = ${ruling?.decisionId ?? null}::text`),
  };
}
