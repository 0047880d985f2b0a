import { queriedFigure } from "../../edge/http/figures.ts";
import type { Figure } from "../../edge/http/metrics.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import { EACH_CHAIN } from "../chains/fragments.ts";

/** The comparison of books with the chain. */
export const booksFigures = (db: Db): readonly Figure[] => [
  queriedFigure(
    db,
    {
      name: "holdfast_books_differences",
      help: "Differences between books and chain that the last comparison of each business found. Anything but 0 needs a person.",
      labels: ["environment"],
    },
    sql`
      select c.environment, (
        select coalesce(sum(b.differences), 0)::float from books_checks b where b.environment = c.environment) as value
      from ${EACH_CHAIN}`,
  ),
  queriedFigure(
    db,
    {
      name: "holdfast_books_oldest_check_seconds",
      help: "Time since the oldest of the businesses' last comparisons of books with the chain; above two days the nightly ones fail.",
      labels: ["environment"],
    },
    sql`
      select c.environment, (
        select coalesce(extract(epoch from now() - min(b.checked_at)), 0)::float
        from books_checks b where b.environment = c.environment) as value
      from ${EACH_CHAIN}`,
  ),
];
