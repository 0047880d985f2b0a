import { ActionError } from "../../domain/actionError.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { jsonFields } from "../../store/table.ts";
import { OWN_PROFILE } from "./business.ts";

const FOREIGN_KEY_VIOLATION = "23503";

/** For an insert under a business: turns the refusal of the foreign key into an error that names the business. */
export const explainMissingBusiness =
  (businessId: string) =>
  (error: unknown): never => {
    if (error instanceof Error && "code" in error && error.code === FOREIGN_KEY_VIOLATION)
      throw new ActionError("business_not_found", `There is no business ${businessId}.`);
    throw error;
  };

/** The `BusinessProfile` of the row of `businesses` that a statement calls `b`, as one JSON column. */
export const PROFILE_OF_B: Sql = sql`json_build_object(${jsonFields("b", OWN_PROFILE)},
    'refundPolicy', (select r.body from refund_policies r where r.business_id = b.id and r.hash = b.refund_policy_hash))`;
