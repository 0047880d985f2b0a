import type { Tenant } from "../../domain/callers.ts";
import { endOfIntentIds, firstIntentId } from "../../domain/ids.ts";
import { readNow, statementNow } from "../../store/clock.ts";
import type { Database, Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { sameHash } from "../../store/textHash.ts";
import type { ChainContext } from "../context.ts";
import { CREATE_MS_MAX } from "./queries.ts";

/** Intents that a step looks at, to delete those that are over. */
const BATCH_MAX = 500;
/** Businesses that a step looks through for ended intents. */
const BUSINESSES_MAX = 100;
const DAY_MS = 86_400_000;
const BEFORE_ALL = "-1";

/** The intents of a tenant in one status. */
interface Ended {
  readonly tenant: Tenant;
  readonly status: string;
}

/**
 * The step that deletes intents that nobody paid, `days` after their expiry (§10.17). `intent_is_over` has the rule, and the
 * database refuses to delete any other. A pass goes through the businesses, through the ended intents of each from the oldest
 * on, past a business that fails; a worker that begins anew finds again what is left. Returns true until the pass is through.
 */
export function createIntentRetention({ database, chain }: ChainContext, days: number): () => Promise<boolean> {
  const { environment } = chain;
  let lastBusiness = "";
  let waiting: Ended[] = [];
  let position = BEFORE_ALL;
  return async () => {
    const [ended] = waiting;
    if (ended === undefined) {
      const rows = await listEnded(database, environment, lastBusiness);
      waiting = rows.flatMap(({ businessId, statuses }) =>
        statuses.map((status) => ({ tenant: { businessId, environment }, status })),
      );
      const isThrough = rows.length < BUSINESSES_MAX;
      lastBusiness = isThrough ? "" : rows.at(-1)!.businessId;
      return waiting.length > 0 || !isThrough;
    }
    const from = position;
    // A failure leaves its business behind.
    waiting = waiting.slice(1);
    position = BEFORE_ALL;
    const { examined, last } = await deleteOver(database, ended, from, days);
    if (examined === BATCH_MAX) {
      waiting = [ended, ...waiting];
      position = last!;
    }
    return waiting.length > 0 || lastBusiness !== "";
  };
}

const inStatus = (business: Sql, environment: Sql, status: Sql): Sql => sql`
  ${sameHash(sql`i.business_id || i.environment || i.status`, sql`${business} || ${environment} || ${status}`)}
  and i.business_id = ${business} and i.environment = ${environment} and i.status = ${status} and i.status <> 'requires_payment'`;

/** The next businesses, each with the statuses in which it has ended intents. */
const listEnded = (database: Database, environment: string, after: string) =>
  database.rows<{ businessId: string; statuses: string[] }>(sql`
    select b.id as "businessId", array(
        select s.status from unnest(array['expired', 'canceled']) s (status)
        where exists (select from intents i where ${inStatus(sql`b.id`, sql`${environment}::text`, sql`s.status`)})) as statuses
    from businesses b where b.id > ${after} order by b.id limit ${BUSINESSES_MAX}::integer`);

/** Looks at a batch of ended intents behind a position, and deletes those that are over. */
async function deleteOver(
  db: Db,
  { tenant, status }: Ended,
  position: string,
  days: number,
): Promise<{ readonly examined: number; readonly last: string | null }> {
  const { businessId, environment } = tenant;
  const now = await readNow(db, environment);
  // No intent behind this one in its business's list was created early enough.
  const newer = firstIntentId(tenant, new Date(now.getTime() - days * DAY_MS + CREATE_MS_MAX));
  const row = await db.row<{ examined: number; last: string | null }>(sql`
    with examined as materialized (
      select i.id, i.list_position from intents i
      where ${inStatus(sql`${businessId}::text`, sql`${environment}::text`, sql`${status}::text`)}
        and i.list_position > ${position}::bigint and i.list_position < coalesce((
          select n.list_position from intents n
          where n.business_id = ${businessId} and n.id >= ${newer} and n.id < ${endOfIntentIds(tenant)}
          order by n.id limit 1), 9223372036854775807)
      order by i.list_position limit ${BATCH_MAX}::integer),
    over as materialized (
      select o.id from examined e cross join lateral (
        select i.id from intents i
        where i.id = e.id and i.expires_at < ${statementNow(environment)} - make_interval(days => ${days}::integer)
          and intent_is_over(i)
        for update skip locked) o),
    deleted as (delete from intents i using over o where i.id = o.id)
    select count(*)::integer as examined, max(list_position)::text as last from examined`);
  return row!;
}
