import type { Tenant } from "../../domain/callers.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { HOLD_HOURS } from "./recipient.ts";

export const HOLD: Sql = sql`make_interval(hours => ${HOLD_HOURS}::integer)`;

/** True if the rule of a row `o` of `saved_recipients_only` holds now, by real time. */
export const RULE_HOLDS: Sql = sql`(o.ends_at is null or o.ends_at > now())`;

/**
 * True if an intent of a row `a` may name its `recipient` (§13.11.6). Reads one row by key in each table, and only
 * `saved_recipients_only` if the tenant has no rule, as for nearly every create.
 */
export const RECIPIENT_ALLOWED: Sql = sql`
  coalesce((
    select (select true from saved_recipients r
      where r.business_id = a.business_id and r.environment = a.environment and r.address = a.recipient
        and r.added_at <= greatest(o.since, now() - ${HOLD})) is not null
    from saved_recipients_only o
    where o.business_id = a.business_id and o.environment = a.environment and ${RULE_HOLDS}), true)`;

/** True if the tenant saved the address `recipient` of a row `u` with its `environment`. */
export const isSavedRecipient = (businessId: string): Sql => sql`
  exists (select from saved_recipients r
    where r.business_id = ${businessId} and r.environment = u.environment and r.address = u.recipient)`;

/** The addresses of the tenant's saved recipients, 50 at most. */
export const savedRecipients = ({ businessId, environment }: Tenant): Sql => sql`
  select r.address from saved_recipients r where r.business_id = ${businessId} and r.environment = ${environment}`;

/** The environments of a business whose creates may name saved recipients only, as one JSON column of the business `b`. */
export const SAVED_ONLY_OF_B: Sql = sql`
  (select json_agg(json_build_object('environment', o.environment, 'endsAt', o.ends_at) order by o.environment)
    from saved_recipients_only o where o.business_id = b.id and ${RULE_HOLDS})`;
