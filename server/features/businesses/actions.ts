import { ActionError } from "../../domain/actionError.ts";
import type { Db } from "../../store/database.ts";
import { isBusinessName } from "./business.ts";
import { insertBusiness } from "./queries.ts";

/** Adds a business and answers with its id. Throws {@link ActionError}: `business_name_invalid`. */
export async function addBusiness(db: Db, name: string): Promise<{ id: string; name: string }> {
  if (!isBusinessName(name)) throw new ActionError("business_name_invalid", "Give a name of 1 to 100 characters.");
  return insertBusiness(db, name);
}
