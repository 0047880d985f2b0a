import { KEY_SCOPES, type KeyScope } from "../../domain/callers.ts";
import { idColumn } from "../../domain/ids.ts";
import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import { checked, oneOf, whole } from "../../domain/values.ts";
import { type FieldsOf, integer, nullable, table, text, time, word } from "../../lib/columns.ts";

export const SECRET_EXAMPLE = "sk_test_5szw_yp57nmf05a7kw2ncd38fhcddf1bwgaxn4s7331";

/** An API key as staff see it (§5.9). The secret itself is shown once and never stored. */
export const KEYS = table("api_keys", {
  id: idColumn("key", { example: "key_test_5szw01a1fc07df8c619d8e6ec9114ad57676" }),
  businessId: word(),
  environment: word<Environment>({ of: ENVIRONMENTS, example: "test" }),
  name: nullable(text({ says: "The business's name for it; null if it has none.", example: "Shop server" })),
  last4: word({ says: "Its last four characters.", example: SECRET_EXAMPLE.slice(-4) }),
  ratePerMinute: integer({ says: "Requests it may make a minute.", example: 120, schema: { minimum: 1 } }),
  scope: word<KeyScope>({
    of: KEY_SCOPES,
    says: "`read`: it may make GET requests and verify, and nothing else. `disputes`: it may also write in disputes and record fulfillments.",
    example: "full",
  }),
  createdAt: time({ says: "The time of its creation.", example: "2026-11-20T08:30:00.000Z" }),
  rolledAt: nullable(time({ says: "The time at which it was rolled; null if it was not." })),
  expiresAt: nullable(time({ says: "The end of its grace; null if it was not rolled." })),
  revokedAt: nullable(time({ says: "The time at which it was revoked; null if it was not." })),
});
export type Key = FieldsOf<typeof KEYS.columns>;

/** The choices of the caller for a new key. */
export interface KeyOptions {
  readonly ratePerMinute?: number | undefined;
  readonly name?: string | null;
  readonly scope?: KeyScope;
}

/** The seconds for which a rolled key stays valid. */
export const KEY_GRACES = { none: 0, "1h": 3_600, "24h": 86_400, "7d": 604_800 } as const;
export type KeyGrace = keyof typeof KEY_GRACES;
export const GRACE = oneOf(Object.keys(KEY_GRACES) as KeyGrace[]);

/** The highest rate limit of a key, in requests per minute. */
export const KEY_RATE_MAX = 1_000_000;
export const KEY_RATE = whole(1, KEY_RATE_MAX, `a whole number of requests per minute, 1 to ${KEY_RATE_MAX}`);

/** 1 to 100 characters without control characters or white space at either end. */
export const KEY_NAME = checked(
  { minLength: 1, maxLength: 100 },
  "a name of 1 to 100 characters without control characters",
  (text) => /^\P{Cc}{1,100}$/u.test(text) && text.trim() === text && text.isWellFormed(),
);

export const KEY_STATES = ["active", "in_grace", "expired", "revoked"] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** A key that is `in_grace` still works, and does not count toward the five active ones. */
export function stateOf(key: Key, now: Date): KeyState {
  if (key.revokedAt !== null) return "revoked";
  if (key.expiresAt === null) return "active";
  return key.expiresAt > now ? "in_grace" : "expired";
}
