import { ActionError } from "../../domain/actionError.ts";

const FOREIGN_KEY_VIOLATION = "23503";

/** For an insert under a business: turns the refusal of the foreign key into an error that names the business. */
export const explainMissingBusiness =
  (businessId: string) =>
  (error: unknown): never => {
    if (error instanceof Error && "code" in error && error.code === FOREIGN_KEY_VIOLATION)
      throw new ActionError("business_not_found", `There is no business ${businessId}.`);
    throw error;
  };
