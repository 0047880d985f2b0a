import type { Figure } from "../../edge/http/metrics.ts";
import { listLoops } from "../../lib/loop.ts";
import { statementNow } from "../../store/clock.ts";
import type { Database } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import type { Chain } from "../chains/chain.ts";
import { isUnreadable } from "../recording/fragments.ts";
import { isUnlanded, oldestDue } from "../settlement/fragments.ts";
import { attemptCounts } from "../webhooks/webhook.ts";

/** Rows are counted up to this number, so that reading a figure stays cheap. */
const COUNTED_MAX = 100_000;

/** The nodes of each environment's chain, as this process last asked them. */
export const nodesFigure = (
  heads: ReadonlyMap<string, { readonly nodes: { readonly healthy: number; readonly total: number } }>,
): Figure => ({
  name: "holdfast_chain_nodes",
  help: "Nodes of the settings that answered this process at its last look, and those that did not.",
  labels: ["environment", "state"],
  read: async () =>
    [...heads].flatMap(([environment, { nodes }]) => [
      { labels: { environment, state: "healthy" }, value: nodes.healthy },
      { labels: { environment, state: "unhealthy" }, value: nodes.total - nodes.healthy },
    ]),
});

/** The figures that an operator watches: how far the service is behind the chain, what waits, and requests to the chain. */
export function overviewFigures(database: Database, chains: readonly Chain[], held: ReadonlySet<string>): Figure[] {
  const sumOfSponsorships = (what: "bound" | "lost", help: string): Figure => ({
    name: `holdfast_sponsor_${what}_lamports`,
    help,
    labels: ["environment"],
    read: async () => {
      const rows = await database.rows<{ environment: string; bound: string; lost: string }>(
        sql`select environment, bound_lamports as bound, lost_lamports as lost from sponsor_budgets`,
      );
      return rows.map((row) => ({ labels: { environment: row.environment }, value: Number(row[what]) }));
    },
  });
  const ofEach = (draft: (chain: Chain) => Sql) =>
    Promise.all(
      chains.map(async (chain) => {
        const row = await database.row<{ value: number }>(draft(chain));
        return { labels: { environment: chain.environment }, value: row!.value };
      }),
    );
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
      name: "holdfast_inbox_unreadable",
      help: `Transactions of the operator that no node has given at six tries, half a minute, or more, counted up to ${COUNTED_MAX}; the watermark waits for them.`,
      labels: ["environment"],
      read: async () => {
        const rows = await database.rows<{ environment: string; unreadable: string }>(sql`
          select c.environment, (
            select count(*) from (
              select from chain_inbox where ${isUnreadable(sql`c.environment`)} limit ${COUNTED_MAX}::integer) counted) as unreadable
          from chains c`);
        return rows.map((row) => ({ labels: { environment: row.environment }, value: Number(row.unreadable) }));
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
      name: "holdfast_webhook_oldest_due_seconds",
      help: `How long the delivery that is due longest has been due, of enabled endpoints and the first ${COUNTED_MAX} in the queue.`,
      labels: [],
      read: async () => {
        const row = await database.row<{ age: number }>(sql`
          select coalesce(extract(epoch from now() - min(q.due_at)), 0)::float as age
          from (select business_id, endpoint_id, due_at from webhook_queue where due_at <= now() limit ${COUNTED_MAX}::integer) q
          join webhook_endpoints e on e.business_id = q.business_id and e.id = q.endpoint_id and e.status = 'enabled'`);
        return [{ labels: {}, value: row!.age }];
      },
    },
    {
      name: "holdfast_webhook_endpoints_failing",
      help: "Endpoints, enabled or disabled for failures, whose newest attempt failed.",
      labels: ["environment"],
      read: async () => {
        const rows = await database.rows<{ environment: string; failing: string }>(sql`
          select c.environment, count(e.id) as failing from chains c
          left join webhook_endpoints e
            on e.environment = c.environment and e.failing_since is not null and e.status <> 'disabled'
          group by c.environment`);
        return rows.map((row) => ({ labels: { environment: row.environment }, value: Number(row.failing) }));
      },
    },
    {
      name: "holdfast_webhook_attempts_total",
      kind: "counter",
      help: "Attempts of deliveries that this process has ended, by what came of them.",
      labels: ["outcome"],
      read: async () => [...attemptCounts].map(([outcome, value]) => ({ labels: { outcome }, value })),
    },
    {
      name: "holdfast_loop_idle_seconds",
      help: "Time since each loop of this process last ended a step without an error.",
      labels: ["loop"],
      read: async () => listLoops().map(({ name, seconds }) => ({ labels: { loop: name }, value: seconds })),
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
      name: "holdfast_held",
      help: "1 for each part that HOLD keeps this process from doing.",
      labels: ["part"],
      read: async () => [...held].map((part) => ({ labels: { part }, value: 1 })),
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
      name: "holdfast_keeper_balance_lamports",
      help: "Lamports of the keeper's fee payer, as this process last read them.",
      labels: ["environment"],
      read: async () =>
        chains.flatMap(({ environment, sender }) =>
          sender === null || sender.lastBalance === null
            ? []
            : [{ labels: { environment }, value: Number(sender.lastBalance) }],
        ),
    },
    {
      name: "holdfast_sponsor_balance_lamports",
      help: "Lamports of each wallet that pays for buyers, as this process last read them.",
      labels: ["environment", "sponsor"],
      read: async () =>
        chains.flatMap(({ environment, sponsor }) =>
          [...(sponsor?.lastBalances ?? [])].map(([address, lamports]) => ({
            labels: { environment, sponsor: address },
            value: Number(lamports),
          })),
        ),
    },
    sumOfSponsorships("bound", "Lamports that sponsors gave out for buyers and that come back, or may still be spent."),
    sumOfSponsorships("lost", "Lamports of sponsors that never come back: fees, and the rents of tombstones."),
    {
      name: "holdfast_keeper_refused",
      help: `Payments with something due that could not leave at the keeper's last try, counted up to ${COUNTED_MAX}.`,
      labels: ["environment"],
      read: async () => {
        const rows = await database.rows<{ environment: string; refused: string }>(sql`
          select c.environment, (
            select count(*) from (
              (select from payments p
                where p.environment = c.environment and p.keeper_refusal is not null and p.keeper_at is not null
                limit ${COUNTED_MAX}::integer)
              union all
              (select from unmatched_payments u
                where u.environment = c.environment and u.keeper_refusal is not null and u.keeper_at is not null
                limit ${COUNTED_MAX}::integer)) counted) as refused
          from chains c`);
        return rows.map((row) => ({ labels: { environment: row.environment }, value: Number(row.refused) }));
      },
    },
    {
      name: "holdfast_keeper_oldest_due_seconds",
      help: "How long the payment that the keeper may try now, and that is due longest, has been due.",
      labels: ["environment"],
      read: () =>
        ofEach(
          ({ environment }) =>
            sql`select coalesce(extract(epoch from ${statementNow(environment)} - least(
            ${oldestDue(environment, sql`payments`)}, ${oldestDue(environment, sql`unmatched_payments`)})), 0)::float as value`,
        ),
    },
    {
      name: "holdfast_keeper_unlanded",
      help: `Payments with something that the keeper has sent three times or more and that has not left, counted up to ${COUNTED_MAX}.`,
      labels: ["environment"],
      read: () =>
        ofEach(
          ({ environment }) =>
            sql`select count(*)::float as value from (
            (select from payments where ${isUnlanded(environment)} limit ${COUNTED_MAX}::integer) union all
            (select from unmatched_payments where ${isUnlanded(environment)} limit ${COUNTED_MAX}::integer)) counted`,
        ),
    },
    {
      name: "holdfast_chain_requests_total",
      kind: "counter",
      help: "Requests this process has sent to the chain's nodes.",
      labels: ["environment", "method"],
      read: async () =>
        chains.flatMap(({ environment, reader }) =>
          [...reader.requestCounts].map(([method, value]) => ({ labels: { environment, method }, value })),
        ),
    },
  ];
}
