import type { Staff, Tenant } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import { missing } from "../../../edge/staff/route.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** The tenant of a case for an arbiter of the deployment; a member of its business has an interest in it. */
export async function requireHolder(db: Db, { isArbiter, userId }: Staff, dispute: string): Promise<Tenant> {
  const found = isArbiter
    ? await db.row<Tenant & { readonly isMember: boolean }>(sql`
        select d.business_id as "businessId", d.environment,
          exists (select from members m where m.business_id = d.business_id and m.user_id = ${userId}) as "isMember"
        from disputes d where d.id = ${dispute}`)
    : null;
  if (found === null) throw missing();
  const { isMember, ...tenant } = found;
  if (isMember) throw new ApiError("forbidden", "You are a member of this business. Hand the case over.");
  return tenant;
}
