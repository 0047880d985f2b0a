import type { KeyScope } from "../../domain/callers.ts";
import type { Environment } from "../../domain/terms.ts";

/** An API key as staff see it (§5.9). The secret itself is shown once and never stored. */
export interface Key {
  readonly id: string;
  readonly businessId: string;
  readonly environment: Environment;
  /** What the business calls it; null where it gave no name. */
  readonly name: string | null;
  readonly last4: string;
  readonly ratePerMinute: number;
  readonly scope: KeyScope;
  readonly createdAt: Date;
  readonly rolledAt: Date | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** What may be chosen when a key is issued. */
export interface KeyOptions {
  readonly ratePerMinute?: number | undefined;
  readonly name?: string | null;
  readonly scope?: KeyScope;
}

/** How long a rolled key stays valid, in seconds. */
export const KEY_GRACES = { none: 0, "1h": 3_600, "24h": 86_400, "7d": 604_800 } as const;
export type KeyGrace = keyof typeof KEY_GRACES;

/** Requests a minute that a key may be given at most. */
export const KEY_RATE_MAX = 1_000_000;
export const isKeyRate = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= KEY_RATE_MAX;

/** 1 to 100 characters without control characters or white space at either end. */
export const isKeyName = (text: string): boolean =>
  /^\P{Cc}{1,100}$/u.test(text) && text.trim() === text && text.isWellFormed();

export type KeyState = "active" | "in_grace" | "expired" | "revoked";

/** A key that is `in_grace` still works, and does not count toward the five active ones. */
export function stateOf(key: Key, now: Date): KeyState {
  if (key.revokedAt !== null) return "revoked";
  if (key.expiresAt === null) return "active";
  return key.expiresAt > now ? "in_grace" : "expired";
}

export interface KeyRow {
  id: string;
  business_id: string;
  environment: Environment;
  name: string | null;
  last4: string;
  rate_per_minute: number;
  scope: KeyScope;
  created_at: Date;
  rolled_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export const readKeyRow = (row: KeyRow): Key => ({
  id: row.id,
  businessId: row.business_id,
  environment: row.environment,
  name: row.name,
  last4: row.last4,
  ratePerMinute: row.rate_per_minute,
  scope: row.scope,
  createdAt: row.created_at,
  rolledAt: row.rolled_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});
