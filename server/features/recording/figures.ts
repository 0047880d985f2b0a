import { COUNTED_MAX, queriedFigure } from "../../edge/http/figures.ts";
import type { Figure } from "../../edge/http/metrics.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { EACH_CHAIN } from "../chains/fragments.ts";
import { HOLDS, isUnreadable } from "./fragments.ts";

const countInbox = (condition: Sql): Sql => sql`
  select c.environment, (
    select count(*) from (select from chain_inbox where ${condition} limit ${COUNTED_MAX}::integer) counted) as value
  from ${EACH_CHAIN}`;

/** The number of transactions that wait to be recorded, and what holds the watermark. */
export const recordingFigures = (db: Db): readonly Figure[] => [
  queriedFigure(
    db,
    {
      name: "holdfast_inbox_unread",
      help: `Transactions of the operator that wait to be read, counted up to ${COUNTED_MAX}.`,
      labels: ["environment"],
    },
    countInbox(sql`environment = c.environment and not processed`),
  ),
  queriedFigure(
    db,
    {
      name: "holdfast_inbox_unreadable",
      help: `Transactions of the operator that no node returned in six attempts (half a minute) or more, counted up to ${COUNTED_MAX}. The watermark waits for them.`,
      labels: ["environment"],
    },
    countInbox(isUnreadable(sql`c.environment`)),
  ),
  queriedFigure(
    db,
    {
      name: "holdfast_sweep_held_seconds",
      help: "Age of what holds the watermark, with its reason; 0 for a reason without an age. Missing while nothing does.",
      labels: ["environment", "reason"],
    },
    sql`select environment, reason, coalesce(seconds, 0) as value from ${HOLDS}`,
  ),
];
