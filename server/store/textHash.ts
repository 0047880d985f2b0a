import { type Sql, sql } from "./sql.ts";

/**
 * 64 bits of a text, which indexes hold in its place that only lead to rows. It decides nothing: statements compare the
 * columns as well. PostgreSQL keeps it the same from version to version, since partitions by hash rest on it.
 */
const textHash = (text: Sql): Sql => sql`hashtextextended(${text}, 0)`;

/** The condition that the index on `column`, an expression as the index has it, finds the rows of `text` by. */
export const sameHash = (column: Sql, text: Sql): Sql => sql`${textHash(column)} = ${textHash(text)}`;
