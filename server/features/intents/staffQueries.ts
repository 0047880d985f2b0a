import type { Tenant } from "../../domain/callers.ts";
import { isBetween } from "../../domain/money.ts";
import { SCANNED_MAX } from "../../domain/page.ts";
import { conditionsOf } from "../../edge/http/listFilters.ts";
import { type FieldsOf, stored } from "../../lib/columns.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { selected } from "../../store/table.ts";
import { listDecimals } from "../chains/fragments.ts";
import { LISTED_MEMBERS } from "./intent.ts";
import { chosenIntents } from "./queries.ts";
import { SCAN_FILTERS, type StaffIntentQuery } from "./schema.ts";

const LISTED = stored(LISTED_MEMBERS);

/** An intent that a list has read. */
type ScannedIntent = FieldsOf<typeof LISTED> & { readonly matches: boolean };

const conditions = conditionsOf(SCAN_FILTERS);

/**
 * Reads the intents that the merchant's filters select, newest first, and says for each if it passes the others. It reads
 * no more than `SCANNED_MAX` of them, whatever the filters: creates are hot, so these have no index.
 */
export async function scanIntents(
  db: Db,
  tenant: Tenant,
  query: StaffIntentQuery,
  cursor: string | null,
  now: Date,
): Promise<{ readonly rows: readonly ScannedIntent[]; readonly isPart: boolean }> {
  const { referencePrefix, referencePart, asset, amountMin, amountMax, protectionPeriod } = query;
  const isScan = [referencePrefix, referencePart, asset, amountMin, amountMax, protectionPeriod].some(
    (value) => value !== null,
  );
  const limit = isScan ? SCANNED_MAX : query.limit + 1;
  const read = await db.rows<ScannedIntent>(sql`
    select ${selected(LISTED, "i")}, (${conditions(query)}) as matches
    from (${chosenIntents(tenant, { ...query, endingBefore: null }, cursor, now, limit)}) i
    order by i.list_position desc`);
  const isPart = read.length === limit;
  if (amountMin === null && amountMax === null) return { rows: read, isPart };
  const decimals = await listDecimals(db, tenant.environment, [...new Set(read.map((row) => row.asset))]);
  const isWithin = (row: ScannedIntent): boolean => {
    const places = decimals.get(row.asset);
    return places !== undefined && isBetween(row.amount, places, amountMin, amountMax);
  };
  return { isPart, rows: read.map((row) => ({ ...row, matches: row.matches && isWithin(row) })) };
}
