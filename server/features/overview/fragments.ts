import { omit } from "../../lib/columns.ts";
import { Lru } from "../../lib/lru.ts";
import { piece, type Sql, sql } from "../../store/sql.ts";
import { columnNames, fieldRows } from "../../store/table.ts";
import {
  ALL_DAYS,
  type DayTotals,
  draftDifferences,
  PAYMENT_DAYS,
  type PaymentsChange,
  SUM_COLUMNS,
} from "./dayTotals.ts";

const NAMES = columnNames(PAYMENT_DAYS.columns);
const KEY = columnNames(omit(PAYMENT_DAYS.columns, ...(Object.keys(SUM_COLUMNS) as (keyof typeof SUM_COLUMNS)[])));
const differenceRows = fieldRows("d", PAYMENT_DAYS.columns);
const SUM_NAMES = columnNames(SUM_COLUMNS).strings[0]!.split(", ");
const ADDED = piece(SUM_NAMES.map((name) => `${name} = t.${name} + excluded.${name}`).join(", "));
const SUMMED = piece(SUM_NAMES.map((name) => `sum(${name})`).join(", "));
const ZEROS = piece(SUM_NAMES.map(() => "0").join(", "));

/** The months of tenants and tokens whose days this process has made. Forgetting one costs a look-up, no more. */
const madeMonths = new Lru<string, true>(20_000);

/** Returns true if the days of all months of the rows are made; from now on they count as made. */
function areMonthsMade(differences: readonly DayTotals[]): boolean {
  let areMade = true;
  for (const { businessId, environment, asset, day } of differences) {
    if (day === ALL_DAYS) continue;
    const month = `${businessId} ${environment} ${asset} ${day.slice(0, 7)}`;
    if (madeMonths.get(month)) continue;
    madeMonths.set(month, true);
    areMade = false;
  }
  return areMade;
}

/** The differences, and all days of their months that have none yet: see the table. */
const WITH_MONTHS = sql`
      select ${KEY}, ${SUMMED} from (
        select ${NAMES} from differences
        union all
        select m.business_id, m.environment, m.asset, n::date, ${ZEROS}
        from (
          select distinct business_id, environment, asset, date_trunc('month', day::timestamp) as month
          from differences where day < 'infinity') m
          cross join lateral generate_series(m.month, m.month + interval '1 month' - interval '1 day', interval '1 day') n
        where not exists (
          select from payment_days x
          where x.business_id = m.business_id and x.environment = m.environment and x.asset = m.asset and x.day = m.month::date)) d
      group by ${KEY}`;

/**
 * CTEs, each with a comma before it, by which a statement that changes payments moves the sums of their days; none if no
 * sum moves. `recordedEvents` is the statement's CTE of its events: their counters are locked before the rows of days,
 * and those in one order, so that no two statements wait for each other.
 */
export function moveDayTotals(changes: readonly PaymentsChange[], recordedEvents: Sql): Sql {
  const differences = draftDifferences(changes);
  if (differences.length === 0) return sql``;
  const rows = areMonthsMade(differences) ? sql`select ${NAMES} from differences` : WITH_MONTHS;
  return sql`,
    differences as (
      select ${NAMES} from ${differenceRows(differences)} where (select count(*) from ${recordedEvents}) >= 0),
    day_totals as (
      insert into payment_days as t (${NAMES}) ${rows} order by ${KEY}
      on conflict (business_id, environment, asset, day) do update set ${ADDED})`;
}
