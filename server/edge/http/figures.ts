import type { Db } from "../../store/database.ts";
import type { Sql } from "../../store/sql.ts";
import type { Figure } from "./metrics.ts";

/** Rows are counted up to this number, so that reading a figure stays cheap. */
export const COUNTED_MAX = 100_000;

/** A figure from the rows of a statement: the column `value`, and a column for each label. */
export const queriedFigure = (db: Db, figure: Omit<Figure, "read" | "kind">, statement: Sql): Figure => ({
  ...figure,
  read: async () => {
    const rows = await db.rows<Record<string, string> & { value: string | number | null }>(statement);
    return rows.map(({ value, ...labels }) => ({ labels, value: Number(value) }));
  },
});
