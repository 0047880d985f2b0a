import { type Columns, type FieldsOf, omit, type Row } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { choose, type PartsOf, rowPart, rowsPart } from "../../../store/parts.ts";
import { piece, sql } from "../../../store/sql.ts";
import { DECISIONS } from "../decision/decision.ts";
import { type Dispute, OFFERS } from "../dispute.ts";
import { FILES } from "../files/file.ts";
import { KEYS_OF_D, ofDispute } from "../parts/fragments.ts";
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

const rowsOf = <const List extends Columns>(table: string, columns: List) =>
  rowsPart(columns, "x", { from: () => sql`${piece(table)} x where ${ofDispute("x")}`, order: sql`x.number` });

/** All that a dispute `d` holds, with salts and signatures, each kind in the order in which it was sent. */
const PARTS = {
  statements: rowsOf("dispute_statements", STATEMENT),
  files: rowsOf("dispute_files", FILE),
  questions: rowsOf("dispute_questions", QUESTION),
  offers: rowsOf("dispute_offers", OFFER),
  /** The frozen record of its ruling; null without one. */
  decision: rowPart(
    DECISION,
    "f",
    () => sql`dispute_rulings r join dispute_decisions f
    on f.business_id = r.business_id and f.dispute_id = r.dispute_id and f.id = r.decision_id where ${ofDispute("r")}`,
  ),
};
const OF_D = choose(PARTS, KEYS_OF_D);
export type DisputeParts = PartsOf<typeof PARTS>;

export async function readParts(db: Db, { businessId, id }: Dispute): Promise<DisputeParts> {
  const row = await db.row<Row>(sql`
    select d.id${OF_D.columns} from disputes d ${OF_D.keys} where d.business_id = ${businessId} and d.id = ${id}`);
  return OF_D.read(row!)!;
}
