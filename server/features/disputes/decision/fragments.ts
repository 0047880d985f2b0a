import type { Tenant } from "../../../domain/callers.ts";
import { pick } from "../../../lib/columns.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { selected } from "../../../store/table.ts";
import type { FrozenParts } from "../ruling.ts";
import { DECISIONS } from "./decision.ts";

const PARTS = selected(pick(DECISIONS.columns, "id", "offerId", "total", "arbiter"), "f");

/** The frozen record of a dispute with this hash; null if the dispute has none. */
export const findFrozen = (db: Db, { businessId }: Tenant, disputeId: string, hash: string) =>
  db.row<FrozenParts>(sql`
    select ${PARTS} from dispute_decisions f
    where f.business_id = ${businessId} and f.dispute_id = ${disputeId} and f.sha256 = decode(${hash}, 'hex')`);
