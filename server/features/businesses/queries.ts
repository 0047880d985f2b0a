import { newBusinessId } from "../../domain/ids.ts";
import { ENVIRONMENTS } from "../../domain/terms.ts";
import type { Db } from "../../store/database.ts";
import { sql } from "../../store/sql.ts";

/** Inserts a business with the event counter of each environment. The caller has checked the name. */
export async function insertBusiness(db: Db, name: string): Promise<{ id: string; name: string }> {
  const now = new Date();
  const id = newBusinessId(now);
  await db.rows(sql`
    with made as (insert into businesses (id, name, created_at) values (${id}, ${name}, ${now}) returning id),
    counted as (
      insert into event_counters (business_id, environment)
      select made.id, e.environment from made, unnest(${[...ENVIRONMENTS]}::text[]) as e (environment) returning business_id)
    select id from made`);
  return { id, name };
}

/** The name of a business that exists. */
export async function findBusinessName(db: Db, businessId: string): Promise<string> {
  const row = await db.row<{ name: string }>(sql`select name from businesses where id = ${businessId}`);
  return row!.name;
}
