import type { Chain } from "../../chain/chain.ts";
import { queriedFigure } from "../../edge/http/figures.ts";
import type { Figure } from "../../edge/http/metrics.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

/** The state of the nodes of each environment's chain, by this process's last poll. */
export const nodesFigure = (
  heads: ReadonlyMap<string, { readonly nodes: { readonly healthy: number; readonly total: number } }>,
): Figure => ({
  name: "holdfast_chain_nodes",
  help: "Nodes in the settings, by their state at the last check of this process.",
  labels: ["environment", "state"],
  read: async () =>
    [...heads].flatMap(([environment, { nodes }]) => [
      { labels: { environment, state: "healthy" }, value: nodes.healthy },
      { labels: { environment, state: "unhealthy" }, value: nodes.total - nodes.healthy },
    ]),
});

/** The lag of the books behind each chain, the changes of its deployment, and the requests to it. */
export const chainFigures = (db: Db, chains: readonly Chain[]): readonly Figure[] => [
  queriedFigure(
    db,
    {
      name: "holdfast_sweep_behind_seconds",
      help: "Age of the block time up to which everything finalized is processed.",
      labels: ["environment"],
    },
    sql`
      select c.environment, extract(epoch from now() + k.ahead - c.watermark)::float as value
      from chains c join clocks k on k.environment = c.environment where c.watermark is not null`,
  ),
  queriedFigure(
    db,
    {
      name: "holdfast_deployment_changes",
      help: "Changed values of the operator account and the program since the database was joined to the chain; the log names each.",
      labels: ["environment"],
    },
    sql`select environment, changes as value from deployments`,
  ),
  {
    name: "holdfast_checkouts_held",
    help: "1 while this process builds no checkouts, because a setting has yet to confirm a change on chain.",
    labels: ["environment"],
    read: async () =>
      chains.map(({ environment, deployment }) => ({
        labels: { environment },
        value: deployment.checkoutsHeld === null ? 0 : 1,
      })),
  },
  {
    name: "holdfast_chain_requests_total",
    kind: "counter",
    help: "Requests from this process to the chain's nodes, by method.",
    labels: ["environment", "method"],
    read: async () =>
      chains.flatMap(({ environment, reader }) =>
        [...reader.requestCounts].map(([method, value]) => ({ labels: { environment, method }, value })),
      ),
  },
];
