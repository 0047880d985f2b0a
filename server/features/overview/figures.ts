import type { Figure } from "../../edge/http/metrics.ts";
import type { Database } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import type { Chain } from "../chains/chain.ts";

/** Rows are counted up to this number, so that reading a figure stays cheap. */
const COUNTED_MAX = 100_000;

/** The figures that an operator watches: how far the service is behind the chain, what waits, and requests to the chain. */
export function overviewFigures(database: Database, chains: readonly Chain[]): Figure[] {
  return [
    {
      name: "holdfast_sweep_behind_seconds",
      help: "Age of the newest block time up to which everything is processed at finalized.",
      labels: ["environment"],
      read: async () => {
        const rows = await database.rows<{ environment: string; behind: number | null }>(sql`
          select c.environment, extract(epoch from now() + k.ahead - c.watermark)::float as behind
          from chains c join clocks k on k.environment = c.environment where c.watermark is not null`);
        return rows.map((row) => ({ labels: { environment: row.environment }, value: row.behind ?? 0 }));
      },
    },
    {
      name: "holdfast_inbox_unread",
      help: `Transactions of the operator that are still to be read, counted up to ${COUNTED_MAX}.`,
      labels: ["environment"],
      read: async () => {
        const rows = await database.rows<{ environment: string; unread: string }>(sql`
          select c.environment, (
            select count(*) from (
              select from chain_inbox i where i.environment = c.environment and not i.processed limit ${COUNTED_MAX}::integer) counted) as unread
          from chains c`);
        return rows.map((row) => ({ labels: { environment: row.environment }, value: Number(row.unread) }));
      },
    },
    {
      name: "holdfast_webhook_attempts_waiting",
      help: `Deliveries that are still to be made or tried again, counted up to ${COUNTED_MAX}.`,
      labels: [],
      read: async () => {
        const row = await database.row<{ waiting: string }>(sql`
          select count(*) as waiting from (select from webhook_queue limit ${COUNTED_MAX}::integer) counted`);
        return [{ labels: {}, value: Number(row!.waiting) }];
      },
    },
    {
      name: "holdfast_deployment_changes",
      help: "Values of the operator account and the program that have changed since the database was joined; the log names each.",
      labels: ["environment"],
      read: async () => {
        const rows = await database.rows<{ environment: string; changes: number }>(
          sql`select environment, changes from deployments`,
        );
        return rows.map((row) => ({ labels: { environment: row.environment }, value: row.changes }));
      },
    },
    {
      name: "holdfast_checkouts_held",
      help: "1 while this process builds no checkouts, because a setting has yet to confirm what the chain shows.",
      labels: ["environment"],
      read: async () =>
        chains.map(({ environment, deployment }) => ({
          labels: { environment },
          value: deployment.checkoutsHeld === null ? 0 : 1,
        })),
    },
    {
      name: "holdfast_chain_requests_total",
      help: "Requests this process has sent to the chain's nodes.",
      labels: ["environment", "method"],
      read: async () =>
        chains.flatMap(({ environment, reader }) =>
          [...reader.requestCounts].map(([method, value]) => ({ labels: { environment, method }, value })),
        ),
    },
  ];
}
