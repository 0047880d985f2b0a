import type { AccountsDb } from "../../store/accounts.ts";
import { sql } from "../../store/sql.ts";
import type { User } from "./user.ts";

type NamedUser = Pick<User, "id" | "email" | "name">;

/** The addresses and names of users, by id. */
export async function findUsers(
  db: AccountsDb,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<User, "email" | "name">>> {
  const users = await db.rows<NamedUser>(sql`select id, email, name from users where id = any(${userIds}::text[])`);
  return new Map(users.map(({ id, ...user }) => [id, user]));
}

/** The arbiters of the deployment, by name. */
export const listArbiters = (db: AccountsDb, limit: number): Promise<NamedUser[]> =>
  db.rows<NamedUser>(sql`
    select id, email, name from users where is_arbiter order by name, id limit ${limit}::integer`);

/** Those of these users who are arbiters. */
export async function findArbiters(db: AccountsDb, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const arbiters = await db.rows<{ id: string }>(
    sql`select id from users where is_arbiter and id = any(${userIds}::text[])`,
  );
  return new Set(arbiters.map(({ id }) => id));
}
