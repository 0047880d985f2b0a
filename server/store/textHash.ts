import { type Sql, sql } from "./sql.ts";

/**
 * 64 bits of a text, which indexes hold in its place only to find rows. It decides nothing: statements compare the columns
 * as well. PostgreSQL never changes it between versions, since partitions by hash depend on it.
 */
const textHash = (text: Sql): Sql => sql`hashtextextended(${text}, 0)`;

/** The condition that uses the index on `column`, an expression like the index's own, to find the rows of `text`. */
export const sameHash = (column: Sql, text: Sql): Sql => sql`${textHash(column)} = ${textHash(text)}`;
