import { COUNTED_MAX, queriedFigure } from "../../edge/http/figures.ts";
import type { Figure } from "../../edge/http/metrics.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { EACH_CHAIN } from "../chains/fragments.ts";
import { attemptCounts } from "./webhook.ts";

/** The waiting deliveries, and the results of attempts. */
export const webhookFigures = (db: Db): readonly Figure[] => [
  queriedFigure(
    db,
    {
      name: "holdfast_webhook_attempts_waiting",
      help: `Deliveries that wait for an attempt, counted up to ${COUNTED_MAX}.`,
      labels: [],
    },
    sql`select count(*) as value from (select from webhook_queue limit ${COUNTED_MAX}::integer) counted`,
  ),
  queriedFigure(
    db,
    {
      name: "holdfast_webhook_oldest_due_seconds",
      help: `Time since the oldest due delivery to an enabled endpoint became due, of the first ${COUNTED_MAX} in the queue.`,
      labels: [],
    },
    sql`
      select coalesce(extract(epoch from now() - min(q.due_at)), 0)::float as value
      from (select business_id, endpoint_id, due_at from webhook_queue where due_at <= now() limit ${COUNTED_MAX}::integer) q
      join webhook_endpoints e on e.business_id = q.business_id and e.id = q.endpoint_id and e.status = 'enabled'`,
  ),
  queriedFigure(
    db,
    {
      name: "holdfast_webhook_endpoints_failing",
      help: "Endpoints whose last attempt failed, without those that a person disabled.",
      labels: ["environment"],
    },
    sql`
      select c.environment, count(e.id) as value from ${EACH_CHAIN}
      left join webhook_endpoints e
        on e.environment = c.environment and e.failing_since is not null and e.status <> 'disabled'
      group by c.environment`,
  ),
  {
    name: "holdfast_webhook_attempts_total",
    kind: "counter",
    help: "Delivery attempts that ended in this process, by outcome.",
    labels: ["outcome"],
    read: async () => [...attemptCounts].map(([outcome, value]) => ({ labels: { outcome }, value })),
  },
];
