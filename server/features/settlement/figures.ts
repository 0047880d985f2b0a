import type { Chain } from "../../chain/chain.ts";
import type { Environment } from "../../domain/terms.ts";
import { COUNTED_MAX, queriedFigure } from "../../edge/http/figures.ts";
import type { Figure } from "../../edge/http/metrics.ts";
import { statementNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import { type Sql, sql } from "../../store/sql.ts";
import { EACH_CHAIN } from "../chains/fragments.ts";
import { isUnlanded, oldestDue } from "./fragments.ts";

/** The payments that the keeper has to settle, and its fee payer. */
export function settlementFigures(db: Db, chains: readonly Pick<Chain, "environment" | "sender">[]): readonly Figure[] {
  const ofEach = (figure: Omit<Figure, "read" | "labels">, draft: (environment: Environment) => Sql): Figure => ({
    ...figure,
    labels: ["environment"],
    read: () =>
      Promise.all(
        chains.map(async ({ environment }) => {
          const row = await db.row<{ value: number }>(draft(environment));
          return { labels: { environment }, value: row!.value };
        }),
      ),
  });
  return [
    {
      name: "holdfast_keeper_balance_lamports",
      help: "Balance of the keeper's fee payer in lamports, as last read by this process.",
      labels: ["environment"],
      read: async () =>
        chains.flatMap(({ environment, sender }) =>
          sender === null || sender.lastBalance === null
            ? []
            : [{ labels: { environment }, value: Number(sender.lastBalance) }],
        ),
    },
    queriedFigure(
      db,
      {
        name: "holdfast_keeper_refused",
        help: `Payments with due funds that could not leave at the keeper's last attempt, counted up to ${COUNTED_MAX}.`,
        labels: ["environment"],
      },
      sql`
        select c.environment, (
          select count(*) from (
            (select from payments p
              where p.environment = c.environment and p.keeper_refusal is not null and p.keeper_at is not null
              limit ${COUNTED_MAX}::integer)
            union all
            (select from unmatched_payments u
              where u.environment = c.environment and u.keeper_refusal is not null and u.keeper_at is not null
              limit ${COUNTED_MAX}::integer)) counted) as value
        from ${EACH_CHAIN}`,
    ),
    ofEach(
      {
        name: "holdfast_keeper_oldest_due_seconds",
        help: "Time since the oldest due payment became due, of those that the keeper may try now.",
      },
      (environment) => sql`
        select coalesce(extract(epoch from ${statementNow(environment)} - ${oldestDue(environment)}), 0)::float as value`,
    ),
    ofEach(
      {
        name: "holdfast_keeper_unlanded",
        help: `Payments whose due funds the keeper has sent three times or more and that have not left, counted up to ${COUNTED_MAX}.`,
      },
      (environment) => sql`
        select count(*)::float as value from (
          (select from payments where ${isUnlanded(environment)} limit ${COUNTED_MAX}::integer) union all
          (select from unmatched_payments where ${isUnlanded(environment)} limit ${COUNTED_MAX}::integer)) counted`,
    ),
  ];
}
