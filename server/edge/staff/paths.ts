import { Type } from "typebox";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import { choice } from "../http/schemas.ts";

/** The routes of a business, and of one of its environments. */
export const IN_BUSINESS = "/businesses/:business";
export const IN_TENANT = `${IN_BUSINESS}/:environment`;

/** The example of every staff route's documentation. */
export const BUSINESS_ID = "biz_01a1fc06b1cd6aa165e96a8ab2d2e7fc";

/** The path of a route within a business. */
export const businessPath = {
  business: { schema: Type.String(), description: "The business's id.", example: BUSINESS_ID },
} as const;

/** The path of a route within a business and one of its environments. */
export const tenantPath = {
  ...businessPath,
  environment: { schema: choice(ENVIRONMENTS), description: "The environment.", example: "test" },
} as const;
