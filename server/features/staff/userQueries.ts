import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";
import type { User } from "./user.ts";

/** The addresses and names of users, by id. */
export async function findUsers(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<User, "email" | "name">>> {
  const users = await db.rows<Pick<User, "id" | "email" | "name">>(
    sql`select id, email, name from users where id = any(${userIds}::text[])`,
  );
  return new Map(users.map(({ id, ...user }) => [id, user]));
}
