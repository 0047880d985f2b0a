import type { Role } from "./roles.ts";
import type { Environment } from "./terms.ts";

/** What an API key may do (§5.10): `read` makes only requests that change nothing. */
export const KEY_SCOPES = ["full", "read"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The caller of the merchant API: a business, by one of its API keys. The key decides business and environment (§5). */
export interface Merchant {
  readonly businessId: string;
  readonly environment: Environment;
  readonly keyId: string;
  readonly scope: KeyScope;
  /** Of intents of the business (§2.3.5); null: as long as the deployment says. */
  readonly intentLifetimeMinutes: number | null;
}

/** The owner of intents, payments, events and whatever hangs on them; every statement about them names it first. */
export type Tenant = Pick<Merchant, "businessId" | "environment">;

/** Who acts, as the audit log names them: a signed-in user, the command line, or nobody but the service. */
export type Actor =
  | { readonly kind: "user"; readonly userId: string; readonly email: string; readonly address: string }
  | { readonly kind: "cli"; readonly name: string }
  | { readonly kind: "service" };

/** A user who is signed in to the dashboard (§13). */
export interface Staff {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
  /** Whether the user has proven who they are within the last minutes, as keys, secrets and members ask for. */
  readonly isFresh: boolean;
  /** Sees the names of all businesses of the deployment and may add one; this gives no way into any of them. */
  readonly isOperator: boolean;
  readonly isArbiter: boolean;
  /** The secret of the browser, where it sends one (§13.1.10). */
  readonly browserSecret: string | null;
  readonly actor: Actor & { readonly kind: "user" };
}

/** Someone at the dashboard, signed in or not. */
export interface Visitor {
  readonly staff: Staff | null;
  /** The network address, for limits and the audit log. */
  readonly address: string;
  readonly userAgent: string;
  /** The session's secret as the browser sent it, so that a sign-in can end it. */
  readonly sessionSecret: string | null;
  /** The secret by which the browser is known (§13.1.10), where it sends one. */
  readonly browserSecret: string | null;
  /** Reads the role of a user in a business; null: the user is no member of it. */
  readonly findRole: (businessId: string, userId: string) => Promise<Role | null>;
}

/** A user in a business of theirs. */
export interface Member extends Staff {
  readonly businessId: string;
  readonly role: Role;
}
