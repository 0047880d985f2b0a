import type { Role } from "./roles.ts";
import type { Environment } from "./terms.ts";

/**
 * The scopes of an API key (§5.10): `read` makes only requests that change nothing, `disputes` also the writes of disputes
 * and fulfillments.
 */
export const KEY_SCOPES = ["full", "read", "disputes"] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The caller of the merchant API: a business, by one of its API keys. The key decides business and environment (§5). */
export interface Merchant {
  readonly businessId: string;
  readonly environment: Environment;
  readonly keyId: string;
  readonly scope: KeyScope;
  /** The lifetime of the business's intents (§2.3.5); null: the deployment's default. */
  readonly intentLifetimeMinutes: number | null;
}

/** The owner of intents, payments, events and everything that belongs to them; every statement about them names it first. */
export type Tenant = Pick<Merchant, "businessId" | "environment">;

/** The actor of an action, as the audit log names it: a signed-in user, the command line, or the service itself. */
export type Actor =
  | { readonly kind: "user"; readonly userId: string; readonly email: string; readonly address: string }
  | { readonly kind: "cli"; readonly name: string }
  /** A user at the arbiter's desk: a business reads neither who it is nor from which address. */
  | { readonly kind: "arbiter"; readonly userId: string }
  | { readonly kind: "service" };

/** A user who is signed in to the dashboard (§13). */
export interface Staff {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly sessionId: string;
  /** True if the user has proven their identity within the last minutes, as changes of keys, secrets and members require. */
  readonly isFresh: boolean;
  /** True: sees the names of all businesses of the deployment and may add one. This gives no access to any of them. */
  readonly isOperator: boolean;
  readonly isArbiter: boolean;
  /** The secret of the browser, if it sent one (§13.1.10). */
  readonly browserSecret: string | null;
  /** True: roles that groups of the company's provider give count in this session (§13.24). */
  readonly isCompany: boolean;
  readonly actor: Actor & { readonly kind: "user" };
}

/** A person at the dashboard, signed in or not. */
export interface Visitor {
  readonly staff: Staff | null;
  /** The network address, for limits and the audit log. */
  readonly address: string;
  readonly userAgent: string;
  /** The session's secret as the browser sent it, so that a sign-in can end it. */
  readonly sessionSecret: string | null;
  /** The secret that identifies the browser (§13.1.10), if it sent one. */
  readonly browserSecret: string | null;
  /** The secret of the browser's way to the company's provider and back, if it sent one (§13.24). */
  readonly companySecret: string | null;
  /** Reads the role of a user in a business; null if the user is not a member. */
  readonly findRole: (businessId: string, staff: Pick<Staff, "userId" | "isCompany">) => Promise<Role | null>;
}

/** A user in one of their businesses. */
export interface Member extends Staff {
  readonly businessId: string;
  readonly role: Role;
}
