import type { Database, Db } from "./database.ts";

/**
 * The tables of people, who may be members of businesses in several cells. They lie in the main database, so no statement and no
 * transaction may use them together with a cell's: the compiler keeps the two apart.
 */
export type Accounts = Database<"accounts">;
export type AccountsDb = Db<"accounts">;

/** `main`: cell 0's, in the main database. */
export const asAccounts = (main: Database): Accounts => main as unknown as Accounts;
