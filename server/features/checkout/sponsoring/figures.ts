import type { Chain } from "../../../chain/chain.ts";
import { queriedFigure } from "../../../edge/http/figures.ts";
import type { Figure } from "../../../edge/http/metrics.ts";
import type { Db } from "../../../store/database.ts";
import { sql } from "../../../store/sql.ts";

/** The lamports of sponsors: in their wallets, and out for buyers. */
export const sponsorFigures = (
  db: Db,
  chains: readonly Pick<Chain, "environment" | "sponsor">[],
): readonly Figure[] => [
  {
    name: "holdfast_sponsor_balance_lamports",
    help: "Balance of each sponsor's wallet in lamports, as last read by this process.",
    labels: ["environment", "sponsor"],
    read: async () =>
      chains.flatMap(({ environment, sponsor }) =>
        [...(sponsor?.lastBalances ?? [])].map(([address, lamports]) => ({
          labels: { environment, sponsor: address },
          value: Number(lamports),
        })),
      ),
  },
  queriedFigure(
    db,
    {
      name: "holdfast_sponsor_bound_lamports",
      help: "Lamports that sponsors have paid for buyers and get back, or may still spend.",
      labels: ["environment"],
    },
    sql`select environment, bound_lamports as value from sponsor_budgets`,
  ),
  queriedFigure(
    db,
    {
      name: "holdfast_sponsor_lost_lamports",
      help: "Lamports that sponsors do not get back: fees, and the rents of tombstones.",
      labels: ["environment"],
    },
    sql`select environment, lost_lamports as value from sponsor_budgets`,
  ),
];
