import type { Environment } from "./terms.ts";

/** A business reached through one of its API keys; the key decides business and environment (§5). */
export interface Merchant {
  readonly businessId: string;
  readonly environment: Environment;
  readonly keyId: string;
}

/** Where an intent, payment or event belongs; every statement about them names it. */
export type Tenant = Pick<Merchant, "businessId" | "environment">;
