import { queriedFigure } from "../../edge/http/figures.ts";
import type { Figure } from "../../edge/http/metrics.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { emailCounts } from "./email.ts";

/** Emails that wait for the mail server of this process. */
export const waitingFigure = (db: Db): Figure =>
  queriedFigure(
    db,
    { name: "holdfast_emails_oldest_seconds", help: "Time for which the oldest email has waited.", labels: [] },
    sql`select coalesce(extract(epoch from now() - min(created_at)), 0)::float as value from emails`,
  );

export const outcomesFigure: Figure = {
  name: "holdfast_emails_total",
  kind: "counter",
  help: "Attempts to send an email and their ends in this process, and emails dropped, by outcome.",
  labels: ["outcome"],
  read: async () => [...emailCounts].map(([outcome, value]) => ({ labels: { outcome }, value })),
};
