import { endOfIntentIds, firstIntentId } from "../../domain/ids.ts";
import { word } from "../../lib/columns.ts";
import { readNow, statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { fieldRows } from "../../store/table.ts";
import { sameHash } from "../../store/textHash.ts";
import type { ChainContext } from "../context.ts";
import { CREATE_MS_MAX } from "./queries.ts";

/** Intents per transaction. */
const BATCH_MAX = 500;
/** Businesses per step. */
const BUSINESSES_MAX = 100;
const DAY_MS = 86_400_000;

/**
 * The step that deletes intents that nobody paid, `days` after their expiry (§10.17). `intent_is_over` has the rule, and the
 * database refuses to delete any other. A pass goes through the businesses, through each from its oldest intent on; a worker
 * that begins anew finds again what is left. Returns true until the pass is through.
 */
export function createIntentRetention(ctx: ChainContext, days: number): () => Promise<boolean> {
  const { database } = ctx;
  let last = "";
  return async () => {
    const rows = await database.rows<{ id: string }>(sql`
      select id from businesses where id > ${last} order by id limit ${BUSINESSES_MAX}::integer`);
    const ids = rows.map(({ id }) => id);
    if ((await deleteOver(database, ctx, ids, days)) === BATCH_MAX) return true;
    const isThrough = ids.length < BUSINESSES_MAX;
    last = isThrough ? "" : ids.at(-1)!;
    return !isThrough;
  };
}

const businessRows = fieldRows("b", { id: word(), newer: word(), endOfIds: word() });

/** Deletes up to a batch of the businesses' intents. Returns their number. */
async function deleteOver(
  db: Db,
  { chain: { environment } }: ChainContext,
  businessIds: readonly string[],
  days: number,
): Promise<number> {
  const now = await readNow(db, environment);
  // No intent behind this one in its business's list was created early enough.
  const newest = new Date(now.getTime() - days * DAY_MS + CREATE_MS_MAX);
  const businesses = businessIds.map((businessId) => ({
    id: businessId,
    newer: firstIntentId({ businessId, environment }, newest),
    endOfIds: endOfIntentIds({ businessId, environment }),
  }));
  const deleted = await db.rows(sql`
    with over as materialized (
      select o.business_id, o.id from ${businessRows(businesses)}
        cross join unnest(array['expired', 'canceled']) s (status)
        cross join lateral (
          select i.business_id, i.id from intents i
          where ${sameHash(sql`i.business_id || i.environment || i.status`, sql`b.id || ${environment} || s.status`)}
            and i.business_id = b.id and i.environment = ${environment} and i.status = s.status and i.status <> 'requires_payment'
            and i.list_position < coalesce((
              select n.list_position from intents n
              where n.business_id = b.id and n.id >= b.newer and n.id < b.end_of_ids
              order by n.id limit 1), 9223372036854775807)
            and i.expires_at < ${statementNow(environment)} - make_interval(days => ${days}::integer)
            and intent_is_over(i)
          order by i.list_position limit ${BATCH_MAX}::integer
          for update of i skip locked) o
      limit ${BATCH_MAX}::integer)
    delete from intents i using over o where i.business_id = o.business_id and i.id = o.id
    returning i.id`);
  return deleted.length;
}
