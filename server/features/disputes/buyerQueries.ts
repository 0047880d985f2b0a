import type { Row } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { paymentReader } from "../payments/fragments.ts";
import type { Dispute } from "./dispute.ts";
import { DISPUTE_WITH_PARTS, readDisputeRow } from "./fragments.ts";
import { ID_OF_DISPUTE, TALK_OF_D } from "./parts/fragments.ts";
import type { ProvablePayment } from "./proof/queries.ts";
import { findDispute } from "./queries.ts";

/** The content of a dispute's page; null before the dispute. */
export async function findContent(db: Db, { businessId, payment }: ProvablePayment) {
  const row = await db.row<Row>(sql`
    select ${DISPUTE_WITH_PARTS}${TALK_OF_D.columns} from disputes d ${TALK_OF_D.keys}
    where d.business_id = ${businessId} and d.payment_address = ${payment}`);
  return row === null ? null : { dispute: readDisputeRow(row), ...TALK_OF_D.read(row)! };
}

const readPayments = paymentReader({ disputeId: ID_OF_DISPUTE });

/** The dispute of the payment at an address, which establishes the business. */
export async function findDisputeOf(db: Db, address: string): Promise<Dispute | null> {
  const [found] = await readPayments(db, [address]);
  if (found === undefined || found.order === null || found.disputeId === null) return null;
  const tenant = { businessId: found.order.businessId, environment: found.payment.environment };
  return findDispute(db, tenant, found.disputeId);
}
