import type { Tenant } from "../../../domain/callers.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";
import { selected } from "../../../store/table.ts";
import { SHOWN_FILE, type ShownFile } from "./file.ts";

/** All files of a case, oldest first: few, by their limits. */
export const listFiles = (db: Db, { businessId }: Tenant, disputeId: string): Promise<ShownFile[]> =>
  db.rows<ShownFile>(sql`
    select ${selected(SHOWN_FILE, "f")} from dispute_files f
    where f.business_id = ${businessId} and f.dispute_id = ${disputeId} order by f.number`);
