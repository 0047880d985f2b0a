import { type Sql, sql } from "../../store/sql.ts";
import { EACH_CHAIN } from "../chains/fragments.ts";

/** After this many failed attempts, half a minute, a transaction counts as unreadable: no node returns it. */
export const UNREADABLE_ATTEMPTS = 6;

/** The rows of `chain_inbox` of unreadable transactions. */
export const isUnreadable = (environment: Sql): Sql =>
  sql`environment = ${environment} and not processed and attempts >= ${UNREADABLE_ATTEMPTS}::integer`;

/** A node's whole list of the history comes in every few seconds. */
const NO_LIST_SECONDS = 30;

/**
 * The relation `h` of the chains whose watermark something holds: `environment`, and the columns of a `Hold`. The first
 * reason that applies is the cause of the later ones.
 */
export const HOLDS: Sql = sql`(
  select environment, reason, case reason when 'transaction' then signature end as signature,
    floor(extract(epoch from now() - case reason when 'transaction' then open_since when 'history' then listed_at when 'no_list' then listed_at end))::integer as seconds
  from (
    select c.environment, c.listed_at, o.signature, o.listed_at as open_since, case
        when c.sweep_paused then 'paused'
        when c.page_before is not null then 'history'
        when c.listed_at is null or c.listed_at < now() - make_interval(secs => ${NO_LIST_SECONDS}::double precision) then 'no_list'
        when o.signature is not null then 'transaction'
        when c.listed_by_one then 'second_node' end as reason
    from ${EACH_CHAIN} left join lateral (
      select signature, listed_at from chain_inbox i
      where i.environment = c.environment and not i.processed and i.slot <= c.listed_slot
      order by i.slot limit 1) o on true) reasons
  where reason is not null) h`;
