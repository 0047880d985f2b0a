import { type FieldsOf, pick, type Row } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import type { Dispute } from "./dispute.ts";
import { listFiles } from "./files/queries.ts";
import { DISPUTE_WITH_PARTS, readDisputeRow } from "./fragments.ts";
import type { ProvablePayment } from "./proof/queries.ts";
import { findGrounds, listQuestions } from "./queries.ts";
import { STATEMENTS } from "./statement.ts";

const SAID = pick(STATEMENTS.columns, "number", "side", "text", "createdAt", "erasedAt");

/** The content of a dispute's page; null before the dispute. */
export async function findContent(db: Db, { businessId, payment }: ProvablePayment) {
  const row = await db.row<Row>(sql`
    select ${DISPUTE_WITH_PARTS} from disputes d
    where d.business_id = ${businessId} and d.payment_address = ${payment}`);
  if (row === null) return null;
  const dispute = readDisputeRow(row);
  const statements = await db.rows<FieldsOf<typeof SAID>>(sql`
    select ${selected(SAID, "s")} from dispute_statements s
    where s.business_id = ${businessId} and s.dispute_id = ${dispute.id} order by s.number`);
  const files = await listFiles(db, dispute, dispute.id);
  const questions = await listQuestions(db, dispute, dispute.id);
  const grounds = await findGrounds(db, dispute);
  return { dispute, statements, files, questions, ...grounds! };
}

/** The dispute of the payment at an address, which establishes the business. */
export async function findDisputeOf(db: Db, address: string): Promise<Dispute | null> {
  const row = await db.row<Row>(sql`
    select ${DISPUTE_WITH_PARTS} from payments p
      join disputes d on d.business_id = p.business_id and d.payment_address = p.address
    where p.address = ${address}`);
  return row === null ? null : readDisputeRow(row);
}

/** The version of each dispute by its payment: what a page follows. */
export async function listDisputeVersions(db: Db, addresses: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ address: string; version: string }>(sql`
    select d.payment_address as address, d.version::text as version
    from payments p
    join disputes d on d.business_id = p.business_id and d.payment_address = p.address
    where p.address = any(${[...addresses]}::text[])`);
  return new Map(rows.map(({ address, version }) => [address, version]));
}
