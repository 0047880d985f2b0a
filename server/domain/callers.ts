import type { Environment } from "./terms.ts";

/** The caller of the merchant API: a business, by one of its API keys. The key decides business and environment (§5). */
export interface Merchant {
  readonly businessId: string;
  readonly environment: Environment;
  readonly keyId: string;
}

/** The owner of intents, payments, events and whatever hangs on them; every statement about them names it first. */
export type Tenant = Pick<Merchant, "businessId" | "environment">;
