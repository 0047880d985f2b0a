import { COUNTED_MAX, queriedFigure } from "../../edge/http/figures.ts";
import type { Figure } from "../../edge/http/metrics.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { emailCounts } from "./email.ts";

/** The emails that wait, and what became of others. */
export const emailFigures = (db: Db): readonly Figure[] => [
  queriedFigure(
    db,
    { name: "holdfast_emails_waiting", help: `Emails that wait, counted up to ${COUNTED_MAX}.`, labels: [] },
    sql`select count(*) as value from (select from emails limit ${COUNTED_MAX}::integer) counted`,
  ),
  queriedFigure(
    db,
    { name: "holdfast_emails_oldest_seconds", help: "Time for which the oldest email has waited.", labels: [] },
    sql`select coalesce(extract(epoch from now() - min(created_at)), 0)::float as value from emails`,
  ),
  {
    name: "holdfast_emails_total",
    kind: "counter",
    help: "Attempts to send an email and their ends in this process, and emails dropped since too many wait, by outcome.",
    labels: ["outcome"],
    read: async () => [...emailCounts].map(([outcome, value]) => ({ labels: { outcome }, value })),
  },
];
